import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { makeFolder } from '#hooks-bridge/disk/write-files.ts';
import { type InstalledHook, installHook } from '#hooks-bridge/testing/installed-hook.ts';
import { soakCounts, soakRuns } from '#soak/rig/soak-runs.ts';
import { findPackageRoot } from '../process/package-root.ts';
import { closedCommand } from '../setup/closed-command.ts';
import { openDoorKey } from './exchange.ts';

/** When a thread alone ends, as dying-door-thread.ts knows them. */
const endings = ['now', 'before a write', 'after a write'];

vi.setConfig({ testTimeout: 7_200_000, hookTimeout: 60_000 });

const WRITERS = 16;
/** Of an entry as `init` writes it: so a door that stalls has four seconds. */
const HOOK_TIMEOUT = 15;
/** That of a fail-closed entry, which ends itself then, however busy the machine is. */
const HELD_TIMEOUT = 60;
/** What the fail-closed entry says of a call that was lost in the hands of its door. */
const ASK_AGAIN = 'so ask for it again';

let built: string;
beforeAll(async () => {
	const cache = join(findPackageRoot(), 'node_modules/.cache');
	makeFolder(cache);
	built = mkdtempSync(join(cache, 'door-child-'));
	await build({
		entryPoints: {
			'door-child': join(import.meta.dirname, '../testing/door-child.ts'),
			'door-thread': join(import.meta.dirname, '../testing/dying-door-thread.ts'),
		},
		outdir: built,
		bundle: true,
		format: 'esm',
		platform: 'node',
		packages: 'external',
	});
});
afterAll(() => rmSync(built, { recursive: true }));

let hook: InstalledHook;
beforeEach(async () => {
	hook = await installHook();
	writeFileSync(join(hook.home, 'config.json'), '{"commands":{"exclude":["rm"]}}');
	symlinkSync(hook.bin, join(hook.home, 'bin'));
	// As `init` makes it: a key that appears between an answer and the look at its proof makes a closed hook deny.
	openDoorKey(hook.home);
});
afterEach(() => hook.remove());

interface AskedCall {
	id: string;
	profile: string;
	command: string;
	isDenied: boolean;
	/** Denied since its door had it in its hands: another run, beside it, tells and judges the call. */
	isGivenBack: boolean;
	/** What the hook printed. */
	stdout: string;
}

test('R1106 R2553 kill: doors, and their threads alone, that are killed and stalled under 16 writers lose no event, no verdict, and record nothing twice', async () => {
	const { numRuns, seed } = soakRuns('kill', 2, 1000);
	let state = seed;
	const below = (end: number) => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return Math.floor((state / 2 ** 32) * end);
	};
	const calls: AskedCall[] = [];
	let isOver = false;

	const write = async (writer: number) => {
		for (let n = 0; !isOver; n += 1) {
			const profile = ['open', 'closed', 'closed entry'][below(3)] ?? 'open';
			const command = below(2) === 0 ? 'rm x' : 'ls';
			const id = `t-${writer}-${n}`;
			const call = { session_id: `s${below(3)}`, cwd: hook.project, hook_event_name: 'PreToolUse', tool_name: 'Bash' };
			const text = JSON.stringify({ ...call, tool_use_id: id, tool_input: { command } });
			const roundsAtStart = rounds;
			const { code, stdout } =
				profile === 'closed entry'
					? await hook.run(['-c', closedCommand(HELD_TIMEOUT)], text, { command: '/bin/sh' })
					: await hook.run([profile, String(HOOK_TIMEOUT)], text);
			expect([code, stdout.split('\n').length <= 2]).toEqual([0, true]);
			const isGivenBack = profile === 'closed entry' && stdout.includes(ASK_AGAIN);
			const isDenied = stdout.includes('"permissionDecision":"deny"');
			calls.push({ id, profile, command, isDenied, isGivenBack, stdout });
			if (roundsAtStart === rounds) answered();
		}
	};
	let rounds = 0;
	let answered = (): void => undefined;
	/** Until a hook that came after this moment has its answer. */
	const nextAnswer = () => {
		rounds += 1;
		return new Promise<void>((resolve) => {
			answered = resolve;
		});
	};
	const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
	const counts = { kills: 0, 'of the thread alone': 0, 'in its start': 0, 'after a stall': 0 };
	const kill = async () => {
		for (let n = 0; n < numRuns; n += 1) {
			const door: ChildProcess = fork(join(built, 'door-child.js'), [hook.home]);
			const exit = once(door, 'exit');
			const inStart = below(8) === 0;
			if (inStart) await wait(below(150));
			else {
				await once(door, 'message');
				await wait(below(400));
				if (below(3) === 0) {
					const isOpen = once(door, 'message');
					door.send(endings[below(endings.length)] ?? 'now');
					await isOpen;
					counts['of the thread alone'] += 1;
					await wait(below(400));
				}
				if (below(6) === 0) {
					door.kill('SIGSTOP');
					await nextAnswer();
					counts['after a stall'] += 1;
				}
			}
			door.kill('SIGKILL');
			await exit;
			counts.kills += 1;
			if (inStart) counts['in its start'] += 1;
		}
		isOver = true;
	};
	await Promise.all([kill(), ...Array.from({ length: WRITERS }, (_, writer) => write(writer))]);

	const lines = ['s0', 's1', 's2'].flatMap((session) => hook.recorded(session));
	const idsOf = (id: string, type: string) =>
		new Set(lines.filter((line) => line.toolUseId === id && line.type === type).map((line) => line.id)).size;
	const kept = calls.filter(({ isGivenBack }) => !isGivenBack);
	const lost = kept.filter(({ id }) => idsOf(id, 'tool:call') === 0 || idsOf(id, 'gate:verdict') === 0);
	const doubled = calls.filter(({ id }) => idsOf(id, 'tool:call') > 1);
	const unjudged = calls.filter(({ command, isDenied }) => command === 'rm x' && !isDenied);
	const inVain = kept.filter(({ command, isDenied }) => command === 'ls' && isDenied);
	soakCounts('kill', {
		...counts,
		hooks: calls.length,
		'to be denied': calls.filter(({ command }) => command === 'rm x').length,
		lost: lost.length,
		doubled: doubled.length,
		unjudged: unjudged.length,
		'denied in vain': inVain.length,
		'given back by the fail-closed entry': calls.length - kept.length,
	});
	expect({ lost, doubled, unjudged, inVain }).toEqual({ lost: [], doubled: [], unjudged: [], inVain: [] });
});
