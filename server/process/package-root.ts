import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder that holds package.json: the same whether the code runs from source or from `dist/`. */
export function findPackageRoot(from: string = import.meta.dirname): string {
	if (existsSync(join(from, 'package.json'))) return from;
	const parent = dirname(from);
	if (parent === from) throw new Error('Signalbox was moved out of its package: package.json is missing above it.');
	return findPackageRoot(parent);
}

/** The absolute folder of the guides: an installed package has its programs one folder deeper than a clone. */
export function findGuides(): string {
	const root = findPackageRoot();
	const near = join(root, 'docs/guide');
	return existsSync(near) ? near : join(dirname(root), 'docs/guide');
}

/** The version that package.json names. */
export function packageVersion(): string {
	const read: unknown = JSON.parse(readFileSync(join(findPackageRoot(), 'package.json'), 'utf8'));
	return typeof read === 'object' && read !== null && 'version' in read ? String(read.version) : 'unknown';
}
