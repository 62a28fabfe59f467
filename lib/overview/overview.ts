import type { UsageTotals } from '../contract/events/usage.ts';
import type { FileWork, SessionView, StageRun, UsagePart } from '../contract/sessions/read-model/session-view.ts';
import { shortPath } from '../text/printable.ts';
import { addUsage, tokensOf } from '../usage/usage-totals.ts';

/** How long a stage took in all its runs, and its model usage. */
export interface StageTime {
	stage: string;
	runs: readonly StageRun[];
	/** Milliseconds; an open run counts up to now. */
	ms: number;
	usage?: UsageTotals;
}

/** The stages that ran, in the order of their first runs. `now` in milliseconds since the epoch. */
export function stageTimes(
	{ stageRuns = [], usage }: Pick<SessionView, 'stageRuns' | 'usage'>,
	now: number,
): StageTime[] {
	const stages = [...new Set(stageRuns.map(({ stage }) => stage))];
	return stages.map((stage) => {
		const runs = stageRuns.filter((run) => run.stage === stage);
		const ms = runs.reduce((sum, { from, to }) => sum + Math.max(0, (to ?? now) - from), 0);
		const used = usage?.stages.find(({ name, others }) => name === stage && !others);
		return { stage, runs, ms, ...(used && { usage: used }) };
	});
}

/** A part of a whole: `share` is 0 to 1. */
export interface Share {
	name: string;
	share: number;
}

export interface ToolShare extends Share {
	calls: number;
	ms: number;
}

/** The tools beyond these are summed. */
const MAX_TOOLS = 8;

/** Tools by their number of calls, the most used first. The sum of the others is the last entry, without a name. */
export function toolShares({ work }: Pick<SessionView, 'work'>): ToolShare[] {
	const tools = [...(work?.tools ?? [])].filter(({ calls }) => calls > 0).sort((one, other) => other.calls - one.calls);
	const all = tools.reduce((sum, { calls }) => sum + calls, 0);
	const rest = tools.slice(MAX_TOOLS);
	const sumOf = (figure: 'calls' | 'ms') => rest.reduce((sum, tool) => sum + tool[figure], 0);
	const others = { name: '', calls: sumOf('calls'), ms: sumOf('ms') };
	const named = rest.length > 0 ? [...tools.slice(0, MAX_TOOLS), others] : tools;
	return named.map((tool) => ({ ...tool, share: tool.calls / all }));
}

/** Files by how much was written into them, most first, with paths relative to the project's folder. */
export function filesTouched({ work, cwd }: Pick<SessionView, 'work' | 'cwd'>): FileWork[] {
	const size = ({ added, removed }: FileWork) => added + removed;
	return [...(work?.files ?? [])]
		.sort((one, other) => size(other) - size(one))
		.map((file) => ({ ...file, path: shortPath(file.path, cwd ?? null) }));
}

/** A part of the costs, or of the tokens if nothing has a price. */
export interface UsageShare extends Share {
	part: UsagePart;
}

/** Usage by the agents' names: several runs of one agent are one part. */
export function usageByName(parts: readonly UsagePart[], nameOf: (agentId: string) => string): UsagePart[] {
	const named = new Map<string, UsagePart>();
	for (const part of parts) {
		const name = part.others ? '' : nameOf(part.name);
		const known = named.get(name);
		named.set(name, known ? { ...known, ...addUsage(known, part) } : { ...part, name });
	}
	return [...named.values()];
}

/** The parts of a bar, the largest first. */
export function usageShares(parts: readonly UsagePart[]): UsageShare[] {
	const cost = parts.reduce((sum, part) => sum + part.costUsd, 0);
	const sizeOf = (part: UsagePart) => (cost > 0 ? part.costUsd : tokensOf(part));
	const all = parts.reduce((sum, part) => sum + sizeOf(part), 0);
	return [...parts]
		.sort((one, other) => sizeOf(other) - sizeOf(one))
		.map((part) => ({ name: part.name, share: all > 0 ? sizeOf(part) / all : 0, part }));
}
