/*
 * `npm run bench hook`: what one hook costs the agent, beside the least that its programs can cost. The environment
 * holds PATH and HOME alone.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { REPOSITORY } from '#e2e/rig/repository.ts';
import { startServer } from '#e2e/rig/running-server.ts';
import { closedCommand } from '#server/setup/closed-command.ts';
import { installHook } from '#server/setup/install-hook.ts';
import { bashCall } from './rig/bash-call.ts';
import { olderBuild } from './rig/older.ts';
import { median } from './rig/quantile.ts';
import { begin, ms, report, times } from './rig/report.ts';

const ROUNDS = 20;
const RUNS = 10;

if (spawnSync('hyperfine', ['--version']).error) {
	console.error('bench: hook needs hyperfine; on Debian or Ubuntu: sudo apt-get install hyperfine');
	process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'sbx-bench-hook-'));
const input = join(folder, 'input.json');
const results = join(folder, 'results.json');
// Without the call's id, which would make every run after the first a repeated one.
writeFileSync(input, bashCall('hook', '').replace(/,"tool_use_id":"[^"]*"/, ''));

/** The fail-closed entry and the hook, as `init` writes them. */
function installClosedEntry(home: string): string {
	installHook(home);
	writeFileSync(join(home, 'config.json'), '{"commands":{"exclude":["rm"]}}');
	const entry = join(folder, 'closed-entry');
	writeFileSync(entry, closedCommand(60));
	return fed(`sh ${entry}`);
}

/** What a command took in one round, in ms: the median by the clock, and the mean of its processor time. */
interface Taken {
	clock: number;
	processor: number;
}

/** What every command took in each round; the commands of a round run right after each other. */
function race(home: string, commands: Readonly<Record<string, string>>): Map<string, Taken[]> {
	const names = Object.keys(commands);
	const rounds = new Map<string, Taken[]>(names.map((name) => [name, []]));
	for (let nth = 0; nth < ROUNDS; nth += 1) {
		const flags = ['-N', '--warmup', '1', '--runs', String(RUNS), '--export-json', results];
		const bare = ['-i', `PATH=${process.env.PATH}`, `HOME=${folder}`, `OVERTONE_HOME=${home}`];
		execFileSync('env', [...bare, 'hyperfine', ...flags, ...Object.values(commands)], { stdio: 'ignore' });
		const found = JSON.parse(readFileSync(results, 'utf8')) as {
			results: { median: number; user: number; system: number }[];
		};
		for (const [n, name] of names.entries()) {
			const { median, user, system } = found.results[n] ?? { median: Number.NaN, user: Number.NaN, system: Number.NaN };
			rounds.get(name)?.push({ clock: median * 1000, processor: (user + system) * 1000 });
		}
	}
	return rounds;
}

/** The median over the rounds of what one command took divided by what another did. */
function ratio(rounds: Map<string, Taken[]>, one: string, other: string, by: keyof Taken = 'clock'): number {
	const others = rounds.get(other) ?? [];
	return median((rounds.get(one) ?? []).map((taken, index) => taken[by] / (others[index]?.[by] ?? Number.NaN)));
}

const middle = (rounds: Map<string, Taken[]>, name: string): string =>
	ms(median((rounds.get(name) ?? []).map(({ clock }) => clock)));

/** Older hyperfines cannot give a program its stdin; the shell that does costs ours about 0.5 ms more. */
const fed = (command: string) => `sh -c "exec ${command} < ${input}"`;
const installed = join(REPOSITORY, 'dist/hook.sh');
const hook = fed(`sh ${installed} open 60`);
// The same hook on a machine whose system has no perl.
const withoutPerl = join(folder, 'hook.sh');
writeFileSync(withoutPerl, readFileSync(installed, 'utf8').replace('perl=/usr/bin/perl\n', 'perl=/nowhere/perl\n'));
for (const name of ['hook.cjs', 'hook-engine.cjs', 'hook-commands.cjs']) {
	symlinkSync(join(REPOSITORY, 'dist', name), join(folder, name));
}
const curlHook = fed(`sh ${withoutPerl} open 60`);
const server = await startServer();
try {
	begin(`one hook: medians of ${ROUNDS} rounds of ${RUNS} runs`);
	const commands = { hook, 'hook without perl': curlHook, curl: 'curl --version', node: `${process.execPath} -e 0` };
	const open = race(server.home, commands);
	for (const name of Object.keys(commands)) report(name, middle(open, name));
	report('hook through the door / curl --version', times(ratio(open, 'hook', 'curl')), '<= 0.8 x');
	report('the same without perl', times(ratio(open, 'hook without perl', 'curl')), '<= 1.3 x');
	report('by processor time', times(ratio(open, 'hook', 'curl', 'processor')), '<= 0.8 x');
	report('the same without perl', times(ratio(open, 'hook without perl', 'curl', 'processor')), '<= 1.3 x');
	report('hook through the door / node -e 0', times(ratio(open, 'hook', 'node')), '<= 0.5 x');

	const guarded = race(server.home, { entry: installClosedEntry(server.home), curl: commands.curl });
	report('fail-closed entry through the door / curl --version', times(ratio(guarded, 'entry', 'curl')), '<= 1.35 x');

	const older = olderBuild();
	if (older) {
		// Both are new: the first server has a policy by now, and a session of some thousand calls.
		const ours = await startServer();
		const other = await startServer({}, { program: join(older.folder, 'dist/signalbox.js') });
		// Each asks the server of its own home, and both are told so in the same way.
		const at = (home: string, root: string) =>
			`sh -c "OVERTONE_HOME=${home} exec sh ${join(root, 'dist/hook.sh')} open 60 < ${input}"`;
		try {
			const both = race(ours.home, { hook: at(ours.home, REPOSITORY), older: at(other.home, older.folder) });
			report(`hook through the door / the same of ${older.commit}`, times(ratio(both, 'hook', 'older')));
		} finally {
			await Promise.all([ours.dispose(), other.dispose()]);
		}
	}

	const empty = join(folder, 'no-server');
	mkdirSync(empty);
	const program = join(REPOSITORY, 'dist/hook.cjs');
	const fallback = fed(`${process.execPath} ${program} --offline --profile open --timeout 60`);
	const closed = race(empty, { hook, fallback, node: commands.node });
	report('hook without a server', middle(closed, 'hook'));
	report('hook without a server / node -e 0', times(ratio(closed, 'hook', 'node')), '<= 1.8 x');
	report('of that the node program alone / node -e 0', times(ratio(closed, 'fallback', 'node')), '<= 1.3 x');
	report('the program alone, by processor time', times(ratio(closed, 'fallback', 'node', 'processor')), '<= 1.3 x');
} finally {
	await server.dispose();
	rmSync(folder, { recursive: true });
}
