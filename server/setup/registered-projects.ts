import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Person } from '#hooks-bridge/agents/agent-setup.ts';
import { readState } from '#hooks-bridge/disk/write-files.ts';
import { agentTable } from '#lib/agents/agent-table.ts';
import { isFolder } from '../process/is-folder.ts';
import { openDatabase } from '../timeline/store/open-database.ts';
import { registeringFor, stateOf } from './agents/plan-agent.ts';
import { writeWhole } from './file-change.ts';
import { hasEntries } from './plan-init.ts';

const listPath = (home: string) => join(home, 'projects.json');

/** Projects that `init` has recorded, absolute; none if the list is unreadable. */
function notedProjects(home: string): string[] {
	const noted = readState(listPath(home));
	return Array.isArray(noted) ? noted.filter((dir) => typeof dir === 'string') : [];
}

/** Folders of the recorded sessions, since an older `init` recorded no projects. */
function sessionFolders(home: string): string[] {
	const path = join(home, 'index.db');
	if (!existsSync(path)) return [];
	try {
		const index = openDatabase(path, { readonly: true });
		try {
			const folders = index.prepare("SELECT DISTINCT json_extract(json, '$.cwd') FROM views").pluck().all();
			return folders.filter((folder) => typeof folder === 'string');
		} finally {
			index.close();
		}
	} catch {
		return [];
	}
}

/** All existing folders in which hooks of this home may be registered, absolute. */
export function possibleProjects(home: string): string[] {
	return [...new Set([...notedProjects(home), ...sessionFolders(home)])].filter(isFolder).sort();
}

/**
 * Folders with registered hooks: by the project's own settings, or another client's file if `init` recorded the project. Without
 * `folders`, all recorded.
 */
export function registeredProjects(home: string, person: Person, folders?: readonly string[]): string[] {
	const noted = notedProjects(home);
	const isOfOthers = (project: string) =>
		agentTable.some(({ name }) => stateOf(name, person, registeringFor(home, project)) !== 'no');
	return (folders ?? noted).filter(
		(project) => isFolder(project) && (hasEntries(project) || (noted.includes(project) && isOfOthers(project))),
	);
}

/** Records that a project has hooks of this home, or no longer has them. */
export function noteProject(home: string, project: string, hasHooks: boolean): void {
	const before = notedProjects(home);
	if (before.includes(project) === hasHooks) return;
	const after = hasHooks ? [...before, project].sort() : before.filter((dir) => dir !== project);
	writeWhole(listPath(home), `${JSON.stringify(after, null, '\t')}\n`, 0o600);
}
