import type { AgentHook, HookPoint } from '../agents/agent-hook.ts';
import type { DeedKind } from '../agents/tool-call.ts';
import type { GateDecision, HookDecision } from '../contract/events/catalogue/judgement.ts';
import type { DraftEvent } from '../contract/events/event.ts';
import type { WorkflowState } from '../contract/sessions/read-model/workflow-state.ts';
import type { PlanParse, PlanRest } from '../routing/routing-state.ts';
import type { GateSetting, SettingValues } from './gate-setting.ts';

/** Pure data, so that it can be judged again from `facts`. */
export interface Verdict {
	gate: string;
	decision: GateDecision;
	/** Such as `routing.agent-in-plan`; an approval overrides (gate, rule) pairs. */
	rule: string;
	reason: string;
	facts: Record<string, unknown>;
}

export type Facts = Readonly<Record<string, unknown>>;

/** Makes verdicts of a gate on these facts; `rule` is the part behind the family's name. */
export const verdictsOn =
	(gate: string, family: string, facts: object) =>
	(decision: GateDecision, rule: string, reason: string): Verdict => ({
		gate,
		decision,
		rule: `${family}.${rule}`,
		reason,
		facts: { ...facts },
	});

/** What two calls must share to be the same question of a gate. */
export interface Fingerprint {
	key: string;
	words: string;
}

/** A large fact is stored in a blob, and a missing one must not match another missing one. */
export function isName(fact: unknown): fact is string {
	return typeof fact === 'string' && fact !== '';
}

/** The stricter counts more. */
const strength: Record<HookDecision['decision'], number> = { deny: 3, ask: 2, allow: 1, pass: 0 };

/** deny > ask > pass; among equals the first wins. */
export function strictest(verdicts: readonly Verdict[]): Verdict | undefined {
	return verdicts.reduce<Verdict | undefined>(
		(worst, next) => (!worst || strength[next.decision] > strength[worst.decision] ? next : worst),
		undefined,
	);
}

export type PlanRead = PlanParse | null;

/** A program by its real path and the SHA-256 of its content: a changed file is another program. */
export interface ProgramFile {
	path: string;
	digest: string;
}

/** What a gate may read beside the hook. Each part is read on first use, once a hook. */
export interface GateContext {
	project: string;
	/** Where a command would run; empty if unknown. */
	cwd: string;
	settings: GateSettings;
	plan(): PlanRead;
	workflow(): WorkflowState | null;
	canSandbox(): boolean;
	programFile(word: string): ProgramFile | null;
	/** vibe-engine is repairing something now. */
	isRepairing(): boolean;
	loop(): LoopFacts | null;
	planRest(): CompletionFacts | null;
}

export interface GateSettings extends SettingValues {
	gates: Readonly<Record<string, GateSwitch | undefined>>;
	/** `stop` ends the agent's turn, `deny` lets the model read the reason. */
	onMismatch: 'stop' | 'deny';
	/** `unread`: why a list of patterns could not be read. */
	commands: { exclude: readonly string[]; unknown?: 'ask'; enforce?: 'sandbox'; unread?: string };
}

export interface GateSwitch {
	enabled?: boolean;
	hold: boolean;
}

export interface LoopFacts {
	workflowType: string;
	createdAt: string;
	iteration: number;
	stopped: boolean;
	paused: boolean;
	consecutiveErrors: number;
	/** A limit of bad results was reached. */
	fatal: string | null;
	/** Background agents that are still running. */
	running: number;
	openStages: string[];
	failedStages: string[];
	openBoxes: string[];
	boxesDone: number;
	boxesTotal: number;
	stagesDone: number;
	stagesTotal: number;
	nextStep: string | null;
	stopWith: string;
}

export interface CompletionFacts extends PlanRest {
	running: number;
	/** The agent said that the plan is complete, in the words that vibe-engine requires. */
	declared: boolean;
}

/** What a hook entry prints when nothing can be judged. */
export type GateProfile = 'open' | 'closed' | 'supervisor';

/** A whole gate: all that settings, installer, engine, documents and the rules page know about it. */
export interface GateRow<F extends object = object> {
	id: string;
	setting: string;
	at: readonly HookPoint[];
	deeds: readonly DeedKind[];
	/** Whether it judges while `enabled` is not set. */
	start: 'on' | 'off' | { where: string };
	profile: GateProfile;
	/** A guard judges by the call and by what the server observes; guidance judges by what the agent itself can write or say. */
	basis: 'guard' | { guidance: string };
	/** `if-asked`: its denial waits only if `gates.<setting>.hold` is true. */
	mayHold: boolean | 'if-asked';
	/** The gate's own settings, and paths of other settings that it depends on. */
	settings: readonly (GateSetting | string)[];
	seed: string;
	denies: Readonly<Record<string, string>>;
	/** Without it no grant can override the gate. */
	fingerprint?(facts: Facts): Fingerprint | null;
	/** A model behind a validator, a reviewer in the hook's process, or nobody: it only guides. */
	judgedBy: Judging<F> | 'by-model' | 'by-reviewer' | 'guides';
}

export interface Judging<F extends object = object> {
	/** Recorded with the verdict; null if the gate does not concern this hook. */
	facts(hook: AgentHook, context: GateContext): F | null;
	/** Pure, so that recorded facts can be judged again. */
	judge(facts: F): Verdict;
	directive?(facts: F): string;
	/** What the person at the terminal sees of a denied call; else its reason. */
	message?(facts: F): string;
	endsTurn?(settings: GateSettings): boolean;
	/** Whether its pass skips the client's own prompt, with words for the person. */
	allows?(verdict: Verdict): { message?: string } | null;
	records?(facts: F): DraftEvent[];
	/** Why it cannot judge although it has no objection: then its profile answers. */
	whyUnable?(settings: GateSettings): Pick<Verdict, 'rule' | 'reason'> | undefined;
}

/** Keeps the type of a gate's facts between its own functions, and its names for the table. */
export function defineGate<I extends string, S extends string, F extends object = object>(
	row: GateRow<F> & { id: I; setting: S },
): GateRow & { id: I; setting: S } {
	return row;
}

export const PLAN_IS_A_FILE = { guidance: 'The routing plan is a file of the project, and the agent can write it.' };
export const PLAN_BINDS_UNTIL_PROMPT = {
	guidance:
		'The routing plan is a file of the project, which the agent can write; one that denied something binds until a person prompts, even when it is taken away.',
};
export const STAGES_ARE_REPORTED = {
	guidance:
		'Stages end by what hooks report and boxes are lines of a file, and the agent can forge the one and tick the other.',
};
export const MODEL_READS_THE_AGENT = { guidance: 'A model judges by what the agent says of its tasks.' };

/** The stricter decision, with both texts line by line. */
export function joinDecisions(one: HookDecision | null, other: HookDecision | null): HookDecision | null {
	if (one === null || other === null) return one ?? other;
	const [strict, mild] = strength[other.decision] > strength[one.decision] ? [other, one] : [one, other];
	const joined: HookDecision = { ...mild, ...strict };
	for (const key of ['reason', 'message', 'context'] as const) {
		const texts = [one[key], other[key]].filter((text) => text !== undefined);
		if (texts.length > 0) joined[key] = texts.join('\n');
	}
	return joined;
}

export function isDenial(decision: HookDecision | null): boolean {
	return decision?.decision === 'deny';
}

/** Other parts of a recorded decision are read as texts. */
export function isHookDecision(value: unknown): value is HookDecision {
	return (
		typeof value === 'object' &&
		value !== null &&
		'decision' in value &&
		Object.hasOwn(strength, String(value.decision))
	);
}
