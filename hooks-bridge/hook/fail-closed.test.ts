import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
	chmodSync,
	closeSync,
	existsSync,
	mkdirSync,
	openSync,
	realpathSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { soakCounts, soakRuns } from '#soak/rig/soak-runs.ts';
import { doorProof } from '../door/hook-run.ts';
import { ASKERS, type HookResult, type InstalledHook, installHook } from '../testing/installed-hook.ts';

vi.setConfig({ testTimeout: 120_000 });

let hook: InstalledHook;
beforeEach(async () => {
	hook = await installHook();
	writeFileSync(join(hook.home, 'config.json'), '{"commands":{"exclude":["rm"]}}');
});
afterEach(() => hook.remove());

/** Whether every version of the client would block the call: a denial on stdout, or exit code 2. */
const isBlocked = ({ code, stdout }: HookResult): boolean => {
	if (code === 2) return true;
	if (code !== 0 || stdout === '') return false;
	return JSON.parse(stdout).hookSpecificOutput?.permissionDecision === 'deny';
};
/** With `onFailure: "block"`, which the closed entry has, a hook that fails in any way is no pass either. */
const isBlockedSince2_1_295 = (result: HookResult): boolean => result.code !== 0 || isBlocked(result);

/** A PATH of the machine's own programs without some of them. */
function pathWithout(...missing: string[]): string {
	const tools = join(hook.bin, 'tools');
	mkdirSync(tools);
	for (const name of ['sh', 'date', 'node', 'curl', 'timeout', 'head', 'sha256sum'].filter(
		(each) => !missing.includes(each),
	)) {
		const folder = (process.env.PATH ?? '').split(delimiter).find((each) => existsSync(join(each, name)));
		if (folder) symlinkSync(realpathSync(join(folder, name)), join(tools, name));
	}
	return tools;
}

interface Circumstances {
	env?: Record<string, string>;
	input?: string | Buffer | null;
	timeout?: string;
}
interface Fault {
	/** Brings it about; may give an environment and other bytes on stdin. */
	make: () => Promise<unknown>;
	/** What an allowed command gets: judged without the server, it may run; what cannot be judged may not. */
	harmless: 'runs' | 'blocked';
}

const answerWith = (write: (response: ServerResponse) => void) => async () => {
	await hook.serve((request, response) => {
		request.resume().on('end', () => write(response));
	});
};
/** A door that takes a connection and says these bytes, then nothing more. */
const rawDoor = async (bytes: string) => {
	const server = createServer((socket) => {
		socket.on('error', () => undefined).resume();
		socket.end(bytes);
	});
	await new Promise<void>((resolve) => server.listen(join(hook.home, 'bridge.sock'), resolve));
	return server;
};

