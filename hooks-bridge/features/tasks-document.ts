import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import {
	addBoxes,
	type HeaderKey,
	parseTasks,
	pendingMessage,
	type TasksFile,
	taskProgress,
	tickBox,
	withHeader,
} from '#lib/features/tasks-file.ts';
import { readBounded, readBoundedBytes } from '../disk/bounded-read.ts';
import { writeThenRename } from '../disk/write-files.ts';
import type { FeatureTasks } from '../ports/flow-port.ts';
import { findState, listState, stateFolder } from './feature-folders.ts';

const EMPTY: TasksFile = { header: {}, boxes: [] };

/** The tasks.md of a feature's folder (absolute); empty if it is missing or must not be read. */
export function readTasks(root: string, folder: string): TasksFile {
	const read = readBounded(join(folder, 'tasks.md'), root);
	return read.ok ? parseTasks(read.text) : EMPTY;
}

/** Ticks the box with exactly this text; false if no such box is open or the file must not be changed. */
export function tickTask(root: string, folder: string, label: string): boolean {
	return editTasks(root, folder, (text) => tickBox(text, label));
}

/** Sets header values; false if tasks.md is missing or must not be changed. */
export function setTasksHeader(root: string, folder: string, values: Partial<Record<HeaderKey, string>>): boolean {
	return editTasks(root, folder, (text) => withHeader(text, values));
}

/** Adds open boxes; returns the new ones, null if tasks.md is missing or must not be changed. */
export function addTasks(root: string, folder: string, labels: readonly string[]): string[] | null {
	let added: string[] = [];
	const done = editTasks(root, folder, (text) => {
		const changed = addBoxes(text, labels);
		added = changed.added;
		return changed.text;
	});
	return done ? added : null;
}

/** Replaces a document of a feature's folder as a whole; a link is replaced, never followed. */
export function writeDocument(folder: string, name: string, text: string, mode = 0o644): void {
	writeThenRename(join(folder, `.${name}.${randomUUID()}`), join(folder, name), text, mode);
}

function editTasks(root: string, folder: string, change: (text: string) => string | null): boolean {
	const path = join(folder, 'tasks.md');
	const read = readBoundedBytes(path, root);
	// Bytes that are not UTF-8 would be changed by writing the text back.
	if (!read.ok || !isUtf8(read.bytes)) return false;
	const text = read.bytes.toString('utf8');
	const changed = change(text);
	if (changed === null) return false;
	if (changed !== text) writeDocument(folder, 'tasks.md', changed, statSync(path).mode & 0o777);
	return true;
}

/**
 * Open tasks of the named feature in progress, else of the alphabetically first; null if there is none. Never throws; without
 * tasks.md `total` is 0.
 */
export function pendingTasks(projectRoot: string, feature?: string): FeatureTasks | null {
	const name = feature ?? listState(projectRoot, 'in-progress')[0];
	if (name === undefined || findState(projectRoot, name) !== 'in-progress') return null;
	const { boxes } = readTasks(projectRoot, join(projectRoot, stateFolder('in-progress'), name));
	const progress = taskProgress(boxes);
	return { feature: name, ...progress, message: pendingMessage(name, progress) };
}
