import type { HookAt } from '#lib/agents/agent-hook.ts';
import type { HookDecision } from '#lib/contract/catalogue/judgement.ts';
import type { DraftEvent } from '#lib/contract/draft-event.ts';
import type { GateRow } from '#lib/gates/gate-row.ts';
import { gateTable } from '#lib/gates/gate-table.ts';
import { isAsked, type Judgement, judgeHook } from '#lib/gates/judge-hook.ts';
import type { World } from './create-world.ts';
import { holdCall } from './hold-call.ts';
import { offerRetry } from './offer-retry.ts';
import type { HeldCall, HookRun, Ports, WantedAssessment } from './ports.ts';
import { unratedSpawn } from './validators/unrated-spawn.ts';
import { wantAssessment } from './validators/want-assessment.ts';
import { startDrafts } from './workflow/start-drafts.ts';

/** What the gates make of a call: what is told of it, what it is answered, and whether it starts now. */
export interface CallDecided {
	events: DraftEvent[];
	decision: HookDecision | null;
	/** Some gate had a say in it. */
	isJudged: boolean;
	/** Its effects begin now: no gate objects, and no model is asked first. */
	starts: boolean;
	/** Why the profile answers instead: nobody could judge, although nothing speaks against the call. */
	unjudged?: string;
	held?: HeldCall;
	assess?: WantedAssessment;
}

/**
 * Judges a call and says what is told of it: the verdicts, and only of a call that nothing objects to its start. `began` is
 * when the judging began, in milliseconds since the epoch.
 */
export function decideCall(hook: HookAt<'call'>, run: HookRun, world: World, ports: Ports, began: number): CallDecided {
	const judged = judgeHook(hook, world);
	const objected = judged !== null && judged.verdict.decision !== 'pass';
	const unjudged = objected ? undefined : blindness(hook, run, world);
	if (unjudged !== undefined) return { events: [], decision: null, isJudged: false, starts: false, unjudged };
	const judgement = judged && offerRetry(judged, run, world.settings);
	const { deed } = hook.call;
	const decision = judgement?.decision ?? null;
	const events = judgement ? verdictDrafts(judgement, hook, ports.now() - began) : [];
	const assess = objected ? undefined : wantAssessment({ hook, run, world, decision }, ports);
	if (assess?.validator === 'spawn' && !assess.deferred) events.push(...unratedSpawn(hook.call));
	const starts = !objected && !(assess?.validator === 'spawn' && assess.deferred);
	if (starts && deed.does === 'start-agent') events.push(...startDrafts(deed.asked, world.workflow()));
	const held = judgement && !assess ? holdCall(judgement, hook, run, world.settings, ports) : undefined;
	return { events, decision, isJudged: judgement !== null, starts, ...(held && { held }), ...(assess && { assess }) };
}

/** Why nothing can be judged although nothing speaks against the call, where the hook denies what nobody could judge. */
function blindness(hook: HookAt<'call'>, { profile }: HookRun, world: World): string | undefined {
	if (profile !== 'closed') return undefined;
	const rows: readonly GateRow[] = gateTable;
	const blind = rows.map((row) =>
		typeof row.judged !== 'string' && row.profile === 'closed' && isAsked(row, hook, world)
			? row.judged.blind?.(world.settings)
			: undefined,
	);
	return blind.find((reason) => reason !== undefined);
}

/** What is answered stands with the verdict that decides: a repeated run finds it there. */
function verdictDrafts(
	{ verdict: decisive, verdicts, decision, tells }: Judgement,
	hook: HookAt<'call'>,
	durationMs: number,
): DraftEvent[] {
	const objects = decisive.decision !== 'pass';
	const form = objects ? { form: decision?.endsTurn ? ('stop' as const) : ('deny' as const) } : {};
	const told = verdicts.map((verdict): DraftEvent => {
		const answered = verdict === decisive ? { ...form, answer: decision } : {};
		return { type: 'gate:verdict', ...verdict, durationMs, hook: hook.name, ...answered };
	});
	return [...told, ...tells];
}
