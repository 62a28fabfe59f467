import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './requirements.mjs';

const INPUTS = [
	'app',
	'components',
	'lib',
	'public',
	'next.config.ts',
	'postcss.config.mjs',
	'tsconfig.json',
	'package.json',
	'package-lock.json',
];

function filesOf(path) {
	if (!existsSync(join(ROOT, path))) return [];
	if (statSync(join(ROOT, path)).isFile()) return [path];
	return readdirSync(join(ROOT, path), { withFileTypes: true }).flatMap((entry) => filesOf(`${path}/${entry.name}`));
}

/** One hash of everything that the pages are built from: paths and contents, tests left out. Hexadecimal. */
export function hashPageInputs() {
	const hash = createHash('sha256').update(process.versions.node);
	for (const path of INPUTS.flatMap(filesOf).sort()) {
		if (/\.test\.tsx?$/.test(path)) continue;
		const content = readFileSync(join(ROOT, path));
		hash.update(`\n${path} ${content.length}\n`).update(content);
	}
	return hash.digest('hex');
}
