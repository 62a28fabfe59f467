import { hash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { tryTo } from '../disk/try-to.ts';

/** Twelve hex digits for a project's folder; symbolic links to it give the same. */
export function projectHash(root: string): string {
	// The folder of a deleted project has no real path.
	const real = tryTo(() => realpathSync.native(root)) ?? root;
	return hash('sha256', real, 'hex').slice(0, 12);
}

/** The id of a feature (its name) or of an archived one (its folder): for URLs, and the name of its archive's folder. */
export function featureId(root: string, nameOrFolder: string): string {
	return `${projectHash(root)}-${nameOrFolder}`;
}

/** The two parts of such an id: the project, and the feature's name or its archive's folder; null for any other text. */
export function readFeatureId(id: string): { project: string; nameOrFolder: string } | null {
	const [, project, nameOrFolder] = /^([0-9a-f]{12})-(.+)$/.exec(id) ?? [];
	return project && nameOrFolder ? { project, nameOrFolder } : null;
}
