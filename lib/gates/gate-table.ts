import type { Denial } from '../contract/events/catalogue/approval.ts';
import { agentRouter } from './agent-router/agent-router-gate.ts';
import { commandPolicy } from './command-policy/command-policy-gate.ts';
import type { Facts } from './gate.ts';
import type { GateRow } from './gate-row.ts';
import { loop } from './loop/loop-gate.ts';
import { routingCompletion } from './routing-completion/routing-completion-gate.ts';
import { routingEnforcer } from './routing-enforcer/routing-enforcer-gate.ts';
import { routingPlan } from './routing-plan/routing-plan-gate.ts';
import { stageGuard } from './stage-guard/stage-guard-gate.ts';
import { supervisor } from './supervisor/supervisor-gate.ts';
import { completionValidator, spawnValidator } from './validators/validator-gates.ts';

/**
 * Every gate, in the order in which they are asked and stand on the rules page. The one table that drives the engine,
 * settings, holding, the installer's entries, docs/guide/gates.md and the rules page: a new gate is its folder and a
 * line here.
 */
export const gateTable = [
	routingPlan,
	routingEnforcer,
	stageGuard,
	loop,
	routingCompletion,
	agentRouter,
	supervisor,
	spawnValidator,
	completionValidator,
	commandPolicy,
] as const satisfies readonly GateRow[];

/** The names of gates in settings: `gates.<name>`. */
export type GateSetting = (typeof gateTable)[number]['setting'];

/** A gate's row by its name in verdicts; undefined for a gate of another version. */
export function gateById(id: string): GateRow | undefined {
	return gateTable.find((row) => row.id === id);
}

/** A denial with what later calls must share with it, where its gate can tell. */
export function withFingerprint(verdict: { gate: string; rule: string; reason: string; facts: Facts }): Denial {
	const { gate, rule, reason, facts } = verdict;
	const row = gateById(gate);
	if (!row?.fingerprint) return { gate, rule, reason, noGrant: true };
	const print = row.fingerprint(facts);
	return { gate, rule, reason, ...(print && { fingerprint: print.key, words: print.words }) };
}
