import type { AgentHook, HookAt } from '#lib/agents/agent-hook.ts';
import type { ToolCall } from '#lib/agents/tool-call.ts';
import type { DraftEvent } from '#lib/contract/events/event.ts';
import { SPAWN_GATE } from '#lib/contract/events/event-labels.ts';
import type { GateRow } from '#lib/gates/gate.ts';
import { type ConcernedGate, gateTable, isGateActive, type Judgement, judgeHook } from '#lib/gates/gate-table.ts';
import { printable } from '#lib/text/printable.ts';
import { spawnRequest } from '#lib/validators/spawn-request.ts';
import type { HookRun } from '../ports/ports.ts';
import { enforceSandbox } from './enforce-sandbox.ts';
import type { HookContext } from './facts.ts';
import { holdCall, offerRetry } from './hold-call.ts';
import { markTask } from './routing/decide-route.ts';
import { eventsOnly, type Ruling } from './ruling.ts';
import { wantAssessment } from './validators/want-assessment.ts';
import { draftStart } from './workflow/draft-start.ts';

/**
 * The gates' verdicts on a call. Only if none objects and no model is to be asked first, also the meaning of its start. `began`
 * is when the judging began, in milliseconds since the epoch.
 */
export function decideCall(
	hook: HookAt<'call'>,
	run: HookRun,
	context: HookContext,
	{ began, concerned }: { began: number; concerned: readonly ConcernedGate[] },
): Ruling {
	const judged = judgeHook(hook, context, { concerned });
	const objected = judged !== null && judged.verdict.decision !== 'pass';
	const unjudged = objected ? undefined : whyUnable(hook, run, context);
	if (unjudged !== undefined) return { decision: null, events: [], effects: [], unjudged };
	const judgement = judged && offerRetry(enforceSandbox(judged, hook.call, context), run, context.settings);
	const decision = judgement?.decision ?? null;
	const verdicts = judgement ? draftVerdicts(judgement, hook, context.ports.now() - began) : [];
	const assess = objected ? undefined : wantAssessment(hook, run, context, decision);
	const rating = assess?.validator === 'spawn' ? assess : undefined;
	const unrated = rating?.hookWaits === false ? draftUnrated(hook.call) : [];
	const starts = !objected && !rating?.hookWaits;
	const request = starts && hook.call.deed.does === 'start-agent' ? hook.call.deed.requestedAgent : undefined;
	const held = judgement && !assess ? holdCall(judgement, hook, run, context) : undefined;
	return {
		decision,
		events: [...verdicts, ...unrated, ...(request ? draftStart(request, context.workflow()) : [])],
		effects: request ? markTask(context, request.type, { how: 'executing' }) : [],
		...(judgement && { isJudged: true }),
		...(held && { held }),
		...(assess && { assess }),
	};
}

/** The gates' verdicts on any hook but a call and the end of a turn. */
export function decideEnd(hook: AgentHook, context: HookContext): Ruling {
	const began = context.ports.now();
	const judgement = judgeHook(hook, context);
	if (judgement === null) return eventsOnly([]);
	const events = draftVerdicts(judgement, hook, context.ports.now() - began);
	return { decision: judgement.decision, events, effects: [] };
}

/** Why nothing can be judged, for a hook that then denies; undefined if it can. */
function whyUnable(hook: HookAt<'call'>, { profile }: HookRun, context: HookContext): string | undefined {
	if (profile !== 'closed') return undefined;
	const rows: readonly GateRow[] = gateTable;
	const reasons = rows.map((row) =>
		typeof row.judged !== 'string' && row.profile === 'closed' && isGateActive(row, hook, context)
			? row.judged.blind?.(context.settings)
			: undefined,
	);
	return reasons.find((reason) => reason !== undefined);
}

/** The verdicts as events: the answer is recorded with the deciding one, where a repeated run finds it. */
export function draftVerdicts(
	{ verdict: decisive, verdicts, decision, records }: Judgement,
	{ at, name }: AgentHook,
	durationMs: number,
): DraftEvent[] {
	const isForm = at === 'call' && decisive.decision !== 'pass';
	const form = isForm ? { form: decision?.endsTurn ? ('stop' as const) : ('deny' as const) } : {};
	const verdictEvents = verdicts.map((verdict): DraftEvent => {
		const answered = verdict === decisive ? { ...form, answer: decision } : {};
		return { type: 'gate:verdict', ...verdict, durationMs, hook: name, ...answered };
	});
	return [...verdictEvents, ...records];
}

/** The events of a start that cannot be rated now: it counts as moderate and may run (seed 002). */
function draftUnrated(call: ToolCall): DraftEvent[] {
	const subject = printable(spawnRequest(call)?.description ?? '', 300);
	const reason = 'no model was asked, so the task counts as moderate';
	return [
		{
			type: 'gate:verdict',
			gate: SPAWN_GATE,
			decision: 'pass',
			rule: 'spawn.unrated',
			reason,
			facts: { subject, rating: 'moderate', fallback: true },
			hook: 'PreToolUse',
		},
		{
			type: 'validator:assessment',
			validator: SPAWN_GATE,
			allowed: true,
			rating: 'moderate',
			reasoning: 'Nobody rated the task; it counts as moderate.',
			subject,
			fallback: true,
			fallbackReason: 'no model configured',
		},
	];
}
