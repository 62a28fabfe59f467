import type { TaskPriority } from './task.ts';

/** Words for a priority in any list that agents and people keep. */
const WORDS: Readonly<Record<string, TaskPriority>> = {
	...{ critical: 'critical', urgent: 'critical', blocker: 'critical', p0: 'critical' },
	...{ high: 'high', p1: 'high', medium: 'medium', normal: 'medium', p2: 'medium', low: 'low', p3: 'low', p4: 'low' },
};
const NAMES = Object.keys(WORDS).join('|');
/** `[high]`, `(P1)`, `(priority: high)`, `!high`, `priority: high`, or the first word with a colon: `P0: fix it`. */
const MARKER = new RegExp(
	`[[(](?:priority[:=]? ?)?(${NAMES})(?: priority)?[\\])]|(?:^|\\s)!(${NAMES})(?![\\w-])|\\bpriority[:=] ?(${NAMES})(?![\\w-])|^(${NAMES}):`,
	'i',
);
const NAMED = /`([^`\n]{1,200})`|[^\s`'"()[\]{}<>,;]{1,200}/g;
const HAS_EXTENSION = /[^/]\.[a-z][a-z0-9]{0,7}$/i;
const MOST_FILES = 20;

/** What a field calls a priority; undefined for anything else. */
export function priorityOf(value: unknown): TaskPriority | undefined {
	const word = typeof value === 'string' ? value.slice(0, 20).trim().toLowerCase() : '';
	return Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
}

/** The priority that the words of a task are marked with. */
export function writtenPriority(text: string): TaskPriority | undefined {
	const found = MARKER.exec(text.slice(0, 2000));
	return priorityOf(found?.slice(1).find((word) => word !== undefined));
}

/** Files that the words of a task name: a path with a slash and an ending, or a name with an ending between backticks. */
export function namedFiles(text: string): string[] {
	const found = new Set<string>();
	for (const [word, quoted] of text.slice(0, 8000).matchAll(NAMED)) {
		const name = (quoted ?? word).replace(/[.:!?]+$/, '');
		const isPath = quoted === undefined ? name.includes('/') && !name.includes('://') : !/\s/.test(name);
		if (isPath && HAS_EXTENSION.test(name)) found.add(name);
		if (found.size === MOST_FILES) break;
	}
	return [...found];
}
