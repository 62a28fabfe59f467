import { isJson, textOf } from '../../agents/claude-code/json.ts';

const OVER: readonly unknown[] = ['completed', 'failed', 'killed', 'stopped', 'cancelled'];

/** The ids of sub-agents that go on behind the turn, from a Stop's `background_tasks`; null where a client lists none. */
export function runningSubagents(listed: unknown): string[] | null {
	if (!Array.isArray(listed)) return null;
	return listed.flatMap((task) =>
		isJson(task) && task.type === 'subagent' && !OVER.includes(task.status) ? [textOf(task.id, 128) ?? ''] : [],
	);
}
