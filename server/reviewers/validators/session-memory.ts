import { join } from 'node:path';
import { findPlan } from '#hooks-bridge/engine/facts.ts';
import { stateFolder } from '#hooks-bridge/features/feature-folders.ts';
import { readTasks } from '#hooks-bridge/features/tasks-document.ts';
import type { Ports } from '#hooks-bridge/ports/ports.ts';
import type { IndexedEvent, SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { isFeatureName } from '#lib/features/feature-name.ts';
import { boxTasks } from '#lib/validators/listed-tasks.ts';
import { planTasks } from '#lib/validators/plan-tasks.ts';
import { type SessionTasks, sessionTasks } from '#lib/validators/session-tasks.ts';
import { type Task, withBlocked } from '#lib/validators/task.ts';
import type { SessionReads } from '../../timeline/store/session-reads.ts';

/** The last events of a session that are looked through for tasks. */
const REACH = 10_000;
const PAGE = 500;

/** Where the tasks of sessions come from. */
export interface MemorySource {
	reads: Pick<SessionReads, 'events'>;
	viewOf: (sessionId: string) => SessionView | undefined;
	ports: Ports;
}

/** The tasks that a session's events tell. Lets the event loop turn between pages. */
export async function readSessionTasks({ reads, viewOf }: MemorySource, sessionId: string): Promise<SessionTasks> {
	const last = viewOf(sessionId)?.seq ?? 0;
	const events: IndexedEvent[] = [];
	for (let after = Math.max(0, last - REACH); after < last; ) {
		const page = await reads.events(sessionId, { after, limit: PAGE });
		events.push(...page.filter(({ type }) => TOLD.has(type)));
		const end = page.at(-1);
		if (!end) break;
		after = end.seq;
		await new Promise(setImmediate);
	}
	return sessionTasks(events);
}

const TOLD = new Set(['tool:call', 'tool:result', 'agent:start', 'todo:update']);

/** Everything that a session has to do: its client's tasks, the actor's todos, its feature's boxes and its plan. */
export function allTasks(
	source: MemorySource,
	told: SessionTasks,
	{ sessionId, agentId, root }: { sessionId: string; agentId?: string; root: string },
): Task[] {
	const feature = source.viewOf(sessionId)?.workflow?.featureName;
	const boxes =
		root !== '' && isFeatureName(feature)
			? boxTasks(readTasks(root, join(root, stateFolder('in-progress'), feature)).boxes)
			: [];
	const plan = findPlan(root, source.ports).found?.plan;
	const todos = told.todos.get(agentId ?? '') ?? [];
	return withBlocked([...told.tasks, ...todos, ...boxes, ...(plan ? planTasks(plan) : [])]);
}
