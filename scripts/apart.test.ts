import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { APART } from './apart.ts';
import { loadedAtOnce } from './loaded-at-once.ts';

const ROOT = join(import.meta.dirname, '..');
const REPLACES = /\bvi\.(?:mock|doMock)\(|\bgateTable as unknown\b/;

test('R1841 a test file that replaces a module, itself or by what it loads, shares its modules with no other', () => {
	const files = execFileSync('git', ['ls-files', '*.test.ts', '*.test.tsx'], { cwd: ROOT, encoding: 'utf8' }).trim();
	// These words stand in this file, too.
	const replaces = (file: string) =>
		/^[^/].*\.tsx?$/.test(file) && REPLACES.test(readFileSync(join(ROOT, file), 'utf8'));
	const replacing = files.split('\n').filter((file) => [...loadedAtOnce([file]).keys()].some(replaces));
	expect(replacing.toSorted()).toEqual([...APART].sort());
});
