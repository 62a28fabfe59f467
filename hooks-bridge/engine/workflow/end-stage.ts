import type { DraftEvent } from '#lib/contract/events/draft-event.ts';
import type { Verdict, WorkflowState } from '#lib/contract/sessions/read-model/workflow-state.ts';
import { inEnglish } from '#lib/messages/sentence.ts';
import { convergedGroup } from '#lib/workflow/next-step.ts';
import { unattendedStages } from '#lib/workflow/workflow-fold.ts';
import { limitReason, RESULT_LIMIT } from '#lib/workflow/workflow-state.ts';
import { type FlowCall, foldDrafts } from './flow-call.ts';

/** How a stage ended, and why it did not pass. */
export interface StageEnd {
	stage: string;
	verdict: Verdict;
	reason: string;
}

/** `drafts` with the end of a stage and what follows from it: retry or limit, and the convergence of its group. */
export function endStage(
	call: FlowCall,
	state: WorkflowState,
	drafts: readonly DraftEvent[],
	end: StageEnd,
): { drafts: DraftEvent[]; after: WorkflowState } {
	const { stage, verdict } = end;
	const before = foldDrafts(state, drafts, call);
	const ended: DraftEvent[] = [{ type: 'stage:complete', stage, ...verdict }, ...draftConsequence(before, end)];
	const after = foldDrafts(before, ended, call);
	const group = convergedGroup(after, stage);
	if (group !== undefined) ended.push({ type: 'parallel:converge', group });
	return { drafts: [...drafts, ...ended], after };
}

/** `ownDrafts`, and the ends of the stages that waited for an agent that is gone: by the results of the others. */
export function endWaitingStages(call: FlowCall, state: WorkflowState, ownDrafts: readonly DraftEvent[]): DraftEvent[] {
	let drafts = [...ownDrafts];
	for (const [stage, verdict] of unattendedStages(foldDrafts(state, ownDrafts, call))) {
		const reason = `one of its agents was lost, another one ended with ${verdict.result.toUpperCase()}`;
		drafts = endStage(call, state, drafts, { stage, verdict, reason }).drafts;
	}
	return drafts;
}

/** After a bad result the stage is repeated; after the third a person must decide. */
function draftConsequence(state: WorkflowState, { stage, verdict: { result }, reason: why }: StageEnd): DraftEvent[] {
	if (result === 'pass') return [];
	const { failCount, rejectCount, retroCount, unclearCount = 0 } = state;
	const count = { fail: failCount, reject: rejectCount, issues: retroCount, unclear: unclearCount }[result] + 1;
	const counts = { fail: { failCount: count }, reject: { rejectCount: count }, issues: { retroCount: count } };
	const counted = result === 'unclear' ? {} : counts[result];
	// ISSUES need no repair: a retry is recorded when one begins.
	if (count < RESULT_LIMIT) return result === 'issues' ? [] : [{ type: 'stage:retry', stage, ...counted, reason: why }];
	const reason = inEnglish(limitReason(stage, result, count));
	return [{ type: 'error:fatal', reason, ...(result === 'issues' ? {} : counted) }];
}
