import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { doorProof } from '#hooks-bridge/door/hook-run.ts';
import type { InstalledHook } from '#hooks-bridge/testing/installed-hook.ts';
import { installClosedHook } from '../testing/closed-hook.ts';
import { closedCommand } from './closed-command.ts';

vi.setConfig({ testTimeout: 120_000 });

let hook: InstalledHook;
let key: string;
beforeEach(async () => {
	({ hook, key } = await installClosedHook());
});
afterEach(() => hook.remove());

const run = (
	command: string,
	timeout = 30,
	env: Record<string, string> = {},
	input: string | Buffer = hook.bashCall(command),
) => hook.run(['-c', closedCommand(timeout)], input, { command: '/bin/sh', env });
/** The words of a denial, or how the call passed. */
const verdictOf = async (...call: Parameters<typeof run>): Promise<string> => {
	const { code, stdout } = await run(...call);
	if (code !== 0 || stdout === '') return `passed with ${code}`;
	const { permissionDecision, permissionDecisionReason } = JSON.parse(stdout).hookSpecificOutput ?? {};
	return permissionDecision === 'deny' ? permissionDecisionReason : `passed: ${stdout}`;
};

const proofOf = ({ headers }: IncomingMessage, body: string) =>
	`application/json; proof=${doorProof(key, String(headers['x-signalbox-request']), body)}`;
const reply = (
	request: IncomingMessage,
	response: ServerResponse,
	body: string,
	more: { status?: number; headers?: Record<string, string>; type?: string } = {},
) => {
	const { status = 200, headers = {}, type = proofOf(request, body) } = more;
	request.resume().on('end', () => response.writeHead(status, { 'content-type': type, ...headers }).end(body));
};
const deny = (why: string) =>
	`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"${why}"}}`;
/** A door that speaks no HTTP of node's own; what it gets stays open until the test's end. */
const rawDoor = async (listener: (socket: Socket) => void) => {
	const sockets: Socket[] = [];
	const server = createServer((socket) => {
		sockets.push(socket);
		socket.on('error', () => undefined);
		listener(socket);
	});
	await new Promise<void>((resolve) => server.listen(join(hook.home, 'bridge.sock'), resolve));
	return async () => {
		for (const socket of sockets) socket.destroy();
		await new Promise((resolve) => server.close(resolve));
	};
};

/** A folder of some of the machine's own programs. */
function folderOf(...names: string[]): string {
	const folder = join(hook.home, 'tools');
	mkdirSync(folder);
	const path = (process.env.PATH ?? '').split(delimiter);
	for (const name of names) {
		const directory = path.find((each) => existsSync(join(each, name)));
		if (directory) symlinkSync(join(directory, name), join(folder, name));
	}
	return folder;
}

describe('the fail-closed entry asks the door by itself', () => {
	it('and takes what is proven, without another program of the home', async () => {
		writeFileSync(join(hook.bin, 'hook.sh'), '#!/bin/sh\nexit 7\n');
		const seen: IncomingMessage[] = [];
		const texts: string[] = [];
		await hook.serve((request, response) => {
			let text = '';
			request.on('data', (chunk) => (text += chunk)).on('end', () => texts.push(text));
			seen.push(request);
			reply(request, response, texts.length === 0 && seen.length === 1 ? '' : deny('no'));
		});
		const env = { CLAUDE_PROJECT_DIR: '/a b', CLAUDE_CONFIG_DIR: 'c\nX-Other: 1', CLAUDE_PID: '42', SECRET: 's' };
		const input = hook.bashCall('ls');
		expect(await run('', 30, env, input)).toEqual({ code: 0, stdout: '', stderr: '' });
		expect(texts).toEqual([input]);
		expect(Object.entries(seen[0]?.headers ?? {}).filter(([name]) => name.startsWith('x-'))).toEqual([
			['x-signalbox-request', expect.stringMatching(/^[\w-]{36}$/)],
			['x-signalbox-profile', 'closed'],
			['x-signalbox-timeout', '30'],
			['x-signalbox-pid', '42'],
			['x-signalbox-env-claude_project_dir', '/a b'],
			['x-signalbox-dropped', 'CLAUDE_CONFIG_DIR'],
		]);
		expect(await verdictOf('ls')).toBe('no');
		expect(seen[1]?.headers['x-signalbox-pid']).toBe(String(process.pid));
	});

	const UNPROVEN: Record<string, RequestListener> = {
		'says nothing': (request, response) => reply(request, response, '', { type: 'application/json' }),
		'proves another answer': (request, response) => reply(request, response, '', { type: proofOf(request, '{}') }),
		'ends with the proof of nothing': (request, response) =>
			reply(request, response, '{}', { type: proofOf(request, '') }),
		'sends on to a ticket': (request, response) =>
			reply(request, response, '', { status: 303, headers: { location: '/tickets/t-1' }, type: 'application/json' }),
	};
	it.each(Object.entries(UNPROVEN))('and lets nothing through to one that %s', async (_, listener) => {
		await hook.serve(listener);
		expect(await verdictOf('ls')).toContain('not the server of this home');
	});

	it('and lets nothing through on an answer that is none', async () => {
		let at = 0;
		const STATUSES = [500, 204, 404, 413];
		await hook.serve((request, response) => reply(request, response, '', { status: STATUSES[at] ?? 500 }));
		for (at = 0; at < STATUSES.length; at += 1) {
			expect(await verdictOf('ls')).toMatch(/could not judge this call|larger than 32 MiB/);
		}
	});

	it('and of a proven answer takes an object or nothing', async () => {
		await hook.serve((request, response) => reply(request, response, 'hello'));
		expect(await verdictOf('ls')).toContain('the answer could not be read');
	});

	it('and ends with 2 where the door refuses the input', async () => {
		await hook.serve((request, response) => reply(request, response, 'no JSON', { status: 422 }));
		expect(await run('ls')).toEqual({ code: 2, stdout: '', stderr: 'no JSON\n' });
	});

	it('and waits for a person, with the denial in its hands', async () => {
		const answers: Record<string, RequestListener> = {
			passed: (request, response) => reply(request, response, ''),
			unproven: (request, response) => reply(request, response, '', { type: 'application/json' }),
			gone: (request) => void request.socket.destroy(),
		};
		let at = '';
		const kept = deny('kept');
		await hook.serve((request, response) => {
			if (request.url === '/tickets/t-1') return answers[at]?.(request, response);
			reply(request, response, at === 'lost' ? '' : kept, { status: 303, headers: { location: '/tickets/t-1' } });
		});
		const verdicts: Record<string, string> = {};
		for (at of ['passed', 'unproven', 'gone', 'lost']) verdicts[at] = await verdictOf('ls');
		expect(verdicts).toEqual({
			passed: 'passed with 0',
			unproven: 'kept',
			gone: 'kept',
			lost: expect.stringContaining('a denial was lost'),
		});
	});
});

