/*
 * `npm test`: everything that CI runs, from a fresh clone. All steps run even when one fails; the last line says
 * `N passed, N failed`, where each failed command without tests of its own (types, lint, build) counts as a failure.
 * With names of steps as arguments, only those run.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { ensureTestPackages, exitWithAdvice, ROOT } from './requirements.mjs';
import { makeTemporaryFolder } from './temporary-folder.mjs';
import { countTests, skippedTests } from './test-counts.mjs';

const REPORTS = 'test-results';
const vitest = (name, ...which) =>
	`vitest run --reporter=default --reporter=json --outputFile.json=${REPORTS}/${name}.json ${which.join(' ')}`;
/** Steps in lanes that run beside each other, as many as a small machine has cores. The browser tests come after both. */
const LANES = [
	[{ name: 'unit', commands: [vitest('unit', '--project=!pure')], report: 'unit.json' }],
	[
		{ name: 'types', commands: ['npm run --silent check:types'] },
		{ name: 'build', commands: ['node scripts/build.mjs', 'node scripts/build-package.mjs'] },
		{ name: 'pure', commands: [vitest('pure', '--project=pure')], report: 'pure.json' },
		{
			name: 'lint',
			commands: ['check:code', 'check:unused', 'check:shell', 'costs', 'trip'].map(
				(name) => `npm run --silent ${name}`,
			),
		},
	],
];
const BROWSER = {
	name: 'e2e',
	commands: ['playwright test --grep-invert @full'],
	report: 'playwright.json',
	needs: ['build'],
};
const STEPS = [...LANES.flat(), BROWSER];

/** Browsers and the clients that they watch stay on the disk, where people have them. */
const TEMPORARY = { quick: makeTemporaryFolder(), usual: makeTemporaryFolder(tmpdir()) };

const environment = {
	...process.env,
	PATH: [join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter),
	NEXT_TELEMETRY_DISABLED: '1',
	SIGNALBOX_TEST_DISK: TEMPORARY.usual,
	// Each tool picks its own; one from outside would turn the tests into something else.
	NODE_ENV: undefined,
	// Vitest colours its report wherever CI is set, a log file included.
	...(!process.stdout.isTTY && { NO_COLOR: '1' }),
};

/** Runs one command with its output shown and gives its exit code. No command of ours has an argument with a blank. */
function runCommand(line, temporary) {
	console.log(`\n$ ${line}`);
	const [command, ...args] = line.split(' ');
	const env = { ...environment, TMPDIR: temporary };
	const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'], env });
	return new Promise((resolve) => {
		child.on('error', () => resolve(1));
		child.on('exit', (code) => resolve(code ?? 1));
	});
}

function readReport(file) {
	const path = join(ROOT, REPORTS, file);
	return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

/** Runs a step once those that it needs are done; `running` holds what becomes of each step that was begun, by name. */
async function runStep(step, running) {
	const needed = await Promise.all(step.needs?.map((name) => running.get(name)) ?? []);
	const started = performance.now();
	const blocked = needed.some((other) => other?.failed > 0);
	const codes = blocked ? [1] : [];
	const temporary = step === BROWSER ? TEMPORARY.usual : TEMPORARY.quick;
	for (const command of blocked ? [] : step.commands) codes.push(await runCommand(command, temporary));
	const exitCode = Math.max(...codes);
	const report = step.report && readReport(step.report);
	const counts = step.report
		? countTests(report, exitCode)
		: { passed: 0, failed: codes.filter((code) => code !== 0).length, skipped: 0 };
	const seconds = Math.round((performance.now() - started) / 1000);
	return { name: step.name, ...counts, missed: skippedTests(report), hasTests: Boolean(step.report), blocked, seconds };
}

function describe({ name, passed, failed, skipped, missed, hasTests, blocked, seconds }) {
	if (blocked) return `${name.padEnd(6)} not run`;
	const verdict = failed > 0 ? 'FAILED' : 'ok';
	const tests = hasTests ? `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}` : '';
	const line = `${name.padEnd(6)} ${verdict.padEnd(7)} ${String(seconds).padStart(4)} s  ${tests}`.trimEnd();
	return [line, ...missed.map((test) => `       skipped: ${test}`)].join('\n');
}

const wanted = process.argv.slice(2);
const names = STEPS.map(({ name }) => name);
if (wanted.some((name) => !names.includes(name))) {
	console.error(`The steps are: ${names.join(', ')}.`);
	process.exit(2);
}
const steps = STEPS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));

try {
	ensureTestPackages({ browser: steps.some((step) => step.name === 'e2e') });
} catch (error) {
	exitWithAdvice(error);
}

rmSync(join(ROOT, REPORTS), { recursive: true, force: true });
const running = new Map();
async function runInTurn(lane) {
	for (const step of lane.filter((step) => steps.includes(step))) {
		running.set(step.name, runStep(step, running));
		await running.get(step.name);
	}
}
await Promise.all(LANES.map(runInTurn));
await runInTurn([BROWSER]);
const results = await Promise.all(running.values());
results.sort((a, b) => names.indexOf(a.name) - names.indexOf(b.name));

const total = (key) => results.reduce((sum, result) => sum + result[key], 0);
console.log(`\n${results.map(describe).join('\n')}`);
console.log(`${total('passed')} passed, ${total('failed')} failed`);
process.exitCode = total('failed') > 0 ? 1 : 0;
