import type { TaskBox } from '../features/tasks-file.ts';
import type { Task, TaskPriority, TaskStatus } from './task.ts';
import { namedFiles, writtenPriority } from './written-task.ts';

/** One entry of a list that has no ids of its own. */
export interface ListEntry {
	text: string;
	status: TaskStatus;
	priority?: TaskPriority | undefined;
	/** How far it is indented, where its list can be: deeper ones belong to the entry above. */
	indent?: number;
}

const WAITS = /[[(](?:after|blocked by|depends on|needs|waits for):? ([^()[\]]{1,200})[\])]/i;
const PLACE = /^#?(\d{1,4})$/;
/** A label of its own before the words: `T001 Write it`, `[A-2] Write it`. */
const LABEL = /^\[?([A-Za-z]{1,5}-?\d{1,5})\]?[:.)]?\s/;

/**
 * The entries of a list as tasks with the ids `KIND:1`, `KIND:2`: its place is an entry's id. What an entry waits for stands
 * in brackets, by place or label: `(after 2)`, `(depends on T001, T002)`. An entry below another has its priority, unless
 * it is marked with one of its own.
 */
export function listedTasks(kind: string, entries: readonly ListEntry[]): Task[] {
	const idAt = (at: number) => `${kind}:${at + 1}`;
	const byLabel = new Map(entries.map(({ text }, at) => [LABEL.exec(text)?.[1]?.toLowerCase(), idAt(at)]));
	const idOf = (name: string): string | undefined => {
		const place = Number(PLACE.exec(name)?.[1] ?? 0);
		return place > 0 && place <= entries.length ? idAt(place - 1) : byLabel.get(name.toLowerCase());
	};
	const waitsFor = (text: string): string[] => {
		const names = (WAITS.exec(text)?.[1] ?? '').split(/[\s,;&]+|\band\b/i).filter((name) => name !== '');
		const ids = names.map(idOf);
		// "after 2 days" names no entry.
		return ids.every((id) => id !== undefined) ? [...new Set(ids)] : [];
	};
	const above: { task: Task; indent: number }[] = [];
	return entries.map(({ text, status, priority, indent = 0 }, at) => {
		while ((above.at(-1)?.indent ?? -1) >= indent) above.pop();
		const parent = above.at(-1)?.task;
		const blockedBy = waitsFor(text).filter((id) => id !== idAt(at));
		const relatedFiles = namedFiles(text);
		const task: Task = {
			id: idAt(at),
			description: text,
			status,
			priority: priority ?? writtenPriority(text) ?? parent?.priority ?? 'medium',
			...(parent && { parentId: parent.id }),
			...(blockedBy.length > 0 && { blockedBy }),
			...(relatedFiles.length > 0 && { relatedFiles }),
		};
		above.push({ task, indent });
		return task;
	});
}

/** The boxes of a tasks.md as tasks; a box that is indented below another is its subtask. */
export function boxTasks(boxes: readonly TaskBox[]): Task[] {
	const entries = boxes.map(({ text, checked, indent }): ListEntry => {
		return { text, status: checked ? 'completed' : 'waiting', indent };
	});
	return listedTasks('box', entries);
}
