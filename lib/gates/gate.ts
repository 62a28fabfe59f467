import type { GateDecision } from '../contract/catalogue/judgement.ts';

/** What a gate says of one call. Pure data, so that it can be judged again from `facts` (DESIGN 5). */
export interface Verdict {
	gate: string;
	decision: GateDecision;
	/** Stable id of the rule that spoke, e.g. `routing.agent-in-plan`. An approval overrides (gate, rule) pairs. */
	rule: string;
	reason: string;
	facts: Record<string, unknown>;
}

const strength: Record<GateDecision, number> = { deny: 2, ask: 1, pass: 0 };

/** Composition of several gates on one call: deny > ask > pass; among equals the first named wins. */
export function strictest(verdicts: readonly Verdict[]): Verdict | undefined {
	return verdicts.reduce<Verdict | undefined>(
		(worst, next) => (!worst || strength[next.decision] > strength[worst.decision] ? next : worst),
		undefined,
	);
}
