/**
 * How far a loop's event says that it is, as a page says it: `4 of 8 stages, 1 of 3 tasks`. What is no such figure stays
 * as it came; older lines count stages and tasks as one.
 */
export function progressWords({ progress, tasks }: { progress?: string; tasks?: string }): string {
	const stages = progress && figure(progress);
	if (tasks === undefined || !stages) return stages ?? '';
	return [`${stages} stages`, ...(tasks.endsWith('/0') ? [] : [`${figure(tasks)} tasks`])].join(', ');
}

const figure = (text: string) => text.replace(/^(\d+)\/(\d+)$/, '$1 of $2');