describe('a door that has not taken the input leaves it to node', () => {
	it.each(['hangs', 'hangs up', 'is gone'])('where it %s', async (how) => {
		const close = await rawDoor((socket) =>
			how === 'hangs up' ? socket.once('data', () => socket.destroy()) : undefined,
		);
		if (how === 'is gone') await close();
		expect(await verdictOf('ls', 6)).toBe('passed with 0');
		expect(await verdictOf('rm x', 6)).toBe('rm is not allowed here [rm x]');
		expect(hook.recorded('s1').filter(({ type }) => type === 'tool:call')).toHaveLength(2);
		if (how !== 'is gone') await close();
	});

	it('and where curl is missing, node asks the door', async () => {
		const tools = folderOf('sh', 'date', 'env', 'node', 'timeout', 'head', 'sha256sum');
		await hook.serve((request, response) => reply(request, response, deny('by the door')));
		expect(await verdictOf('ls', 30, { PATH: tools })).toBe('by the door');
	});
});

describe('programs that an agent has put first in PATH', () => {
	/** Each tells that it ran, and has nothing to say against the call. */
	const planted = (...names: string[]): string => {
		const folder = join(hook.home, 'planted');
		mkdirSync(folder);
		for (const name of names) {
			writeFileSync(join(folder, name), `#!/bin/sh\necho ${name} >>'${hook.home}/ran'\nexit 0\n`);
			chmodSync(join(folder, name), 0o755);
		}
		return `${folder}${delimiter}${process.env.PATH}`;
	};
	const ran = () => (existsSync(join(hook.home, 'ran')) ? readFileSync(join(hook.home, 'ran'), 'utf8') : '');
	const judged = async (command: string, PATH: string) => {
		const { stdout } = await hook.run(['-c', closedCommand(15)], hook.bashCall(command), {
			...{ command: '/bin/sh', env: { PATH }, path: 'systems' },
		});
		return stdout === '' ? 'passed' : JSON.parse(stdout).hookSpecificOutput.permissionDecisionReason;
	};
	const TOOLS = ['curl', 'timeout', 'sha256sum', 'shasum', 'openssl', 'date', 'env', 'head', 'perl', 'mkdir', 'sh'];

	it('are not asked, with a door and without one', async () => {
		symlinkSync(process.execPath, join(hook.bin, 'node'));
		const path = planted(...TOOLS, 'node');
		expect(await judged('rm x', path)).toBe('rm is not allowed here [rm x]');
		expect(await judged('ls', path)).toBe('passed');
		await hook.serve((request, response) => reply(request, response, deny('by the door')));
		expect(await judged('ls', path)).toBe('by the door');
		expect(ran()).toBe('');
	});

	it('the same of a node, where the link to the one of init is gone: silence is no pass', async () => {
		expect(await judged('ls', planted('node'))).toContain('did not prove that it judged this call');
	});
});

describe('a call that is lost in the hands of its door', () => {
	it.each(['dies', 'falls silent'])('is denied, and the agent is asked to try again: it %s', async (how) => {
		const close = await rawDoor((socket) => {
			socket.once('data', () => {
				socket.write('HTTP/1.1 100 Continue\r\n\r\n');
				socket.once('data', () => how === 'dies' && socket.destroy());
			});
		});
		for (const command of ['ls', 'rm x']) expect(await verdictOf(command, 6)).toContain('ask for it again');
		await close();
	});

	it('is denied where curl never ends', async () => {
		const tools = folderOf();
		writeFileSync(join(tools, 'curl'), '#!/bin/sh\ntrap "" TERM\ncat >/dev/null\nwhile :; do sleep 60; done\n');
		chmodSync(join(tools, 'curl'), 0o755);
		await hook.serve((request, response) => reply(request, response, ''));
		const path = `${tools}${delimiter}${process.env.PATH}`;
		expect(await verdictOf('ls', 4, { PATH: path })).not.toMatch(/^passed/);
	});
});
