import type { PlanPhase } from '../contract/events/catalogue/judgement.ts';
import type { AgentView, SessionView } from '../contract/sessions/read-model/session-view.ts';
import { english, type Say } from '../messages/say.ts';

export interface PlanSide {
	key: string;
	task: PlanPhase['tasks'][number] | null;
	agents: AgentView[];
}

/** Pairs started agents with tasks of their name, in order of start; the last task of a name gets all that are left. */
export function planAgainstReality(
	{ plan, agents }: Pick<SessionView, 'plan' | 'agents'>,
	say: Say = english,
): {
	phases: { name: string; sides: PlanSide[] }[];
	unplanned: PlanSide[];
} {
	const left = [...agents].sort((a, b) => ((a.startedAt ?? '') < (b.startedAt ?? '') ? -1 : 1));
	const tasks = plan?.phases.flatMap((phase) => phase.tasks) ?? [];
	const isLastOf = (task: PlanPhase['tasks'][number]) => tasks.findLast(({ agent }) => agent === task.agent) === task;
	const assignAgents = (task: PlanPhase['tasks'][number]) => {
		const mine = left.filter(({ name }) => name === task.agent);
		const assigned = isLastOf(task) ? mine : mine.slice(0, 1);
		for (const agent of assigned) left.splice(left.indexOf(agent), 1);
		return assigned;
	};
	const phases = (plan?.phases ?? []).map((phase, position) => ({
		name: say('Phase {nth}', { nth: String(phase.phase ?? position + 1) }),
		sides: phase.tasks.map((task, index) => ({ key: `${position} ${index}`, task, agents: assignAgents(task) })),
	}));
	return { phases, unplanned: left.map((agent) => ({ key: agent.agentId, task: null, agents: [agent] })) };
}
