import { hash } from 'node:crypto';
import { realpathSync } from 'node:fs';

/** Twelve hex digits that stand for a project's folder, whatever links lead to it. */
export function projectHash(root: string): string {
	let real = root;
	try {
		real = realpathSync.native(root);
	} catch {
		// A project that is gone keeps the name that its path had.
	}
	return hash('sha256', real, 'hex').slice(0, 12);
}

/** The id of a feature (its name) or of an archived one (its folder): for URLs, and the name of its archive's folder. */
export function featureId(root: string, nameOrFolder: string): string {
	return `${projectHash(root)}-${nameOrFolder}`;
}
