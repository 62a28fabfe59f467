import { hash } from 'node:crypto';
import { realpathSync } from 'node:fs';

/** Twelve hex digits for a project's folder, the same through whatever links. */
export function projectHash(root: string): string {
	let real = root;
	try {
		real = realpathSync.native(root);
	} catch {
		// The folder of a deleted project has no real path.
	}
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
