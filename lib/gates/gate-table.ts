import type { Denial } from '../contract/events/catalogue/approval.ts';
import { agentRouter } from './agent-router/agent-router-gate.ts';
import { commandPolicy } from './command-policy/command-policy-gate.ts';
import type { Facts, GateRow } from './gate.ts';
import { loop } from './loop/loop-gate.ts';
import { routingCompletion } from './routing-completion/routing-completion-gate.ts';
import { routingEnforcer } from './routing-enforcer/routing-enforcer-gate.ts';
import { routingPlan } from './routing-plan/routing-plan-gate.ts';
import { stageGuard } from './stage-guard/stage-guard-gate.ts';
import { supervisor } from './supervisor/supervisor-gate.ts';
import { completionValidator, spawnValidator } from './validators/validator-gates.ts';

/**
 * All gates in the order in which they are asked. A new gate is a folder and a line here: engine, settings, installer, documents
 * and the rules page read this table.
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

export type GateSetting = (typeof gateTable)[number]['setting'];

export function gateById(id: string): GateRow | undefined {
	return gateTable.find((row) => row.id === id);
}

export function withFingerprint(verdict: { gate: string; rule: string; reason: string; facts: Facts }): Denial {
	const { gate, rule, reason, facts } = verdict;
	const row = gateById(gate);
	if (!row?.fingerprint) return { gate, rule, reason, noGrant: true };
	const print = row.fingerprint(facts);
	return { gate, rule, reason, ...(print && { fingerprint: print.key, words: print.words }) };
}
