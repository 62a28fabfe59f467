import type { AgentHook, HookAt } from '#lib/agents/agent-hook.ts';
import type { DraftEvent } from '#lib/contract/events/draft-event.ts';
import type { GateRow } from '#lib/gates/gate.ts';
import { gateTable } from '#lib/gates/gate-table.ts';
import { isAsked, type Judgement, judgeHook } from '#lib/gates/judge-hook.ts';
import type { HookRun } from '../ports/ports.ts';
import { enforceSandbox } from './enforce-sandbox.ts';
import type { HookContext } from './facts.ts';
import { holdCall, offerRetry } from './hold-call.ts';
import { markTask } from './routing/decide-route.ts';
import { type Ruling, tellOnly } from './ruling.ts';
import { draftUnrated } from './validators/draft-unrated.ts';
import { wantAssessment } from './validators/want-assessment.ts';
import { draftStart } from './workflow/draft-start.ts';

/**
 * What the gates make of a call: their verdicts, and only of a call that nothing objects to, and that no model is asked of
 * first, what its start means. `began` is when the judging began, in milliseconds since the epoch.
 */
export function decideCall(hook: HookAt<'call'>, run: HookRun, world: HookContext, began: number): Ruling {
	const judged = judgeHook(hook, world);
	const objected = judged !== null && judged.verdict.decision !== 'pass';
	const unjudged = objected ? undefined : findBlindness(hook, run, world);
	if (unjudged !== undefined) return { decision: null, events: [], effects: [], unjudged };
	const judgement = judged && offerRetry(enforceSandbox(judged, hook.call, world), run, world.settings);
	const decision = judgement?.decision ?? null;
	const verdicts = judgement ? draftVerdicts(judgement, hook, world.sight.now() - began) : [];
	const assess = objected ? undefined : wantAssessment(hook, run, world, decision);
	const isRating = assess?.validator === 'spawn';
	const unrated = isRating && !assess.deferred ? draftUnrated(hook.call) : [];
	const starts = !objected && !(isRating && assess.deferred);
	const asked = starts && hook.call.deed.does === 'start-agent' ? hook.call.deed.asked : undefined;
	const held = judgement && !assess ? holdCall(judgement, hook, run, world) : undefined;
	return {
		decision,
		events: [...verdicts, ...unrated, ...(asked ? draftStart(asked, world.workflow()) : [])],
		effects: asked ? markTask(world, asked.type, { how: 'executing' }) : [],
		...(judgement && { isJudged: true }),
		...(held && { held }),
		...(assess && { assess }),
	};
}

/** What the gates make of anything but a call and the end of a turn. */
export function decideEnd(hook: AgentHook, world: HookContext): Ruling {
	const began = world.sight.now();
	const judgement = judgeHook(hook, world);
	if (judgement === null) return tellOnly([]);
	const events = draftVerdicts(judgement, hook, world.sight.now() - began);
	return { decision: judgement.decision, events, effects: [] };
}

/** Why nothing can be judged although nothing speaks against the call, where the hook denies what nobody could judge. */
function findBlindness(hook: HookAt<'call'>, { profile }: HookRun, world: HookContext): string | undefined {
	if (profile !== 'closed') return undefined;
	const rows: readonly GateRow[] = gateTable;
	const blind = rows.map((row) =>
		typeof row.judged !== 'string' && row.profile === 'closed' && isAsked(row, hook, world)
			? row.judged.blind?.(world.settings)
			: undefined,
	);
	return blind.find((reason) => reason !== undefined);
}

/** The verdicts as they are told: what is answered stands with the one that decides, where a repeated run finds it. */
export function draftVerdicts(
	{ verdict: decisive, verdicts, decision, tells }: Judgement,
	{ at, name }: AgentHook,
	durationMs: number,
): DraftEvent[] {
	const isForm = at === 'call' && decisive.decision !== 'pass';
	const form = isForm ? { form: decision?.endsTurn ? ('stop' as const) : ('deny' as const) } : {};
	const told = verdicts.map((verdict): DraftEvent => {
		const answered = verdict === decisive ? { ...form, answer: decision } : {};
		return { type: 'gate:verdict', ...verdict, durationMs, hook: name, ...answered };
	});
	return [...told, ...tells];
}
