import type { AgentHook, HookPoint } from '../agents/agent-hook.ts';
import type { DeedKind } from '../agents/tool-call.ts';
import type { Denial } from '../contract/events/catalogue/approval.ts';
import type { HookDecision } from '../contract/events/catalogue/judgement.ts';
import type { DraftEvent } from '../contract/events/event.ts';
import { isSameDenial, type Overridden } from '../grants/covers.ts';
import { agentRouter } from './agent-router/agent-router-gate.ts';
import { commandPolicy } from './command-policy/command-policy-gate.ts';
import { type Facts, type GateContext, type GateRow, type Judging, strictest, type Verdict } from './gate.ts';
import type { GateSetting } from './gate-setting.ts';
import { loop } from './loop/loop-gate.ts';
import { routingCompletion } from './routing-completion/routing-completion-gate.ts';
import { routingEnforcer } from './routing-enforcer/routing-enforcer-gate.ts';
import { routingPlan } from './routing-plan/routing-plan-gate.ts';
import { stageGuard } from './stage-guard/stage-guard-gate.ts';
import { supervisor } from './supervisor/supervisor-gate.ts';
import { completionValidator, spawnValidator } from './validators/validator-gates.ts';

/** All gates, in the order in which they are asked. A new gate is a folder and a line here; everything else reads this table. */
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

export type GateId = (typeof gateTable)[number]['id'];
export type GateSwitchName = (typeof gateTable)[number]['setting'];

/** Undefined for a gate of another version. */
export function gateById(id: string): GateRow | undefined {
	return gateTable.find((row) => row.id === id);
}

/** The settings that the gate itself declares. */
export const ownSettings = ({ settings }: GateRow): GateSetting[] =>
	settings.flatMap((own) => (typeof own === 'string' ? [] : [own]));

export const gateSettings: readonly GateSetting[] = gateTable.flatMap(ownSettings);

/** The denial as approvals and grants need it: with its question's fingerprint, or as one that no grant can cover. */
export function withFingerprint(verdict: { gate: string; rule: string; reason: string; facts: Facts }): Denial {
	const { gate, rule, reason, facts } = verdict;
	const row = gateById(gate);
	if (!row?.fingerprint) return { gate, rule, reason, noGrant: true };
	const fingerprint = row.fingerprint(facts);
	return { gate, rule, reason, ...(fingerprint && { fingerprint: fingerprint.key, words: fingerprint.words }) };
}

export interface Judgement {
	verdict: Verdict;
	verdicts: Verdict[];
	decision: HookDecision | null;
	records: DraftEvent[];
}

/** A gate that a hook concerns, with its facts. */
export interface ConcernedGate {
	judging: Judging;
	facts: object;
}

interface GateAnswer extends ConcernedGate {
	verdict: Verdict;
}

interface JudgeOptions {
	overridden?: readonly Overridden[];
	rows?: readonly GateRow[];
	/** If they were asked for before. */
	concerned?: readonly ConcernedGate[];
}

/**
 * Asks the gates that are switched on: deny > ask > pass, null if none judges. A denial that a person has overridden
 * passes, another one by the same rule does not.
 */
export function judgeHook(
	hook: AgentHook,
	context: GateContext,
	{ overridden = [], rows = gateTable, concerned = concernedGates(hook, context, rows) }: JudgeOptions = {},
): Judgement | null {
	const findings = concerned.map(
		(gate): GateAnswer => ({ ...gate, verdict: unlessOverridden(gate.judging.judge(gate.facts), overridden) }),
	);
	const verdicts = findings.map(({ verdict }) => verdict);
	const verdict = strictest(verdicts);
	return verdict ? { verdict, verdicts, ...answer(findings, verdict, hook, context) } : null;
}

/** The gates that are switched on and that the hook concerns; without any, judging gives null. */
export function concernedGates(
	hook: AgentHook,
	context: GateContext,
	rows: readonly GateRow[] = gateTable,
): ConcernedGate[] {
	return rows.flatMap((row) => {
		if (typeof row.judgedBy === 'string' || !isGateActive(row, hook, context)) return [];
		const facts = row.judgedBy.facts(hook, context);
		return facts === null ? [] : [{ judging: row.judgedBy, facts }];
	});
}

/** Whether any gate may judge the hook, by its point and deed alone: reads no file. */
export function mayBeJudged(hook: AgentHook, rows: readonly GateRow[] = gateTable): boolean {
	return rows.some((row) => typeof row.judgedBy !== 'string' && isFor(row, hook));
}

/** Whether the gate judges this hook by its own rules: not one that a model or a reviewer judges. */
export function isGateActive(row: GateRow, hook: AgentHook, { settings }: Pick<GateContext, 'settings'>): boolean {
	if (typeof row.judgedBy === 'string' || !isFor(row, hook)) return false;
	return settings.gates[row.setting]?.enabled ?? row.start !== 'off';
}

function isFor(row: GateRow, hook: AgentHook): boolean {
	return concerns(row, hook.at, 'call' in hook ? hook.call.deed.does : undefined);
}

/** Whether the gate judges hooks of this point and deed; without a call there is no deed. */
export function concerns({ at, deeds }: GateRow, point: HookPoint, does?: DeedKind): boolean {
	return at.includes(point) && (deeds.length === 0 || (does !== undefined && deeds.includes(does)));
}

function unlessOverridden(verdict: Verdict, overridden: readonly Overridden[]): Verdict {
	if (verdict.decision === 'pass' || overridden.length === 0) return verdict;
	const denial = withFingerprint(verdict);
	return overridden.some((seen) => isSameDenial(seen, denial)) ? { ...verdict, decision: 'pass' } : verdict;
}

function answer(
	verdicts: readonly GateAnswer[],
	{ decision }: Verdict,
	{ at }: AgentHook,
	context: GateContext,
): Pick<Judgement, 'decision' | 'records'> {
	const speaking = verdicts.filter(({ verdict }) => verdict.decision === decision);
	if (decision === 'pass') return { decision: allowance(speaking), records: [] };
	const reasons = speaking.map(({ judging, facts, verdict }) => judging.directive?.(facts) ?? verdict.reason);
	const reason = reasons.join(at === 'call' ? '; ' : '\n');
	const own = speaking.find(({ judging }) => judging.message);
	const message = own?.judging.message?.(own.facts) ?? `Signalbox: ${reason}.`;
	const isTurnOver = decision === 'deny' && speaking.some(({ judging }) => judging.endsTurn?.(context.settings));
	return {
		decision: { decision, reason, ...(at === 'call' && { message }), ...(isTurnOver && { endsTurn: isTurnOver }) },
		records: speaking.flatMap(({ judging, facts }) => judging.records?.(facts) ?? []),
	};
}

/** An explicit allow skips the client's own prompt. */
function allowance(verdicts: readonly GateAnswer[]): HookDecision | null {
	const [allowing] = verdicts.flatMap(({ judging, verdict }) => judging.allows?.(verdict) ?? []);
	return allowing ? { decision: 'allow', ...allowing } : null;
}
