import type { StuckStage } from '../contract/sessions/read-model/session-summary.ts';
import { tell } from '../messages/tell.ts';
import { isPaused, isRunning } from '../workflow/workflow-state.ts';
import { isAgentOpen } from './fold-agent.ts';
import type { SessionView } from './view.ts';
import { standingOf, workflowProgress } from './workflow-progress.ts';

type Stuck = Pick<SessionView, 'workflow' | 'agents' | 'turn' | 'turnAt' | 'lastAt' | 'ended' | 'lost' | 'startedAt'>;

/**
 * What of a workflow waits for a person: a limit was reached, or stages failed and the agent rests. An agent at work
 * repairs them itself, and a person who paused it knows.
 */
export function stuckStage(view: Stuck): StuckStage | undefined {
	const { workflow, agents, turn, turnAt, lastAt, startedAt } = view;
	if (!isRunning(workflow) || isPaused(workflow) || view.ended || view.lost) return undefined;
	const { failed } = workflowProgress({ workflow, agents });
	const stages = failed.map(({ key }) => key);
	const { fatal } = workflow;
	if (fatal) return { stages, why: fatal.reason, at: fatal.at };
	if (failed.length === 0 || turn === 'running' || agents.some(isAgentOpen)) return undefined;
	const why =
		failed.map(
			(stage) => stage.again ?? tell('{stage} ended with {result}', { stage: stage.key, result: standingOf(stage) }),
		)[0] ?? '';
	return { stages, why, at: turnAt ?? lastAt ?? startedAt ?? '' };
}
