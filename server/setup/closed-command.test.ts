import { chmodSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { doorProof } from '#hooks-bridge/door/hook-run.ts';
import type { InstalledHook } from '#hooks-bridge/testing/installed-hook.ts';
import { soakCounts, soakRuns } from '#soak/rig/soak-runs.ts';
import { installClosedHook } from '../testing/closed-hook.ts';
import { earlierClosedCommand } from '../testing/earlier-closed-command.ts';
import { closedCommand } from './closed-command.ts';

vi.setConfig({ testTimeout: 600_000 });

let hook: InstalledHook;
let key: string;
beforeEach(async () => {
	({ hook, key } = await installClosedHook());
});
afterEach(() => hook.remove());

interface Circumstances {
	timeout?: number;
	env?: Record<string, string>;
	/** What follows the command. */
	more?: string;
	/** The entry, where it is not the one of this version. */
	entry?: (timeout: number) => string;
}
/** What the entry prints about a command line, run as the client does. */
const ask = async (
	command: string,
	{ timeout = 30, env = {}, more = '', entry = closedCommand }: Circumstances = {},
) => {
	const end = await hook.run(['-c', `${entry(timeout)}${more}`], hook.bashCall(command), {
		command: '/bin/sh',
		env,
	});
	if (end.stdout !== '') expect(JSON.parse(end.stdout)).toBeTypeOf('object');
	expect(end.stdout.split('\n').length).toBeLessThanOrEqual(2);
	return end;
};
const reasonOf = async (...call: Parameters<typeof ask>): Promise<string> => {
	const { code, stdout } = await ask(...call);
	if (code !== 0 || stdout === '') return `passed with ${code}`;
	const { permissionDecision, permissionDecisionReason } = JSON.parse(stdout).hookSpecificOutput;
	return permissionDecision === 'deny' ? permissionDecisionReason : `passed: ${stdout}`;
};
const program = (name: string, text: string) => {
	writeFileSync(join(hook.bin, name), text);
	chmodSync(join(hook.bin, name), 0o755);
};
const UNPROVEN = 'did not prove that it judged this call';

describe('R1103 the fail-closed entry', () => {
	it('lets pass what was judged, with a server and without one, and denies what is excluded', async () => {
		expect(await ask('ls')).toEqual({ code: 0, stdout: '', stderr: '' });
		expect(await reasonOf('ls; rm x')).toBe('rm is not allowed here [rm x]');
		let pid: unknown;
		const answer = '{"systemMessage":"é \\\\n x"}';
		await hook.serve((request, response) => {
			pid = request.headers['x-signalbox-pid'];
			const proof = doorProof(key, String(request.headers['x-signalbox-request']), answer);
			const type = `application/json; proof=${proof}`;
			request.resume().on('end', () => response.writeHead(200, { 'content-type': type }).end(answer));
		});
		expect(await ask('ls')).toEqual({ code: 0, stdout: `${answer}\n`, stderr: '' });
		// The client is who started the entry, not the entry.
		expect(pid).toBe(String(process.pid));
	});

	const allow = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}';
	const deny =
		'{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Signalbox: ';
	const PROGRAMS: Record<string, [text: string, says: string]> = {
		'is empty': ['', UNPROVEN],
		'says nothing': ['#!/bin/sh\nexit 0\n', UNPROVEN],
		'reads its input and says nothing': ['#!/bin/sh\ncat >/dev/null\n', UNPROVEN],
		'says {}': ['#!/bin/sh\necho {}\n', UNPROVEN],
		'says allow': [`#!/bin/sh\necho '${allow}'\n`, UNPROVEN],
		'repeats its words': ['#!/bin/sh\necho; echo "$@"\n', UNPROVEN],
		'repeats what it is told': ['#!/bin/sh\necho; cat <&3\n', UNPROVEN],
		'says the digest of nothing': ['#!/bin/sh\necho; printf "" | sha256sum | cut -c 1-64\n', UNPROVEN],
		'denies and takes it back': [`#!/bin/sh\necho '${deny}x"},"hookSpecificOutput":{"a":"b"}}'\n`, UNPROVEN],
		'denies in two lines': [`#!/bin/sh\nprintf '%s\\n' '${deny}x' 'y"}}'\n`, UNPROVEN],
		'denies without a proof': [`#!/bin/sh\necho '${deny}because"}}'\n`, 'because'],
		fails: ['#!/bin/sh\nexit 7\n', 'broke down'],
		'is killed': ['#!/bin/sh\nkill -9 $$\n', 'broke down'],
		'is no program': ['\u007fELF', 'broke down'],
	};
	it.each(Object.entries(PROGRAMS))('denies where the program %s', async (_, [text, says]) => {
		program('hook.sh', text);
		expect(await reasonOf('ls')).toContain(says);
	});

	it('denies if another program is in its place, if it hangs, and if it is missing', async () => {
		for (const other of ['true', 'echo', 'cat', 'env']) {
			rmSync(join(hook.bin, 'hook.sh'));
			symlinkSync(`/usr/bin/${other}`, join(hook.bin, 'hook.sh'));
			expect([other, await reasonOf('ls')]).toEqual([other, expect.stringMatching(/broke down|did not prove/)]);
		}
		rmSync(join(hook.bin, 'hook.sh'));
		expect(await reasonOf('ls')).toContain('the hook is missing');
		program('hook.sh', '#!/bin/sh\ntrap "" TERM\nwhile :; do sleep 60; done\n');
		expect(await reasonOf('ls', { timeout: 2 })).toContain('did not end in time');
	});

	it('denies with the proof of another run, or by another key', async () => {
		const replyFile = join(hook.home, 'said');
		writeFileSync(replyFile, `\n${doorProof(key, 'another', '')}\n`);
		program('hook.sh', `#!/bin/sh\ncat '${replyFile}'\n`);
		expect(await reasonOf('ls')).toContain(UNPROVEN);
		// The same with the right name is a pass.
		const prove = `read -r n <&3; printf '\\n%s\\n' "$(printf '%s\\n%s\\n\\n%s' ${key} "$n" ${key} | sha256sum | cut -c 1-64)"`;
		program('hook.sh', `#!/bin/sh\n${prove}\n`);
		expect(await ask('ls')).toEqual({ code: 0, stdout: '', stderr: '' });
		writeFileSync(join(hook.home, 'door.key'), `${'f'.repeat(64)}\n`);
		expect(await reasonOf('ls')).toContain(UNPROVEN);
	});

	it('denies without a key, and where nothing can be digested', async () => {
		expect(await reasonOf('ls', { env: { PATH: join(hook.home, 'no-programs') } })).toContain('Signalbox: ');
		for (const text of ['', 'short\n', `\n${key}\n`]) {
			writeFileSync(join(hook.home, 'door.key'), text);
			expect(await reasonOf('ls')).toContain('the key of the hooks is missing or damaged');
		}
		rmSync(join(hook.home, 'door.key'));
		expect(await reasonOf('ls')).toContain('the key of the hooks is missing or damaged');
	});

	it('ends with 2 where no denial can be printed', async () => {
		const { code, stdout } = await ask('rm x', { more: ' >/dev/full' });
		expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
	});
});

