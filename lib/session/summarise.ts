import type { ApprovalView, CallView } from './call.ts';
import { isAgentOpen } from './fold-agent.ts';
import { isCallOpen } from './fold-call.ts';
import { isStageActive, isWorkflowLeft, isWorkflowPaused, isWorkflowRunning } from './fold-workflow.ts';
import { find } from './roster.ts';
import { statusOf } from './status.ts';
import type { SessionSummary } from './summary.ts';
import type { SessionView, StageView } from './view.ts';

/** One list line from a view. `now` in milliseconds since the epoch, for the status. */
export function summarise(view: SessionView, now: number): SessionSummary {
	const { calls, errors, denials, overrides, mismatches, deniedButRan, alarms, events } = view.counters;
	const activity = activityOf(view);
	const isLeft = isWorkflowLeft(view.workflow);
	const isOver = view.workflow !== undefined && !isWorkflowRunning(view.workflow);
	return {
		sessionId: view.sessionId,
		seq: view.seq,
		status: statusOf(view, now),
		...(view.project !== undefined && { project: view.project }),
		...(view.branch !== undefined && { branch: view.branch }),
		...(view.title !== undefined && { title: view.title }),
		...(view.reviewer && { reviewer: true }),
		...(view.workflow && !isLeft && { workflow: view.workflow.type }),
		...(isWorkflowPaused(view.workflow) && { paused: true as const }),
		stages: isLeft ? [] : view.stages.map((stage) => ({ key: stage.key, state: stageState(stage, isOver) })),
		agents: view.agents.filter(isAgentOpen).map((agent) => agent.name),
		...(activity && { activity }),
		...(view.startedAt !== undefined && { startedAt: view.startedAt }),
		...(view.lastAt !== undefined && { lastAt: view.lastAt }),
		...((view.ended ?? view.lost) && { endedAt: (view.ended ?? view.lost)?.at }),
		...(view.turnAt !== undefined && { turnAt: view.turnAt }),
		approvals: view.approvals.filter(({ state }) => state === 'waiting').map((asked) => withActor(asked, view)),
		counts: { calls, errors, denials, overrides, mismatches, deniedButRan, alarms, events },
		spark: view.activity,
	};
}

function withActor(approval: ApprovalView, { agents }: SessionView): ApprovalView {
	const actor = approval.agentId === undefined ? undefined : find(agents, 'agentId', approval.agentId)?.name;
	return actor === undefined ? approval : { ...approval, actor };
}

/** How a stage stands, in one word; one that was cut off by the workflow's end is as one that never came to an end. */
export function stageState(stage: StageView, isOver = false): SessionSummary['stages'][number]['state'] {
	if (isStageActive(stage)) return isOver ? 'pending' : 'active';
	if (!stage.completedAt) return 'pending';
	return stage.result && stage.result !== 'pass' ? 'failed' : 'done';
}

function activityOf(view: SessionView): string | undefined {
	if (view.ended || view.lost) return undefined;
	if (view.failure) return view.failure;
	const open = view.calls.filter(isCallOpen);
	const newest = open.reduce<CallView | undefined>(
		(last, call) => (!last || call.seq > last.seq ? call : last),
		undefined,
	);
	if (newest) return `${newest.tool} ${newest.title}`;
	return view.turn === 'running' ? undefined : view.lastMessage;
}