const FAULTS: Record<string, Fault> = {
	'no server': { make: async () => undefined, harmless: 'runs' },
	'the socket refuses': {
		make: async () => {
			const script = join(hook.bin, 'leave.cjs');
			writeFileSync(
				script,
				`require('node:net').createServer().listen(process.argv[2], () => process.kill(process.pid, 'SIGKILL'))`,
			);
			await once(fork(script, [join(hook.home, 'bridge.sock')]), 'exit');
		},
		harmless: 'runs',
	},
	'the server hangs': {
		make: async () => {
			await hook.serve(() => undefined);
			return { timeout: '4' };
		},
		harmless: 'runs',
	},
	'the server says 500': { make: answerWith((response) => response.writeHead(500).end('{}')), harmless: 'blocked' },
	'the server says garbage': { make: answerWith((response) => response.end('hello')), harmless: 'blocked' },
	'the answer is cut off': {
		make: answerWith((response) => response.end('{"hookSpecificOutput":{"permissionDeci')),
		harmless: 'blocked',
	},
	'the connection is cut off': {
		make: answerWith((response) => {
			response.writeHead(200, { 'content-length': '500' }).write('{"hook');
			response.socket?.destroySoon();
		}),
		harmless: 'runs',
	},
	'a ticket without a kept denial is lost': {
		make: answerWith((response) => response.writeHead(303, { location: '/tickets/x' }).end('')),
		harmless: 'blocked',
	},
	'curl is missing': { make: async () => ({ env: { PATH: pathWithout('curl') } }), harmless: 'runs' },
	'node is missing': { make: async () => ({ env: { PATH: pathWithout('node') } }), harmless: 'blocked' },
	'curl and node are missing': {
		make: async () => ({ env: { PATH: pathWithout('curl', 'node') } }),
		harmless: 'blocked',
	},
	'node breaks down': {
		make: async () => {
			const path = pathWithout('node');
			writeFileSync(join(path, 'node'), '#!/bin/sh\nexit 7\n');
			chmodSync(join(path, 'node'), 0o755);
			return { env: { PATH: path } };
		},
		harmless: 'blocked',
	},
	'node is killed': {
		make: async () => {
			const path = pathWithout('node');
			writeFileSync(join(path, 'node'), '#!/bin/sh\nkill -9 $$\n');
			chmodSync(join(path, 'node'), 0o755);
			return { env: { PATH: path } };
		},
		harmless: 'blocked',
	},
	'the bundle is damaged': {
		make: async () => writeFileSync(join(hook.bin, 'hook.cjs'), 'throw new Error("damaged")'),
		harmless: 'blocked',
	},
	'the bundle is empty': { make: async () => writeFileSync(join(hook.bin, 'hook.cjs'), ''), harmless: 'blocked' },
	'the parser is missing': {
		make: async () => rmSync(join(hook.bin, 'hook-commands.cjs')),
		harmless: 'blocked',
	},
	'the engine is missing': { make: async () => rmSync(join(hook.bin, 'hook-engine.cjs')), harmless: 'blocked' },
	'the home cannot be written': {
		make: async () => writeFileSync(join(hook.home, 'sessions'), 'a file where the folder should be'),
		harmless: 'runs',
	},
	'the disk is full': {
		// A file that takes no byte more, as every file of a full disk.
		make: async () => {
			mkdirSync(join(hook.home, 'sessions/s1'), { recursive: true });
			symlinkSync('/dev/full', join(hook.home, 'sessions/s1/timeline.jsonl'));
		},
		harmless: 'runs',
	},
	"the person's config is no JSON": {
		make: async () => writeFileSync(join(hook.home, 'config.json'), '{"commands":{"exclude":["rm"]}'),
		harmless: 'blocked',
	},
	"the person's config is a folder": {
		make: async () => {
			rmSync(join(hook.home, 'config.json'));
			mkdirSync(join(hook.home, 'config.json'));
		},
		harmless: 'blocked',
	},
	"the project's config is no JSON": {
		make: async () => {
			mkdirSync(join(hook.project, '.overtone'));
			writeFileSync(join(hook.project, '.overtone/config.json'), 'x');
		},
		harmless: 'blocked',
	},
	'the patterns are no list': {
		make: async () => writeFileSync(join(hook.home, 'config.json'), '{"commands":{"exclude":"rm"}}'),
		harmless: 'blocked',
	},
	'the input is larger than 32 MiB': {
		make: async () => ({ input: Buffer.alloc(33 * 1024 * 1024, 0x20) }),
		harmless: 'blocked',
	},
	'the input is no JSON': { make: async () => ({ input: '{"hook_event_name":"PreToolUse"' }), harmless: 'blocked' },
	'the input is empty': { make: async () => ({ input: '' }), harmless: 'blocked' },
	'the input never ends': { make: async () => ({ input: null, timeout: '2' }), harmless: 'blocked' },
	'the state root has no place': {
		make: async () => ({ env: { OVERTONE_HOME: '/proc/at/all' } }),
		harmless: 'blocked',
	},
};

