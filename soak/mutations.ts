/*
 * `npm run soak mutations [--seed N] [--only WORDS]`: makes 60 small faults in the gates, the fold, the door and the
 * approvals, one after the other in a copy of this tree, and counts those that the tests nearest to each file notice. Before
 * tests are cut and after, the same seed makes the same faults. Prints each fault that nobody noticed; ends with 1 where the
 * tests fail without a fault.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { parseArgs } from 'node:util';
import { parseSync, type Span, Visitor } from 'oxc-parser';
import { copyTree } from '../scripts/copy-tree.ts';

/** The rooms of each part; their files are changed, and only their tests and those of the engine between them are asked. */
const PARTS: Record<string, readonly string[]> = {
	gates: ['lib/gates', 'lib/routing'],
	fold: ['lib/session', 'lib/workflow'],
	door: ['server/door', 'hooks-bridge/engine'],
	approvals: ['lib/approvals', 'lib/grants', 'server/approvals'],
};
const FAULTS_A_PART = 15;
/** Tests that are asked of a fault: those beside its file, and those that reach it over the fewest imports. */
const MOST_TESTS = 12;
/** A fault that makes a test run on without end is noticed, too (ms). */
const TOO_LONG = 600_000;
const OPPOSITE: Record<string, string> = {
	'===': '!==',
	'!==': '===',
	'<': '<=',
	'<=': '<',
	'>': '>=',
	'>=': '>',
	'&&': '||',
	'||': '&&',
	'??': '&&',
};

interface Fault {
	path: string;
	from: number;
	to: number;
	text: string;
}

const { values } = parseArgs({
	strict: false,
	options: { seed: { type: 'string' }, only: { type: 'string' } },
});
const seed = String(values.seed ?? '20261126');
const copy = join(mkdtempSync(join(tmpdir(), 'sbx-mutations-')), 'tree');
const sourceOf = (path: string) => readFileSync(join(copy, path), 'utf8');

const filesBelow = (room: string): string[] =>
	readdirSync(join(copy, room), { recursive: true, encoding: 'utf8' })
		.map((path) => `${room}/${path}`)
		.filter((path) => /\.tsx?$/.test(path));
const isTest = (path: string) => /\.test\.tsx?$/.test(path);
const isProduct = (path: string) => !isTest(path) && !path.includes('/testing/');

/** Every place of a file where one small change makes a fault. */
function faultsIn(path: string): Fault[] {
	const source = sourceOf(path);
	const faults: Fault[] = [];
	const add = (from: number, to: number, text: string) => void faults.push({ path, from, to, text });
	const negate = ({ test }: { test: Span }) => add(test.start, test.end, `!(${source.slice(test.start, test.end)})`);
	function oppose({ left, right, operator }: { left: Span; right: Span; operator: string }): void {
		const at = source.indexOf(operator, left.end);
		const opposite = OPPOSITE[operator];
		if (opposite && at < right.start) add(at, at + operator.length, opposite);
	}
	const empty = ({ start, end, argument }: Span & { argument: unknown }) =>
		void (argument && add(start, end, 'return;'));
	const drop = ({ start, end }: Span) => add(start, end, ';');
	const flip = ({ start, end, value }: Span & { value: unknown }) =>
		void (typeof value === 'boolean' && add(start, end, String(!value)));
	new Visitor({
		IfStatement: negate,
		ConditionalExpression: negate,
		BinaryExpression: oppose,
		LogicalExpression: oppose,
		ReturnStatement: empty,
		ExpressionStatement: drop,
		Literal: flip,
	}).visit(parseSync(path, source).program);
	return faults;
}

/** By the text of its line and not by its place: a change elsewhere leaves the choice as it was. */
function rankOf({ path, from, text }: Fault): string {
	const source = sourceOf(path);
	const line = source.slice(source.lastIndexOf('\n', from) + 1, source.indexOf('\n', from));
	return createHash('sha256').update(`${seed} ${path} ${line} ${text}`).digest('hex');
}

/** The files that a file imports by name. */
function importsOf(path: string): string[] {
	return [...sourceOf(path).matchAll(/(?:from|import\(|import) ?'((?:#|\.)[^']+)'/g)].map(([, name = '']) =>
		name.startsWith('#') ? name.slice(1) : posix.join(dirname(path), name),
	);
}

/** The tests of some rooms: those beside the file, then by how many imports lie between each and the file. */
function nearestTests(path: string, importers: ReadonlyMap<string, string[]>, rooms: readonly string[]): string[] {
	const reached = new Set([path]);
	for (const file of reached) for (const importer of importers.get(file) ?? []) reached.add(importer);
	const tests = [...reached].filter((file) => isTest(file) && rooms.some((room) => file.startsWith(`${room}/`)));
	const isBeside = (test: string) => dirname(test) === dirname(path);
	return [...tests.filter(isBeside), ...tests.filter((test) => !isBeside(test))].slice(0, MOST_TESTS);
}

/** Whether they all pass. Ends everything that they have started, also where a fault lets it run on without end. */
async function testsPass(tests: readonly string[]): Promise<boolean> {
	const child = spawn(
		join(copy, 'node_modules/.bin/vitest'),
		['run', '--bail=1', '--reporter=dot', '--testTimeout=60000', ...tests],
		{ cwd: copy, stdio: 'ignore', detached: true },
	);
	const endAll = () => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL');
	const tooLong = setTimeout(endAll, TOO_LONG);
	const [code] = await once(child, 'exit');
	clearTimeout(tooLong);
	return code === 0;
}

copyTree(copy);
try {
	const importers = new Map<string, string[]>();
	for (const file of ['lib', 'hooks-bridge', 'server'].flatMap(filesBelow)) {
		for (const imported of importsOf(file)) importers.set(imported, [...(importers.get(imported) ?? []), file]);
	}
	console.log(`mutations: seed ${seed}`);
	let caught = 0;
	let made = 0;
	for (const [part, rooms] of Object.entries(PARTS)) {
		if (values.only !== undefined && part !== values.only) continue;
		const ranked = rooms
			.flatMap(filesBelow)
			.filter(isProduct)
			.flatMap((path) => {
				const tests = nearestTests(path, importers, Object.values(PARTS).flat());
				return tests.length === 0 ? [] : faultsIn(path).map((fault) => ({ fault, tests, rank: rankOf(fault) }));
			})
			.sort((a, b) => (a.rank < b.rank ? -1 : 1))
			.slice(0, FAULTS_A_PART);
		if (!(await testsPass([...new Set(ranked.flatMap(({ tests }) => tests))]))) {
			console.error(`mutations: the tests of the ${part} fail without a fault`);
			process.exitCode = 1;
			continue;
		}
		let noticed = 0;
		for (const { fault, tests } of ranked) {
			const source = sourceOf(fault.path);
			writeFileSync(join(copy, fault.path), source.slice(0, fault.from) + fault.text + source.slice(fault.to));
			const passed = await testsPass(tests);
			writeFileSync(join(copy, fault.path), source);
			if (!passed) noticed += 1;
			else {
				const line = source.slice(0, fault.from).split('\n').length;
				console.log(`not noticed: ${fault.path}:${line}: ${source.slice(fault.from, fault.to)} -> ${fault.text}`);
			}
		}
		console.log(`${part}: ${noticed} of ${ranked.length} noticed`);
		caught += noticed;
		made += ranked.length;
	}
	console.log(`mutations: ${caught} of ${made} noticed`);
} finally {
	rmSync(dirname(copy), { recursive: true });
}
