import type { UsageTotals } from '../../events/usage.ts';

/** What everything of one name took: a model, an agent by its id, a stage by its key. */
export interface UsagePart extends UsageTotals {
	name: string;
	/** Parts beyond the most that are told apart, as one. */
	others?: true;
}

/** What the models of a session took, whole and by its parts. */
export interface UsageView {
	total: UsageTotals;
	models: UsagePart[];
	/** By agent id; the main agent's is empty. */
	agents: UsagePart[];
	/** By stage, as far as one was known. */
	stages: UsagePart[];
	/** Who told of them, where that is no transcript. */
	source?: 'telemetry';
	/** How far each actor's transcript was read, in bytes. */
	read: { agentId: string; to: number }[];
}
