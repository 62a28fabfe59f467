import { randomUUID } from 'node:crypto';
import {
	pauseWorkflow,
	resumeWorkflow,
	startWorkflow,
	stopLoop,
	stopWorkflow,
	type WorkflowChanged,
	type WorkflowService,
	workflowStatus,
} from '#hooks-bridge/engine/workflow/run-workflow.ts';
import type { Ports } from '#hooks-bridge/ports/ports.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { Decider } from '#lib/contract/events/catalogue/approval.ts';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import type { WorkflowActionBody, WorkflowOutcome } from '#lib/contract/sessions/session-actions.ts';
import type { JournalStore } from '../../timeline/store/journal-store.ts';

type Actor = Decider | { role: 'chat'; via: 'telegram' };

/** What people can do with a session's workflow, on a page or from a chat. */
export function createWorkflowControl(options: {
	ports: Ports;
	journal: Pick<JournalStore, 'append'>;
	viewOf(sessionId: string): SessionView | undefined;
}) {
	const { ports, journal, viewOf } = options;
	return {
		/** As `signalbox workflow`. The journal records the request first. Throws `session/not-found` or `workflow/...`. */
		async act(sessionId: string, body: WorkflowActionBody, by: Actor): Promise<WorkflowOutcome> {
			const view = viewOf(sessionId);
			if (!view) throw new AppError('session/not-found');
			if (body.action === 'start' && (view.ended ?? view.lost)) throw new AppError('workflow/session-over');
			const id = randomUUID();
			const payload = { setting: 'workflow', ...body, by };
			await journal.append({ id, kind: 'setting:change', subject: `session:${sessionId}`, sessionId, payload });
			const project = view.cwd === undefined ? '' : ports.projectRootOf(view.cwd);
			return act({ sessionId, project, requestId: id, ports }, body, by);
		},
	};
}

export type WorkflowControl = ReturnType<typeof createWorkflowControl>;

function act(service: WorkflowService, body: WorkflowActionBody, { role }: Actor): WorkflowOutcome {
	switch (body.action) {
		case 'start': {
			const { type, feature } = body;
			if (feature !== undefined && service.project === '') {
				throw new AppError('workflow/feature', 'Where this session works is not known, so a feature cannot be opened.');
			}
			const started = startWorkflow(service, type, feature);
			if (!started.ok) throw new AppError(started.code, started.detail);
			return { type, how: started.how, ...(feature !== undefined && { feature }) };
		}
		case 'pause':
			return outcomeOf(pauseWorkflow(service), 'paused');
		case 'resume':
			return outcomeOf(resumeWorkflow(service), 'resumed');
		case 'stop-loop':
			return outcomeOf(stopLoop(service), 'loop-stopped');
		case 'stop':
			if (!stopWorkflow(service, role === 'chat' ? 'stopped from a chat' : undefined))
				throw new AppError('workflow/state', 'No workflow runs in this session.');
			return { type: workflowStatus(service.ports, service.sessionId)?.workflow.workflowType ?? '', how: 'stopped' };
	}
}

function outcomeOf(done: WorkflowChanged, how: WorkflowOutcome['how']): WorkflowOutcome {
	if (!done.ok) throw new AppError(done.code, done.detail);
	return { type: done.state.workflowType, how };
}
