import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isFolder } from '../process/is-folder.ts';
import { openDatabase } from '../timeline/store/open-database.ts';
import { writeWhole } from './file-change.ts';

const listPath = (home: string) => join(home, 'projects.json');

/** The projects that `init` has noted in this home, absolute; none where nobody can read the list. */
function notedProjects(home: string): string[] {
	try {
		const noted: unknown = JSON.parse(readFileSync(listPath(home), 'utf8'));
		return Array.isArray(noted) ? noted.filter((dir) => typeof dir === 'string') : [];
	} catch {
		return [];
	}
}

/** Working directories of the recorded sessions: an older `init` noted no projects. */
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

/** All folders that are still there in which hooks of this home may be registered, absolute. */
export function registeredProjects(home: string): string[] {
	return [...new Set([...notedProjects(home), ...sessionFolders(home)])].filter(isFolder).sort();
}

/** Notes that a project has hooks of this home, or that it has them no longer. */
export function noteProject(home: string, project: string, hasHooks: boolean): void {
	const before = notedProjects(home);
	if (before.includes(project) === hasHooks) return;
	const after = hasHooks ? [...before, project].sort() : before.filter((dir) => dir !== project);
	writeWhole(listPath(home), `${JSON.stringify(after, null, '\t')}\n`, 0o600);
}
