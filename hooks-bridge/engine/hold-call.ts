import type { AgentHook, HookAt } from '#lib/agents/agent-hook.ts';
import type { ToolCall } from '#lib/agents/tool-call.ts';
import type { Denial } from '#lib/contract/events/catalogue/approval.ts';
import type { HookDecision } from '#lib/contract/events/catalogue/judgement.ts';
import { gateById, type Judgement, withFingerprint } from '#lib/gates/gate-table.ts';
import type { Settings } from '#lib/settings/settings.ts';
import { printable } from '#lib/text/printable.ts';
import type { DeniedCall, HookRun, PersonsDecision, ReadPorts } from '../ports/ports.ts';
import { digestOfCall } from './draft-events.ts';
import type { HookContext } from './facts.ts';

/** A call that gates deny, with everything that is needed to release it; undefined if they let it pass. */
export function holdCall(
	judgement: Judgement,
	hook: HookAt<'call'>,
	run: HookRun,
	{ settings, ports }: HookContext,
): DeniedCall | undefined {
	const { verdict, decision } = judgement;
	if (verdict.decision === 'pass' || !decision) return undefined;
	return {
		...waitingCall(hook, hook.call, run, ports),
		denials: denialsOf(judgement),
		asksPerson: mayHold(judgement, settings),
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

const MOST_SUGGESTIONS = 20;

/**
 * Holds the client's own permission prompt or question like a denial, with an empty verdict: without a decision the
 * terminal's dialog remains. Undefined if no person is asked here.
 */
export function holdPermission(
	hook: HookAt<'permission'>,
	run: HookRun,
	{ settings, ports }: HookContext,
): DeniedCall | undefined {
	if (!settings.holdsPrompts) return undefined;
	return {
		...waitingCall(hook, hook.call, run, ports),
		denials: [],
		asksPerson: true,
		decision: null,
		form: 'deny',
		facts: {},
		permission: { suggestions: hook.suggestions.slice(0, MOST_SUGGESTIONS) },
	};
}

/** The output for a person's decision about a permission prompt. Only the client's own suggestions become rules. */
export function decidePermission(
	{ permission }: Pick<DeniedCall, 'permission'>,
	decided: PersonsDecision,
): HookDecision {
	const { decision, stop, updatedInput: input, suggestions = [] } = decided;
	if (decision === 'deny') {
		const words = decided.reason === undefined ? '' : printable(decided.reason, 1000);
		const reason = `Denied in Signalbox by an operator${words && `: "${words}"`}`;
		return { decision, reason, ...(stop && { endsTurn: true }) };
	}
	const offered = permission?.suggestions ?? [];
	const rules = suggestions.map((at) => offered[at]).filter((rule) => typeof rule === 'object' && rule !== null);
	return { decision: 'allow', ...(input && { input }), ...(rules.length > 0 && { rules }) };
}
