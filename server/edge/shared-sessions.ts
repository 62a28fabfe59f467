import { closeSync, existsSync, fstatSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { isSafeId } from '#lib/ids/safe-id.ts';
import { openTimeline } from '../timeline/tail/timeline-file.ts';
import type { Membership } from './membership.ts';

/** A session says where it is with its first line; that is short. */
const FIRST_BYTES = 64 * 1024;

/** A session's file, as far as the hub is told of it. */
export interface SharedFile {
	id: string;
	fd: number;
	inode: number;
	size: number;
	/** ISO: when the file was made. */
	birth: string;
}

/** Looks at sessions of a home, and gives those that its membership shares. Which project a session is of never changes. */
export function createSharedSessions(home: string, share: Membership['share']) {
	const folder = join(home, 'sessions');
	const shared = new Map<string, boolean>();

	function isIn(project: string | undefined): boolean {
		if (share.projects === 'all') return true;
		return project !== undefined && share.projects.some((root) => project === root || project.startsWith(`${root}/`));
	}

	/** Opens a session's timeline; undefined where there is none, or it is not shared. Whoever gets it closes it. */
	function open(id: string): SharedFile | undefined {
		if (!isSafeId(id) || shared.get(id) === false) return;
		const file = openTimeline(folder, id);
		if (typeof file === 'string') return;
		const known = shared.get(id) ?? decide(id, file.fd);
		if (known)
			return { id, fd: file.fd, inode: file.inode, size: fstatSync(file.fd).size, birth: file.birth.toISOString() };
		closeSync(file.fd);
	}

	function decide(id: string, fd: number): boolean {
		if (share.projects === 'all') return true;
		const project = folderOf(fd);
		// Its first line is not written yet.
		if (project === null) return false;
		shared.set(id, isIn(project));
		return isIn(project);
	}

	/** What the first line says that says something of this field; null where none does, or the session is not shared. */
	function saidFirst(id: string, field: 'project' | 'make'): string | null {
		const file = open(id);
		if (!file) return null;
		try {
			const said = firstLines(file.fd)?.find((line) => typeof line[field] === 'string')?.[field];
			return typeof said === 'string' ? said : null;
		} finally {
			closeSync(file.fd);
		}
	}

	return {
		open,
		/** Whether a folder is of a project that is shared. */
		isIn,
		/** Whether it is one of those that are shared. */
		isShared(id: string): boolean {
			const file = open(id);
			if (file) closeSync(file.fd);
			return file !== undefined;
		},
		/** How a session's project is called; null where it does not say so, or is not shared. */
		projectOf: (id: string): string | null => saidFirst(id, 'project'),
		/** Which make of agent it says it is of; null where it does not say so: then it is of the first one. */
		makeOf: (id: string): string | null => saidFirst(id, 'make'),
		/** All of them; a home in which no agent has worked yet has no folder for them. */
		all: (): string[] => (existsSync(folder) ? readdirSync(folder).filter(isSafeId) : []),
	};
}

export type SharedSessions = ReturnType<typeof createSharedSessions>;

type FirstLine = Partial<Record<'project' | 'cwd' | 'make', unknown>>;

/** What a timeline begins with; undefined while there is no whole line. */
function firstLines(fd: number): FirstLine[] | undefined {
	const bytes = Buffer.alloc(FIRST_BYTES);
	const text = bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, 0)).toString('utf8');
	const lines = text
		.split('\n')
		.slice(0, -1)
		.filter((line) => line.trim() !== '');
	return lines.length === 0 ? undefined : lines.map(parse);
}

/** Of the first line that says one; null while there is no whole line. */
function folderOf(fd: number): string | undefined | null {
	const lines = firstLines(fd);
	if (!lines) return null;
	for (const { project, cwd } of lines) {
		// Ours say the folder in `cwd` and only its name in `project`; foreign ones may have a folder there.
		const folder = [cwd, project].find((place) => typeof place === 'string' && place.startsWith('/'));
		if (typeof folder === 'string') return folder;
	}
	return undefined;
}

function parse(line: string): FirstLine {
	try {
		const value: unknown = JSON.parse(line);
		return typeof value === 'object' && value !== null ? value : {};
	} catch {
		return {};
	}
}
