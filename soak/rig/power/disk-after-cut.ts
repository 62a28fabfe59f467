import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import type { SeededRandom } from '#e2e/rig/storm-random.ts';
import type { DiskRecord } from './disk-log.ts';

/**
 * What a disk has kept of changes that nobody synced: nothing at all; all names and no content; the beginning of each
 * folder's and file's changes, the last write torn; all names, and of the content some writes in any order.
 */
export const DISK_STATES = ['nothing', 'names', 'beginnings', 'holes'] as const;
export type DiskState = (typeof DISK_STATES)[number];

/** A file or folder, with its changes in their order. */
interface Inode {
	isFolder: boolean;
	data: { offset: number; at: number; bytes: Buffer | null }[];
	/** What stands before this place in the log is on the disk. */
	synced: number;
}

interface NameChange {
	offset: number;
	folders: Inode[];
	/** Null takes the name away. */
	sets: { folder: Inode; name: string; inode: Inode | null }[];
}

/**
 * Writes the folder `root`, whose own inode is `rootInode`, as it was when the power went after `records`, into `target`,
 * which must not be there.
 */
export function writeDiskAfterCut(options: {
	records: readonly DiskRecord[];
	root: string;
	rootInode: number;
	target: string;
	diskState: DiskState;
	random: SeededRandom;
}): void {
	const { records, root, rootInode, target, diskState, random } = options;
	const { top, changes } = replay(records, root, rootInode);
	const kept = new Map<Inode, Map<string, Inode>>();
	const limits = new Map<Inode, number>();
	const limitOf = (folder: Inode): number => {
		const known = limits.get(folder);
		if (known !== undefined) return known;
		const own = changes.filter(({ folders, offset }) => folders.includes(folder) && offset >= folder.synced);
		const limit = own[random.below(own.length + 1)]?.offset ?? Number.POSITIVE_INFINITY;
		limits.set(folder, limit);
		return limit;
	};
	const isKept = ({ folders, offset }: NameChange): boolean => {
		if (folders.some(({ synced }) => offset < synced) || diskState === 'names' || diskState === 'holes') return true;
		return diskState === 'beginnings' && folders.some((folder) => offset < limitOf(folder));
	};
	for (const change of changes.filter(isKept)) {
		for (const { folder, name, inode } of change.sets) {
			const names = kept.get(folder) ?? new Map<string, Inode>();
			kept.set(folder, names);
			if (inode) names.set(name, inode);
			else names.delete(name);
		}
	}
	const writeInode = (inode: Inode, path: string) => {
		if (!inode.isFolder) return writeFileSync(path, contentOf(inode, diskState, random), { mode: 0o600 });
		mkdirSync(path, { mode: 0o700 });
		for (const [name, child] of kept.get(inode) ?? []) writeInode(child, join(path, name));
	};
	writeInode(top, target);
}

/** All that happened: who is where now is only needed to know what a name meant then. */
function replay(records: readonly DiskRecord[], root: string, rootInode: number) {
	const top: Inode = { isFolder: true, data: [], synced: 0 };
	const byNumber = new Map<number, Inode>([[rootInode, top]]);
	const byPath = new Map<string, Inode>([['', top]]);
	const changes: NameChange[] = [];
	const nameOf = (path: string) => relative(root, path);
	const folderOf = (path: string) => byPath.get(dirname(nameOf(path)).replace(/^\.$/, ''));

	function name(offset: number, ...sets: [path: string, inode: Inode | null][]) {
		const found = sets.flatMap(([path, inode]) => {
			const folder = folderOf(path);
			return folder ? [{ folder, name: basename(path), inode }] : [];
		});
		changes.push({ offset, folders: found.map(({ folder }) => folder), sets: found });
		for (const [path, inode] of sets) {
			if (inode) byPath.set(nameOf(path), inode);
			else byPath.delete(nameOf(path));
		}
	}
	function addInode(record: DiskRecord, isFolder: boolean): Inode {
		const made: Inode = { isFolder, data: [], synced: 0 };
		name(record.offset, [record.path, made]);
		return made;
	}
	/** What lies in a folder moves with it. */
	function move(from: string, to: string) {
		for (const [path, inode] of [...byPath]) {
			if (!path.startsWith(`${from}/`)) continue;
			byPath.delete(path);
			byPath.set(to + path.slice(from.length), inode);
		}
	}

	for (const record of records) {
		const { kind, offset, inode: number, at, path, to, data } = record;
		const inode = byNumber.get(number);
		switch (kind) {
			case 'open': {
				const known = byPath.get(nameOf(path)) ?? addInode(record, false);
				byNumber.set(number, known);
				if (at === 1) known.data.push({ offset, at: 0, bytes: null });
				break;
			}
			case 'mkdir':
				byNumber.set(number, addInode(record, true));
				break;
			case 'write':
				inode?.data.push({ offset, at, bytes: data });
				break;
			case 'truncate':
				inode?.data.push({ offset, at, bytes: null });
				break;
			case 'sync':
				if (inode) inode.synced = Math.max(inode.synced, at);
				break;
			case 'unlink':
				name(offset, [path, null]);
				break;
			case 'link':
			case 'rename': {
				// Sockets and the like are not followed.
				const moved = byPath.get(nameOf(path));
				if (!moved) break;
				if (kind === 'link') name(offset, [to, moved]);
				else name(offset, [path, null], [to, moved]);
				if (kind === 'rename') move(nameOf(path), nameOf(to));
				break;
			}
			case 'unseen':
				throw new Error(`${path} changed a file unseen: the log of the disk does not know it.`);
			case 'told':
				break;
		}
	}
	return { top, changes };
}

function contentOf({ data, synced }: Inode, diskState: DiskState, random: SeededRandom): Buffer {
	const firm = data.filter(({ offset }) => offset < synced);
	const loose = data.filter(({ offset }) => offset >= synced);
	const content = growing(data.reduce((size, { at, bytes }) => Math.max(size, at + (bytes?.length ?? 0)), 0));
	for (const change of firm) content.apply(change.at, change.bytes);
	if (diskState === 'beginnings') {
		const whole = random.below(loose.length + 1);
		for (const { at, bytes } of loose.slice(0, whole)) content.apply(at, bytes);
		const torn = loose[whole];
		if (torn?.bytes) content.apply(torn.at, torn.bytes.subarray(0, random.below(torn.bytes.length)));
	}
	if (diskState === 'holes') {
		for (const { at, bytes } of loose) {
			const fate = random.below(3);
			if (fate === 0) content.apply(at, bytes);
			// The file is longer, and what belongs there never came.
			else if (fate === 1 && bytes) content.apply(at, Buffer.alloc(bytes.length));
		}
	}
	return content.bytes();
}

/** The content of a file that is never longer than `size`. */
function growing(size: number) {
	const buffer = Buffer.alloc(size);
	let length = 0;
	return {
		/** Writes, or with null makes it as long as `at`. */
		apply(at: number, bytes: Buffer | null) {
			if (bytes === null && at < length) buffer.fill(0, at, length);
			bytes?.copy(buffer, at);
			length = bytes === null ? at : Math.max(length, at + bytes.length);
		},
		bytes: () => buffer.subarray(0, length),
	};
}
