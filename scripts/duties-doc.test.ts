import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const FOLDERS = ['lib', 'hooks-bridge', 'server', 'components', 'e2e', 'scripts'];
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const testsIn = (folder: string): string[] =>
	readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
		.filter((path) => /\.(test|spec)\.tsx?$/.test(path))
		.map((path) => read(join(folder, path)));

const duties = read('docs/duties.md')
	.split('\n')
	.filter((line) => line.startsWith('| ') && !/^\| (Duty|Defect) \|/.test(line));
/**
 * Titles of tests begin with a rule, or with the number that seed 004 gives them; other words in backticks are code. Those of
 * seed 003 are its own, may hold backticks, and stand between two of them.
 */
const TITLE = /`` (.+?) ``|`((?:R\d+|TC-\d+) [^`]+)`/g;
const titlesIn = (line: string): string[] =>
	[...line.matchAll(TITLE)].map(([, own, numbered]) => own ?? numbered ?? '');
const titles = duties.flatMap(titlesIn);
const sources = FOLDERS.flatMap(testsIn);

/** A title stands whole between its quotes, as the first argument of a test or in the table of one, and is not skipped. */
function isTest(title: string): boolean {
	const quoted = ["'", '"', '`'].map((quote) => `${quote}${title}${quote}`);
	return sources.some((source) =>
		quoted.some((text) => {
			const before = source.slice(0, Math.max(0, source.indexOf(text))).trimEnd();
			return source.includes(text) && /[([]$/.test(before) && !/\.(skip|todo|fixme|fails)\($/.test(before);
		}),
	);
}

test('R721 every duty of the seeds names a test', () => {
	expect(duties.length).toBeGreaterThan(50);
	expect(duties.filter((line) => titlesIn(line).length === 0)).toEqual([]);
});

test('R721 every test that the duties name exists and is not skipped', () => {
	expect([...new Set(titles)].filter((title) => !isTest(title))).toEqual([]);
});
