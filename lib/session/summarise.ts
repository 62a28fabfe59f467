import { FIRST_AGENT } from '../agents/agent-table.ts';
import type { ApprovalView } from '../contract/sessions/read-model/call-view.ts';
import type { SessionSummary } from '../contract/sessions/read-model/session-summary.ts';
import type { AlarmView, SessionView } from '../contract/sessions/read-model/session-view.ts';
import { defined } from '../json/json.ts';
import { isPaused } from '../workflow/workflow-state.ts';
import { find } from './call.ts';
import { isAgentOpen } from './fold-agents.ts';
import { judgementsOf } from './judgement.ts';
import { busyOf, doingOf, statusOf } from './status.ts';
import { isWorkflowLeft, type StageView, stageProgress, stagesOf, stuckStage } from './workflow-progress.ts';

const MAX_JUDGEMENTS = 6;

/** The part of a view that lists show and every open browser gets; `now` in ms. */
export function summarise(view: SessionView, now: number): SessionSummary {
	const { calls, errors, denials, overrides, mismatches, deniedButRan, alarms, events } = view.counters;
	const { project, branch, title, startedAt, lastAt, turnAt } = view;
	const doing = doingOf(view);
	const stuck = isWorkflowLeft(view) ? undefined : stuckStage(view);
	const busy = busyOf(view);
	const quiet = quietOf(view);
	const isLeft = isWorkflowLeft(view);
	const isOver = view.workflow?.ended !== undefined;
	return {
		sessionId: view.sessionId,
		seq: view.seq,
		status: statusOf(view, now),
		agent: view.agent ?? FIRST_AGENT,
		...defined({ project, branch, title, startedAt, lastAt, turnAt, doing, busy, quiet, stuck }),
		...(view.reviewer && { reviewer: true }),
		...(view.workflow && !isLeft && { workflow: view.workflow.workflowType }),
		...(isPaused(view.workflow) && { paused: true as const }),
		stages: isLeft
			? []
			: stagesOf(view.workflow).map((stage) => ({ key: stage.key, state: stageState(stage, isOver) })),
		agents: view.agents.filter(isAgentOpen).map((agent) => agent.name),
		judgements: judgementsOf(view, now).slice(0, MAX_JUDGEMENTS),
		alarms: (view.alarms ?? []).flatMap((alarm) => raisedOrPostponed(alarm, view.handled)),
		...((view.ended ?? view.lost) && { endedAt: (view.ended ?? view.lost)?.at }),
		approvals: view.approvals.filter(({ state }) => state === 'waiting').map((approval) => withActor(approval, view)),
		counts: { calls, errors, denials, overrides, mismatches, deniedButRan, alarms, events },
		...usedBy(view),
		spark: view.activity,
	};
}

function withActor(approval: ApprovalView, { agents }: SessionView): ApprovalView {
	const actor = approval.agentId === undefined ? undefined : find(agents, 'agentId', approval.agentId)?.name;
	return actor === undefined ? approval : { ...approval, actor };
}

const usedBy = ({ usage }: SessionView): Pick<SessionSummary, 'usage'> => (usage ? { usage: usage.total } : {});

/** The workflow's end cuts off a running stage. */
export function stageState(stage: StageView, isOver = false): SessionSummary['stages'][number]['state'] {
	const status = stageProgress(stage);
	switch (status) {
		case 'active':
			return isOver ? 'pending' : 'active';
		case 'pending':
			return 'pending';
		case 'pass':
		case 'done':
			return 'done';
		case 'issues':
			return 'issues';
		default:
			return 'failed';
	}
}

/** Acknowledged alarms are removed; a postponed one returns by the reader's clock. */
function raisedOrPostponed(alarm: AlarmView, handled: SessionView['handled']): SessionSummary['alarms'] {
	const word = handled && find(handled, 'key', alarm.key);
	if (!word) return [alarm];
	return word.until === undefined ? [] : [{ ...alarm, until: word.until }];
}

/** A silence is named by its first instant. */
function quietOf({ handled, lastAt }: SessionView): SessionSummary['quiet'] {
	const word = handled && find(handled, 'key', `silent:${lastAt}`);
	if (!word || lastAt === undefined) return undefined;
	return { since: lastAt, ...(word.until !== undefined && { until: word.until }) };
}
