import type { AgentHook } from '../agents/agent-hook.ts';
import type { HookDecision } from '../contract/events/catalogue/judgement.ts';
import type { DraftEvent } from '../contract/events/draft-event.ts';
import { isSameDenial, type Overridden } from '../grants/covers.ts';
import { strictest, type Verdict } from './gate.ts';
import type { GateContext } from './gate-context.ts';
import type { GateRow, Judging } from './gate-row.ts';
import { gateTable, withFingerprint } from './gate-table.ts';

/** What the gates say of one hook, together. */
export interface Judgement {
	/** The one that decides. */
	verdict: Verdict;
	/** Of every gate that was asked, in the table's order. */
	verdicts: Verdict[];
	/** What the agent is answered; null for nothing. */
	decision: HookDecision | null;
	/** What is told beside the verdicts. */
	tells: DraftEvent[];
}

interface GateAnswer {
	row: GateRow;
	judging: Judging;
	facts: object;
	verdict: Verdict;
}

/**
 * Asks every gate that is switched on for this hook and composes what they say: deny > ask > pass (DESIGN 5). Null when
 * none has a say. A denial that a person has overridden counts as none, another one by the same rule does not (DESIGN 6).
 */
export function judgeHook(
	hook: AgentHook,
	world: GateContext,
	{ overridden = [], rows = gateTable }: { overridden?: readonly Overridden[]; rows?: readonly GateRow[] } = {},
): Judgement | null {
	const said = rows.flatMap((row) => ask(row, hook, world, overridden));
	const verdicts = said.map(({ verdict }) => verdict);
	const verdict = strictest(verdicts);
	return verdict ? { verdict, verdicts, ...answer(said, verdict, hook, world) } : null;
}

/** Whether any gate may have a say in a hook, by its point and deed alone: costs no look at a file. */
export function mayBeJudged(hook: AgentHook, rows: readonly GateRow[] = gateTable): boolean {
	return rows.some((row) => typeof row.judged !== 'string' && isFor(row, hook));
}

/** Whether any gate that is switched on has something to look at in a hook: without one, judging it gives null. */
export function isJudged(hook: AgentHook, world: GateContext, rows: readonly GateRow[] = gateTable): boolean {
	return rows.some(
		(row) => typeof row.judged !== 'string' && isAsked(row, hook, world) && row.judged.facts(hook, world) !== null,
	);
}

/** Whether a gate is asked at this hook at all; costs no look at the world. */
export function isAsked(row: GateRow, hook: AgentHook, { settings }: Pick<GateContext, 'settings'>): boolean {
	if (typeof row.judged === 'string' || !isFor(row, hook)) return false;
	return settings.gates[row.setting]?.enabled ?? row.start !== 'off';
}

function isFor({ at, deeds }: GateRow, hook: AgentHook): boolean {
	return at.includes(hook.at) && (deeds.length === 0 || ('call' in hook && deeds.includes(hook.call.deed.does)));
}

function ask(row: GateRow, hook: AgentHook, world: GateContext, overridden: readonly Overridden[]): GateAnswer[] {
	const { judged: judging } = row;
	if (typeof judging === 'string' || !isAsked(row, hook, world)) return [];
	const facts = judging.facts(hook, world);
	if (facts === null) return [];
	return [{ row, judging, facts, verdict: unlessOverridden(judging.judge(facts), overridden) }];
}

function unlessOverridden(verdict: Verdict, overridden: readonly Overridden[]): Verdict {
	if (verdict.decision === 'pass' || overridden.length === 0) return verdict;
	const denial = withFingerprint(verdict);
	return overridden.some((seen) => isSameDenial(seen, denial)) ? { ...verdict, decision: 'pass' } : verdict;
}

function answer(
	said: readonly GateAnswer[],
	{ decision }: Verdict,
	{ at }: AgentHook,
	world: GateContext,
): Pick<Judgement, 'decision' | 'tells'> {
	const speaking = said.filter(({ verdict }) => verdict.decision === decision);
	if (decision === 'pass') return { decision: allowance(speaking), tells: [] };
	const reasons = speaking.map(({ judging, facts, verdict }) => judging.directive?.(facts) ?? verdict.reason);
	const reason = reasons.join(at === 'call' ? '; ' : '\n');
	const own = speaking.find(({ judging }) => judging.message);
	const message = own?.judging.message?.(own.facts) ?? `Signalbox: ${reason}.`;
	const endsTurn = decision === 'deny' && speaking.some(({ judging }) => judging.endsTurn?.(world.settings));
	return {
		decision: { decision, reason, ...(at === 'call' && { message }), ...(endsTurn && { endsTurn }) },
		tells: speaking.flatMap(({ judging, facts }) => judging.tells?.(facts) ?? []),
	};
}

/** An explicit allow is printed only where a gate's row says so: it takes the client's own prompt away. */
function allowance(said: readonly GateAnswer[]): HookDecision | null {
	const [allowing] = said.flatMap(({ judging, verdict }) => judging.allows?.(verdict) ?? []);
	return allowing ? { decision: 'allow', ...allowing } : null;
}
