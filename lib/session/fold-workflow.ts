import type { EventOf, KnownEvent } from '../contract/events/event.ts';
import { foldWorkflowState } from '../workflow/workflow-fold.ts';
import type { SessionView } from './view.ts';

type WorkflowView = Pick<SessionView, 'workflow' | 'workflowLeftAt' | 'loop'>;

/** Whether a workflow ended and a person has asked for something else since. */
export function isWorkflowLeft({ workflow, workflowLeftAt }: WorkflowView): boolean {
	const { ended } = workflow ?? {};
	return ended !== undefined && workflowLeftAt !== undefined && workflowLeftAt >= ended.at;
}

/**
 * Folds what an event does to the workflow, by the reducer of the gate and its state files, and to the loop; gives only
 * what changed, null for other events.
 */
export function foldWorkflow(view: WorkflowView, event: KnownEvent): Partial<WorkflowView> | null {
	switch (event.type) {
		case 'prompt:submit':
			// The first prompt of a person after its end leaves a workflow behind.
			return event.source === 'user' && view.workflow?.ended && !isWorkflowLeft(view)
				? { workflowLeftAt: event.ts }
				: null;
		case 'loop:start':
		case 'loop:advance':
		case 'loop:complete':
			return { loop: foldLoop(view.loop, event) };
		default: {
			const workflow = foldWorkflowState(view.workflow ?? null, event);
			return workflow && workflow !== view.workflow ? { workflow } : null;
		}
	}
}

function foldLoop(
	loop: SessionView['loop'],
	event: EventOf<'loop:start' | 'loop:advance' | 'loop:complete'>,
): SessionView['loop'] {
	switch (event.type) {
		case 'loop:start':
			return { iteration: 0 };
		case 'loop:advance':
			return {
				iteration: event.iteration,
				...(event.progress && { progress: event.progress }),
				...(event.tasks && { tasks: event.tasks }),
			};
		case 'loop:complete': {
			const iteration = event.iteration ?? loop?.iteration ?? 0;
			return { ...loop, iteration, endedAt: event.ts, ...(event.reason && { reason: event.reason }) };
		}
	}
}
