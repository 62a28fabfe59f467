import type { EventOf } from '../contract/event.ts';
import { readWorkflowState } from '../workflow/read-workflow-state.ts';
import type { StageState } from '../workflow/workflow-state.ts';
import type { SessionView, StageView } from './view.ts';

/** The workflow as an edited workflow.json has it: it counts from now on. A file that is no workflow changes nothing. */
export function adoptWorkflow(
	event: EventOf<'workflow:adopt'>,
): Partial<Pick<SessionView, 'workflow' | 'stages' | 'groups'>> {
	const state = event.file === 'workflow.json' ? readWorkflowState(event.state, event.sessionId) : null;
	if (!state) return {};
	const { workflowType: type, createdAt, featureName, ended, fatal, paused } = state;
	return {
		workflow: {
			type,
			...(createdAt && { startedAt: createdAt }),
			...(featureName && { featureName }),
			...(fatal && { fatal }),
			...(paused && { pausedAt: paused.at || event.ts }),
			...(ended?.how === 'abort' && { abortedAt: ended.at, ...(ended.reason && { abortReason: ended.reason }) }),
			...(ended?.how === 'complete' && { completedAt: ended.at }),
		},
		stages: Object.entries(state.stages).map(([key, stage]) => stageView(key, stage, event)),
		groups: Object.entries(state.groups ?? {}).map(([name, group]) => ({ name, stages: [], ...group })),
	};
}

function stageView(key: string, stage: StageState, { ts, id }: { ts: string; id: string }): StageView {
	const { status, mode, result, startedAt, completedAt, retries = 0, attempts = [] } = stage;
	const view = { key, starts: attempts.length, retries, ...(mode && { mode }) };
	switch (status) {
		case 'pending':
			return view;
		case 'active':
			return { ...view, starts: view.starts + 1, startedAt: startedAt || ts };
		case 'completed':
			return {
				...view,
				...(startedAt && { startedAt }),
				completedAt: completedAt || ts,
				end: { ts: completedAt || ts, id },
				...(result && { result }),
			};
	}
}
