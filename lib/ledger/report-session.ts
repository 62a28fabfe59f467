import type { DecisionRecord } from '../contract/archives/decisions.ts';
import type { SessionView, SupervisorView } from '../contract/sessions/read-model/session-view.ts';
import { isAgentOpen } from '../session/fold-agents.ts';
import { judgementsOf } from '../session/judgement.ts';
import { statusOf } from '../session/status.ts';
import { nextStep, stageLine } from '../workflow/next-step.ts';
import { personOf } from './ledger-filter.ts';

/**
 * The state of a session for a program: its stage, plan and agents, what was denied, what waits for a person and until when.
 * `decisions` are its lines of the ledger, newest first; `now` in ms. All texts in it are from agents and people.
 */
export function reportSession(view: SessionView, decisions: readonly DecisionRecord[], now: number) {
	const { sessionId, project, branch, title, workflow, plan, supervisor, counters, usage } = view;
	return {
		sessionId,
		project,
		branch,
		title,
		status: statusOf(view, now),
		stage: workflow && { workflow: workflow.workflowType, progress: stageLine(workflow), next: nextStep(workflow) },
		plan: plan && { planId: plan.planId, status: plan.status, phases: plan.phases },
		agents: view.agents
			.filter(isAgentOpen)
			.map(({ name, description, startedAt }) => ({ name, description, startedAt })),
		waitsForAPerson: view.approvals
			.filter(({ state }) => state === 'waiting')
			.map(({ title: what, tool, denials, requestedAt, deadline }) => ({ what, tool, denials, requestedAt, deadline })),
		denied: decisions
			.filter(({ isDenied }) => isDenied)
			.map((line) => {
				const { title: what, tool, denials, state, outcome, reason, at } = line;
				return { what, tool, denials, state, outcome, decidedBy: personOf(line), reason, at };
			}),
		supervisor: supervisor.slice(-1).map(pickReview)[0],
		judgements: judgementsOf(view, now).map(({ by, text, since, until }) => ({ by, text, since, until })),
		counts: counters,
		usage,
	};
}

const pickReview = ({ allow, feedback, iteration, max, deadline, by }: SupervisorView) => ({
	allow: allow ?? null,
	feedback,
	iteration,
	max,
	deadline,
	by,
});
