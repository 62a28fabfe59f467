import type { GateDecision } from '../contract/events/catalogue/judgement.ts';

/** What a gate says of one call. Pure data, so that it can be judged again from `facts` (DESIGN 5). */
export interface Verdict {
	gate: string;
	decision: GateDecision;
	/** Stable id of the rule that spoke, e.g. `routing.agent-in-plan`. An approval overrides (gate, rule) pairs. */
	rule: string;
	reason: string;
	facts: Record<string, unknown>;
}

/** Facts as a verdict, a held call or a recorded event has them. */
export type Facts = Readonly<Record<string, unknown>>;

/** What two calls must share to be the same question of a gate (DESIGN 6). Null: this one cannot be known again. */
export interface Fingerprint {
	key: string;
	/** What later calls a grant would let run, for a person; agent text, to be shown as text only. */
	words: string;
}

/** Whether a fact names something: large ones lie in a blob, and what is missing must not match what is missing elsewhere. */
export function isName(fact: unknown): fact is string {
	return typeof fact === 'string' && fact !== '';
}

const strength: Record<GateDecision, number> = { deny: 2, ask: 1, pass: 0 };

/** Composition of several gates on one call: deny > ask > pass; among equals the first named wins. */
export function strictest(verdicts: readonly Verdict[]): Verdict | undefined {
	return verdicts.reduce<Verdict | undefined>(
		(worst, next) => (!worst || strength[next.decision] > strength[worst.decision] ? next : worst),
		undefined,
	);
}
