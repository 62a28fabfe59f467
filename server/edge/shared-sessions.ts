import { closeSync, existsSync, fstatSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { isSafeId } from '#lib/ids/safe-id.ts';
import { parsedObject } from '#lib/json/json.ts';
import { openTimeline } from '../timeline/tail/timeline-file.ts';
import type { Membership } from './membership.ts';

const FIRST_BYTES = 64 * 1024;

export interface SharedFile {
	id: string;
	fd: number;
	inode: number;
	size: number;
	birth: string;
}

/** The timelines that this machine's owner shares with the hub, by the folder of their project. */
export function createSharedSessions(home: string, share: Membership['share']) {
	const folder = join(home, 'sessions');
	const shared = new Map<string, boolean>();

	function isSharedProject(project: string | undefined): boolean {
		if (share.projects === 'all') return true;
		return project !== undefined && share.projects.some((root) => project === root || project.startsWith(`${root}/`));
	}

	/** The caller closes the file. Undefined if it does not exist or is not shared. */
	function open(id: string): SharedFile | undefined {
		if (!isSafeId(id) || shared.get(id) === false) return;
		const file = openTimeline(folder, id);
		if (typeof file === 'string') return;
		const known = shared.get(id) ?? decideIsShared(id, file.fd);
		if (known)
			return { id, fd: file.fd, inode: file.inode, size: fstatSync(file.fd).size, birth: file.birth.toISOString() };
		closeSync(file.fd);
	}

	function decideIsShared(id: string, fd: number): boolean {
		if (share.projects === 'all') return true;
		const project = projectFolder(fd);
		// No line is written yet, so it is decided later.
		if (project === null) return false;
		shared.set(id, isSharedProject(project));
		return isSharedProject(project);
	}

	function firstLineField(id: string, field: 'project' | 'make'): string | null {
		const file = open(id);
		if (!file) return null;
		try {
			const value = firstLines(file.fd)?.find((line) => typeof line[field] === 'string')?.[field];
			return typeof value === 'string' ? value : null;
		} finally {
			closeSync(file.fd);
		}
	}

	return {
		open,
		isSharedProject,
		isShared(id: string): boolean {
			const file = open(id);
			if (file) closeSync(file.fd);
			return file !== undefined;
		},
		projectOf: (id: string): string | null => firstLineField(id, 'project'),
		makeOf: (id: string): string | null => firstLineField(id, 'make'),
		all: (): string[] => (existsSync(folder) ? readdirSync(folder).filter(isSafeId) : []),
	};
}

export type SharedSessions = ReturnType<typeof createSharedSessions>;

type FirstLine = Partial<Record<'project' | 'cwd' | 'make', unknown>>;

function firstLines(fd: number): FirstLine[] | undefined {
	const bytes = Buffer.alloc(FIRST_BYTES);
	const text = bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, 0)).toString('utf8');
	const lines = text
		.split('\n')
		.slice(0, -1)
		.filter((line) => line.trim() !== '');
	return lines.length === 0 ? undefined : lines.map(parse);
}

/** Null if the timeline has no line yet; undefined if its first lines name no folder. */
function projectFolder(fd: number): string | undefined | null {
	const lines = firstLines(fd);
	if (!lines) return null;
	for (const { project, cwd } of lines) {
		// Our lines have the folder in `cwd` and its name in `project`; foreign ones may have the folder in `project`.
		const folder = [cwd, project].find((path) => typeof path === 'string' && path.startsWith('/'));
		if (typeof folder === 'string') return folder;
	}
	return undefined;
}

function parse(line: string): FirstLine {
	return parsedObject(line) ?? {};
}
