import type { PlanPhase } from '../contract/events/catalogue/judgement.ts';
import { english, type Say } from '../messages/say.ts';
import type { AgentView, SessionView } from './view.ts';

/** One line of plan beside reality: what was planned, and the agents that started for it. */
export interface PlanSide {
	key: string;
	task: PlanPhase['tasks'][number] | null;
	agents: AgentView[];
}

/**
 * Puts the agents that started beside the tasks of the plan, in order of their start: the first task of a name gets
 * the first agent, the last task of that name all that are left. Agents of other names are unplanned.
 */
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
	const take = (task: PlanPhase['tasks'][number]) => {
		const mine = left.filter(({ name }) => name === task.agent);
		const taken = isLastOf(task) ? mine : mine.slice(0, 1);
		for (const agent of taken) left.splice(left.indexOf(agent), 1);
		return taken;
	};
	const phases = (plan?.phases ?? []).map((phase, at) => ({
		name: say('Phase {nth}', { nth: String(phase.phase ?? at + 1) }),
		sides: phase.tasks.map((task, place) => ({ key: `${at} ${place}`, task, agents: take(task) })),
	}));
	return { phases, unplanned: left.map((agent) => ({ key: agent.agentId, task: null, agents: [agent] })) };
}
