import { readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const STATEMENT = /^(?:import|export) (?!type )(?:([^;']*?) from )?'([^']+)';/gms;

/** Whether every name in the braces is a type: such an import is not there when the program runs. */
const isOfTypes = (names: string): boolean =>
	/^\{[^}]*\}$/.test(names) &&
	names
		.replaceAll(/[{}]/g, '')
		.split(',')
		.every((name) => /^\s*(?:type\s.*)?$/s.test(name));

/** What these files load before anything runs: files of this repository and names of packages, with who asks for each. */
export function loadedAtOnce(files: readonly string[]): Map<string, string> {
	const loaded = new Map<string, string>(files.map((file) => [file, '']));
	for (const file of loaded.keys()) {
		if (!/\.tsx?$/.test(file)) continue;
		for (const [, names = '', path = ''] of readFileSync(join(ROOT, file), 'utf8').matchAll(STATEMENT)) {
			const target = path.startsWith('#')
				? path.slice(1)
				: path.startsWith('.')
					? normalize(join(file, '..', path))
					: path;
			if (!isOfTypes(names) && !loaded.has(target)) loaded.set(target, file);
		}
	}
	return loaded;
}