/** Every line's end, and bytes between them. */
function cutsOf(text: Buffer, random: () => number, most: number): number[] {
	const ends = [...text.entries()].flatMap(([at, byte]) => (byte === 0x0a ? [at, at + 1] : []));
	const between = Array.from({ length: 20 }, () => Math.floor(random() * text.length));
	const all = [0, 1, ...ends, ...between].filter((at) => at < text.length - 1);
	const picked =
		all.length <= most ? all : Array.from({ length: most }, () => all[Math.floor(random() * all.length)] ?? 0);
	return [...new Set(picked)].sort((one, other) => one - other);
}

describe('R1104 A3: a program of the hook that is cut off anywhere', () => {
	const seeded = (seed: number) => {
		let state = seed;
		return () => {
			state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
			return state / 0x7fffffff;
		};
	};
	/** The whole program's last line but the static answers: what is cut off behind it has done its work. */
	const END = 'print_answer "$body" "$proof"';

	it.each(['hook.sh', 'hook.cjs', 'hook-engine.cjs', 'hook-commands.cjs'])('lets nothing pass: %s', async (file) => {
		const { numRuns, seed } = soakRuns(`A3 ${file}`, 5, 1000);
		const whole = readFileSync(join(hook.bin, file));
		const cuts = cutsOf(whole, seeded(seed), numRuns);
		const through: number[] = [];
		const tryAll = async (isWhole: (text: string) => boolean, entry = closedCommand) => {
			for (const at of cuts) {
				const text = whole.toString('latin1', 0, at);
				program(file, text);
				const { code, stdout } = await ask('rm x', { entry });
				const isDenied = code === 2 || stdout.includes('"permissionDecision":"deny"');
				if (!isDenied && !isWhole(text)) through.push(at);
			}
		};
		await tryAll(() => false);
		if (file === 'hook.sh') {
			// A server that lets everything pass. The entry of this version takes its word without hook.sh.
			await hook.serve((request, response) => {
				const proof = doorProof(key, String(request.headers['x-signalbox-request']), '');
				const type = `application/json; proof=${proof}`;
				request.resume().on('end', () => response.writeHead(200, { 'content-type': type }).end());
			});
			await tryAll((text) => text.includes(END), earlierClosedCommand);
		}
		soakCounts(`A3 ${file}`, { cuts: cuts.length, 'let through': through.length });
		expect(through).toEqual([]);
	});
});