describe.each(ASKERS)('R735 A3: a fail-closed gate that cannot judge lets nothing through, %s', (_, perl) => {
	beforeEach(() => hook.setPerl(perl));

	it.each(Object.keys(FAULTS))('%s', async (name) => {
		const { make, harmless } = FAULTS[name] as Fault;
		const { env = {}, timeout = '15', input } = ((await make()) ?? {}) as Circumstances;
		const run = (command: string) =>
			hook.run(['closed', timeout], input === undefined ? hook.bashCall(command) : input, { env });
		const forbidden = await run('ls; sudo rm -rf x');
		// A home that is not there has no policy: everything is allowed in it.
		if (name !== 'the state root has no place')
			expect([name, forbidden, isBlocked(forbidden)]).toEqual([name, forbidden, true]);
		if (input !== undefined) return;
		const allowed = await run('ls');
		expect([name, allowed, isBlocked(allowed) ? 'blocked' : 'runs']).toEqual([name, allowed, harmless]);
		expect(forbidden.stdout.trim().split('\n')).toHaveLength(1);
	});
});

describe('beside an entry that fails open', () => {
	it.each(['the parser is missing', 'the engine is missing', "the person's config is no JSON"])(
		'%s: the silence of the other run is no pass for the closed one',
		async (name) => {
			await (FAULTS[name] as Fault).make();
			const call = hook.bashCall('rm -rf x');
			expect(isBlocked(await hook.run(['open', '15'], call))).toBe(false);
			expect(isBlocked(await hook.run(['closed', '15'], call))).toBe(true);
			const calls = hook.recorded('s1').filter(({ type }) => type === 'tool:call');
			expect(calls).toHaveLength(1);
		},
	);

	it('a call is judged once and recorded once', async () => {
		const call = hook.bashCall('ls');
		for (const profile of ['open', 'closed']) expect((await hook.run([profile, '15'], call)).stdout).toBe('');
		expect(hook.recorded('s1').map(({ type }) => type)).toEqual(['tool:call', 'gate:verdict']);
	});
});

describe.each(ASKERS)('what only the client can see, %s', (_, perl) => {
	beforeEach(() => hook.setPerl(perl));

	it('a hook that is killed has not printed a pass', async () => {
		await hook.serve(() => undefined);
		const child = spawn(join(hook.bin, 'hook.sh'), ['closed', '15'], {
			cwd: hook.project,
			env: { NODE_ENV: 'test', PATH: process.env.PATH ?? '', HOME: hook.home, OVERTONE_HOME: hook.home },
		});
		child.stdin.end(hook.bashCall('rm x'));
		let stdout = '';
		child.stdout.on('data', (text) => (stdout += text));
		child.kill('SIGKILL');
		const [code] = await once(child, 'exit');
		expect(isBlockedSince2_1_295({ code, stdout, stderr: '' })).toBe(true);
		expect(stdout).toBe('');
	});

	it('a stdout that is gone is no pass', async () => {
		const out = openSync('/dev/full', 'w');
		const child = spawn(join(hook.bin, 'hook.sh'), ['closed', '15'], {
			cwd: hook.project,
			env: { NODE_ENV: 'test', PATH: process.env.PATH ?? '', HOME: hook.home, OVERTONE_HOME: hook.home },
			stdio: ['pipe', out, 'ignore'],
		});
		child.stdin?.end(hook.bashCall('rm x'));
		const [code] = await once(child, 'exit');
		closeSync(out);
		expect(code).toBe(2);
	});
});

