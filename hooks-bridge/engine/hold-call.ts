import type { AgentHook, HookAt } from '#lib/agents/agent-hook.ts';
import type { ToolCall } from '#lib/agents/tool-call.ts';
import type { Denial } from '#lib/contract/events/catalogue/approval.ts';
import { gateById, withFingerprint } from '#lib/gates/gate-table.ts';
import type { Judgement } from '#lib/gates/judge-hook.ts';
import type { Settings } from '#lib/settings/settings.ts';
import type { HeldCall, HookRun, ReadPorts } from '../ports/ports.ts';
import { digestOfCall } from './event-ids.ts';
import type { HookContext } from './facts.ts';

/** A call that gates deny, with everything that is needed to release it; undefined if they let it pass. */
export function holdCall(
	judgement: Judgement,
	hook: HookAt<'call'>,
	run: HookRun,
	{ settings, ports }: HookContext,
): HeldCall | undefined {
	const { verdict, decision } = judgement;
	if (verdict.decision === 'pass' || !decision) return undefined;
	return {
		...waitingCall(hook, hook.call, run, ports),
		denials: denialsOf(judgement),
		mayWait: mayHold(judgement, settings),
		decision,
		form: decision.endsTurn ? 'stop' : 'deny',
		facts: verdict.facts,
	};
}

const OFFER = 'If the call is needed, tell your user: a person can allow a retry of it in Signalbox.';

/**
 * Adds to a denial that a person can allow a retry: if a server can ask one and does not only observe, the agent reads the
 * reason, and a retry would be recognised as the same question.
 */
export function offerRetry(judgement: Judgement, run: HookRun, { observe }: Pick<Settings, 'observe'>): Judgement {
	const { decision } = judgement;
	if (!run.served || observe || decision?.decision !== 'deny' || decision.endsTurn) return judgement;
	if (denialsOf(judgement).some(({ fingerprint }) => fingerprint === undefined)) return judgement;
	return { ...judgement, decision: { ...decision, reason: `${decision.reason}. ${OFFER}` } };
}

/** The fields of every held call about the call itself and about the hook that waits. */
export function waitingCall(
	hook: AgentHook,
	call: Pick<ToolCall, 'tool' | 'input'>,
	run: HookRun,
	ports: Pick<ReadPorts, 'digest'>,
) {
	const { sessionId, agentId, toolUseId } = hook;
	const { tool, input } = call;
	return { sessionId, agentId, toolUseId, tool, input, inputDigest: digestOfCall(call, hook, ports), hook, run };
}

/** The denials of a judgement's gates, each with its fingerprint. */
export function denialsOf({ verdicts }: Judgement): Denial[] {
	return verdicts.filter(({ decision }) => decision !== 'pass').map(withFingerprint);
}

/** Whether every gate that denies leaves the decision to a person. */
function mayHold({ verdicts }: Judgement, { gates }: Settings): boolean {
	return verdicts.every(({ decision, gate }) => decision === 'pass' || isHeld(gate, gates));
}

/** Whether the settings leave a gate's denial to a person. */
export function isHeld(gate: string, gates: Settings['gates']): boolean {
	const switches: Readonly<Record<string, { hold: boolean } | undefined>> = gates;
	return switches[gateById(gate)?.setting ?? '']?.hold === true;
}
