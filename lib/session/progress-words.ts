import { english, type Say } from '../messages/say.ts';
/**
 * How far a loop's event says that it is, as a page says it: `4 of 8 stages, 1 of 3 tasks`. What is no such figure stays
 * as it came; older lines count stages and tasks as one.
 */
export function progressWords({ progress, tasks }: { progress?: string; tasks?: string }, say: Say = english): string {
	const stages = progress && figure(progress, say);
	if (tasks === undefined || !stages) return stages ?? '';
	const boxes = tasks.endsWith('/0') ? [] : [say('{share} tasks', { share: figure(tasks, say) })];
	return [say('{share} stages', { share: stages }), ...boxes].join(say(', '));
}

function figure(text: string, say: Say): string {
	const [, done, total] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
	return done === undefined || total === undefined ? text : say('{done} of {total}', { done, total });
}
