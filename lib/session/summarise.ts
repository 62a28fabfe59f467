import { FIRST_AGENT } from '../agents/agent-table.ts';
import { isPaused } from '../workflow/workflow-state.ts';
import type { ApprovalView, CallView } from './call.ts';
import { isAgentOpen } from './fold-agent.ts';
import { isCallOpen } from './fold-call.ts';
import { isWorkflowLeft } from './fold-workflow.ts';
import { find } from './roster.ts';
import { statusOf } from './status.ts';
import type { SessionSummary } from './summary.ts';
import type { SessionView } from './view.ts';
import { type StageView, stagesOf, standingOf } from './workflow-progress.ts';

/** One list line from a view. `now` in milliseconds since the epoch, for the status. */
export function summarise(view: SessionView, now: number): SessionSummary {
	const { calls, errors, denials, overrides, mismatches, deniedButRan, alarms, events } = view.counters;
	const activity = activityOf(view);
	const isLeft = isWorkflowLeft(view);
	const isOver = view.workflow?.ended !== undefined;
	return {
		sessionId: view.sessionId,
		seq: view.seq,
		status: statusOf(view, now),
		agent: view.agent ?? FIRST_AGENT,
		...(view.project !== undefined && { project: view.project }),
		...(view.branch !== undefined && { branch: view.branch }),
		...(view.title !== undefined && { title: view.title }),
		...(view.reviewer && { reviewer: true }),
		...(view.workflow && !isLeft && { workflow: view.workflow.workflowType }),
		...(isPaused(view.workflow) && { paused: true as const }),
		stages: isLeft
			? []
			: stagesOf(view.workflow).map((stage) => ({ key: stage.key, state: stageState(stage, isOver) })),
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
	const standing = standingOf(stage);
	switch (standing) {
		case 'active':
			return isOver ? 'pending' : 'active';
		case 'pending':
			return 'pending';
		case 'pass':
		case 'done':
			return 'done';
		default:
			return 'failed';
	}
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
