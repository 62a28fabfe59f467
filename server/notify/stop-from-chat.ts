import { randomUUID } from 'node:crypto';
import type { Ports } from '#hooks-bridge/ports.ts';
import { stopWorkflow, workflowStatus } from '#hooks-bridge/workflow/run-workflow.ts';
import { isRunning } from '#lib/workflow/workflow-state.ts';
import type { JournalStore } from '../store/journal-store.ts';

/**
 * Stops a session's workflow and its loop because a listed chat said so; false when none runs. A chat may brake,
 * never allow: nothing that was denied can be let through from there.
 */
export async function stopFromChat(
	sessionId: string,
	ports: Ports,
	journal: Pick<JournalStore, 'append'>,
): Promise<boolean> {
	const found = workflowStatus(ports, sessionId);
	if (!found || !isRunning(found.workflow)) return false;
	const payload = { setting: 'workflow', action: 'stop', by: { via: 'telegram' } };
	await journal.append({ id: randomUUID(), kind: 'setting:change', subject: `workflow:${sessionId}`, payload });
	return stopWorkflow({ sessionId, project: '', requestId: randomUUID(), ports }, 'stopped from a chat');
}