describe.each(ASKERS)('R800 C3: an impostor on the socket, asked by %s', (_, perl) => {
	beforeEach(() => hook.setPerl(perl));

	const says = (answer: string, type = 'application/json') =>
		`HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${answer.length}\r\nConnection: close\r\n\r\n${answer}`;
	const allow = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}';
	const IMPOSTORS: Record<string, string> = {
		'says nothing': says(''),
		'says allow': says(allow),
		'says something else': says('{"foo":1}'),
		'makes up a proof': says('', `application/json; proof=${'0'.repeat(64)}`),
		'has an empty proof': says('', 'application/json; proof='),
	};
	const node = async () => ({ env: { PATH: pathWithout('curl') } });

	it.each(Object.keys(IMPOSTORS))('that %s lets nothing through, with the key or without one', async (name) => {
		const server = await rawDoor(IMPOSTORS[name] as string);
		for (const key of [undefined, `${'0123456789abcdef'.repeat(4)}\n`, 'short\n']) {
			rmSync(join(hook.home, 'door.key'), { force: true });
			if (key !== undefined) writeFileSync(join(hook.home, 'door.key'), key);
			const result = await hook.run(['closed', '15'], hook.bashCall('rm x'));
			expect([name, key, result, isBlocked(result)]).toEqual([name, key, result, true]);
			expect(JSON.parse(result.stdout).hookSpecificOutput.permissionDecisionReason).toContain(
				'not the server of this home',
			);
		}
		const { env } = await node();
		const without = await hook.run(['closed', '15'], hook.bashCall('rm x'), { env });
		expect([name, without, isBlocked(without)]).toEqual([name, without, true]);
		await new Promise((resolve) => server.close(resolve));
	});

	it('gets nothing through by a proof for another run', async () => {
		const key = '0123456789abcdef'.repeat(4);
		writeFileSync(join(hook.home, 'door.key'), `${key}\n`);
		const answer = (requestId: string) => says('', `application/json; proof=${doorProof(key, requestId, '')}`);
		const server = await rawDoor(answer('another'));
		expect(isBlocked(await hook.run(['closed', '15'], hook.bashCall('rm x')))).toBe(true);
		await new Promise((resolve) => server.close(resolve));
		// The same with the right one is a pass: what was refused before was refused for its proof.
		await hook.serve((request, response) => {
			const type = `application/json; proof=${doorProof(key, String(request.headers['x-signalbox-request']), '')}`;
			request.resume().on('end', () => response.writeHead(200, { 'content-type': type }).end());
		});
		expect(isBlocked(await hook.run(['closed', '15'], hook.bashCall('rm x')))).toBe(false);
		const { env } = await node();
		expect(isBlocked(await hook.run(['closed', '15'], hook.bashCall('rm x'), { env }))).toBe(false);
	});

	it('that takes the input and hangs up gets nothing through by a forged record', async () => {
		await hook.serve((request) => {
			const { 'x-signalbox-request': requestId } = request.headers;
			const line = { id: 'e', ts: '', type: 'gate:verdict', category: '', label: '', sessionId: 's1', requestId };
			mkdirSync(join(hook.home, 'sessions/s1'), { recursive: true });
			const forged = `\n${JSON.stringify({ ...line, output: JSON.parse(allow) })}\n`;
			writeFileSync(join(hook.home, 'sessions/s1/timeline.jsonl'), forged);
			request.resume().on('end', () => request.socket.destroy());
		});
		const result = await hook.run(['closed', '15'], hook.bashCall('rm x'), { env: { CLAUDE_CODE_SESSION_ID: 's1' } });
		expect([result, isBlocked(result)]).toEqual([result, true]);
	});

	it('C3: whatever it answers, nothing is let through', async () => {
		const { numRuns, seed } = soakRuns('C3', 3, 100);
		const key = '0123456789abcdef'.repeat(4);
		writeFileSync(join(hook.home, 'door.key'), `${key}\n`);
		const bodies = ['', allow, '{}', '{"continue":true}', '[]', 'null', 'hello', `\n${allow}`];
		const types = [
			'application/json',
			'application/json; proof=',
			`application/json; proof=${doorProof(key, 'another', '')}`,
			`text/plain; proof=${doorProof(`${'0'.repeat(64)}`, 'x', allow)}`,
		];
		let state = seed;
		const pick = <T>(from: readonly T[]): T => {
			state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
			return from[state % from.length] as T;
		};
		let through = 0;
		await hook.serve((request, response) => {
			const status = pick([200, 200, 200, 303, 204, 422, 500]);
			const location = request.url?.startsWith('/tickets/') ? {} : { location: '/tickets/t-1' };
			const headers = { 'content-type': pick(types), ...(status === 303 && location) };
			request.resume().on('end', () => response.writeHead(status, headers).end(status === 204 ? '' : pick(bodies)));
		});
		for (let run = 0; run < numRuns; run += 1) {
			if (!isBlocked(await hook.run(['closed', '15'], hook.bashCall('rm x')))) through += 1;
		}
		soakCounts('C3', { impostors: numRuns, 'let through': through });
		expect(through).toBe(0);
	});
});
