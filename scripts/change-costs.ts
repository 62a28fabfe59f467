/*
 * `npm run costs`: what four changes cost, made for real in a copy of this tree: an event type with a row of the story,
 * a gate with a setting, a client, a page. Prints the files of the product that each touches; ends with 1 where that is more than
 * decision 0030 says, or where types or the changes' own tests fail. Words of another language, tests and generated
 * documents are not counted.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { changes } from './changes.ts';
import { copyTree } from './copy-tree.ts';

const ROOT = join(import.meta.dirname, '..');
const copy = join(mkdtempSync(join(tmpdir(), 'sbx-costs-')), 'tree');

const TEST = /\.test\.tsx?$/;
const NOT_COUNTED = /\.test\.tsx?$|^lib\/messages\/chinese\//;

/** Makes a file of `text`, or puts it right before the first place where `before` stands. Throws where that is nowhere. */
function edit({ path, before, text }: { path: string; before?: string; text: string }): void {
	const target = join(copy, path);
	mkdirSync(dirname(target), { recursive: true });
	if (before === undefined) return writeFileSync(target, text);
	const source = readFileSync(target, 'utf8');
	const at = source.indexOf(before);
	if (at === -1) throw new Error(`${path} has no ${before}: the change in scripts/changes.ts is out of date.`);
	writeFileSync(target, source.slice(0, at) + text + source.slice(at));
}

/** Whether a program of this tree's node_modules ends well in the copy. */
function passes(...words: readonly string[]): boolean {
	const [name = '', ...rest] = words;
	const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' };
	const { status } = spawnSync(join(ROOT, 'node_modules/.bin', name), rest, { cwd: copy, env, stdio: 'inherit' });
	return status === 0;
}

/** The tests of the changes, and those that stand beside a file of the product that they touch. */
function testsOf(paths: readonly string[]): string[] {
	const tests = paths.flatMap((path) => {
		if (TEST.test(path)) return [path];
		const folder = dirname(path);
		return readdirSync(join(copy, folder), { withFileTypes: true })
			.filter((entry) => entry.isFile() && TEST.test(entry.name))
			.map(({ name }) => `${folder}/${name}`);
	});
	return [...new Set(tests)];
}

copyTree(copy);
try {
	let dear = 0;
	for (const { name, most, edits } of changes) {
		for (const each of edits) edit(each);
		const touched = [...new Set(edits.map(({ path }) => path))].filter((path) => !NOT_COUNTED.test(path));
		if (touched.length > most) dear += 1;
		console.log(`${name}: ${touched.length} files, at most ${most}\n${touched.map((path) => `  ${path}`).join('\n')}`);
	}
	const tests = testsOf(changes.flatMap(({ edits }) => edits.map(({ path }) => path)));
	const works =
		passes('next', 'typegen') && passes('tsc', '--noEmit') && passes('vitest', 'run', '--reporter=dot', ...tests);
	process.exitCode = dear === 0 && works ? 0 : 1;
} finally {
	rmSync(dirname(copy), { recursive: true });
}
