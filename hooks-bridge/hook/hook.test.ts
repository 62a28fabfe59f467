import { type ChildProcess, execFileSync, fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { doorProof, runFromHeaders } from '../door/hook-run.ts';
import { ASKERS, type InstalledHook, installHook } from '../testing/installed-hook.ts';

let hook: InstalledHook;
beforeEach(async () => {
	hook = await installHook();
	writeFileSync(join(hook.home, 'door.key'), `${KEY}\n`);
});
afterEach(() => hook.remove());

const DENY = '{"kept":"deny"}';
const input = (more: object = {}) =>
	JSON.stringify({
		session_id: 's1',
		cwd: hook.project,
		hook_event_name: 'PreToolUse',
		tool_name: 'Task',
		tool_use_id: 't1',
		tool_input: { subagent_type: 'architect', prompt: 'x' },
		...more,
	});
const writePlan = () => {
	mkdirSync(join(hook.project, '.vibe-engine'));
	const plan = {
		planId: 'route-1',
		status: 'pending',
		phases: [{ tasks: [{ agent: 'developer', status: 'pending' }] }],
	};
	writeFileSync(join(hook.project, '.vibe-engine/routing-state.json'), JSON.stringify(plan));
};
const KEY = '0123456789abcdef'.repeat(4);
/** Answers the first request with `first` after its body has come; tickets with `ticket`. Proves itself with KEY. */
const door =
	(
		first: { status: number; body?: string; location?: string },
		ticket?: { status: number; body: string },
	): RequestListener =>
	(request, reply) => {
		request.resume();
		const proven = (body = '') => {
			const proof = doorProof(KEY, String(request.headers['x-signalbox-request']), body);
			return { 'content-type': `application/json; proof=${proof}` };
		};
		request.on('end', () => {
			const { location } = first;
			if (request.url?.startsWith('/tickets/')) {
				return void reply.writeHead(ticket?.status ?? 404, proven(ticket?.body)).end(ticket?.body);
			}
			reply.writeHead(first.status, { ...proven(first.body), ...(location && { location }) }).end(first.body);
		});
	};
const doors = [...ASKERS, ['node', undefined] as const];

describe.each(doors)('the door, asked by %s', (_asker, perl) => {
	const isNode = perl === undefined;
	const run = ([profile = '', timeout = '']: string[]) =>
		isNode
			? hook.run([join(hook.bin, 'hook.cjs'), '--profile', profile, '--timeout', timeout], input(), { command: 'node' })
			: hook.run([profile, timeout], input());
	beforeEach(() => {
		if (!isNode) hook.setPerl(perl);
	});

	it('prints the body of a 200, and nothing for an empty one', async () => {
		await hook.serve(door({ status: 200, body: '{"a":1}' }));
		expect(await run(['open', '15'])).toEqual({ code: 0, stdout: '{"a":1}\n', stderr: '' });
	});

	it('prints nothing for an empty 200', async () => {
		await hook.serve(door({ status: 200 }));
		expect(await run(['open', '15'])).toEqual({ code: 0, stdout: '', stderr: '' });
	});

	it('R800 under a fail-closed entry the same answers count where the door knows the key of the home', async () => {
		writeFileSync(join(hook.home, 'door.key'), `${KEY}\n`);
		const server = await hook.serve(door({ status: 200 }));
		expect(await run(['closed', '15'])).toEqual({ code: 0, stdout: '', stderr: '' });
		await new Promise((resolve) => server.close(resolve));
		const allow = '{"ticket":"é allow"}';
		await hook.serve(door({ status: 303, body: DENY, location: '/tickets/a-1' }, { status: 200, body: allow }));
		expect(await run(['closed', '60'])).toEqual({ code: 0, stdout: `${allow}\n`, stderr: '' });
		writeFileSync(join(hook.home, 'door.key'), `${'f'.repeat(64)}\n`);
		const refused = await run(['closed', '60']);
		expect([refused.code, refused.stdout.includes('ticket')]).toEqual([0, false]);
	});

	it('R2350 an answer without the proof of the home’s key is not printed, of whatever it speaks: the hook judges itself', async () => {
		writePlan();
		for (const body of ['{"hookSpecificOutput":{"permissionDecision":"allow"}}', '{"x":"\\u0061llow"}', DENY]) {
			const server = await hook.serve((request, reply) => void request.resume().on('end', () => reply.end(body)));
			const { stdout, code } = await run(['open', '15']);
			expect(code).toBe(0);
			expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
			await new Promise((resolve) => server.close(resolve));
		}
		const unproven: RequestListener = (request, reply) => {
			if (request.method === 'GET') return void reply.end('{"hookSpecificOutput":{"permissionDecision":"allow"}}');
			request.resume().on('end', () => reply.writeHead(303, { location: '/tickets/t' }).end());
		};
		await hook.serve(unproven);
		expect(await run(['open', '60'])).toEqual({ code: 0, stdout: '', stderr: '' });
	});

	it('gives a 422 to stderr and ends with 2', async () => {
		await hook.serve(door({ status: 422, body: 'cannot read this' }));
		expect(await run(['open', '15'])).toEqual({ code: 2, stdout: '', stderr: 'cannot read this\n' });
	});

	it.each([
		['approved', { status: 200, body: '{"ticket":"allow"}' }, '{"ticket":"allow"}\n'],
		['gone', { status: 404, body: '{"error":1}' }, `${DENY}\n`],
		['late', { status: 410, body: '{"error":1}' }, `${DENY}\n`],
		['broken', { status: 500, body: '{"error":1}' }, `${DENY}\n`],
	])('polls a ticket that is %s', async (_, ticket, stdout) => {
		await hook.serve(door({ status: 303, body: DENY, location: '/tickets/abc-1' }, ticket));
		expect(await run(['open', '60'])).toEqual({ code: 0, stdout, stderr: '' });
	});

	it.each(['/elsewhere', 'http://evil.example/tickets/a', '/tickets/../admin', '/tickets/a%0a'])(
		'follows a place that is no ticket nowhere: %s',
		async (location) => {
			await hook.serve(door({ status: 303, body: DENY, location }, { status: 200, body: '{"x":1}' }));
			const { stdout, code } = await run(['open', '60']);
			expect(code).toBe(0);
			expect(stdout).not.toContain('"x"');
		},
	);

	it('keeps the first answer when the server is killed during the long poll', async () => {
		const script = join(hook.bin, 'server.cjs');
		writeFileSync(
			script,
			`const { createHash } = require('node:crypto');
			require('node:http').createServer((request, reply) => {
				request.resume();
				if (request.method === 'GET') return void process.send('polling');
				const text = ['${KEY}', request.headers['x-signalbox-request'], '${DENY}', '${KEY}'].join('\\n');
				const type = 'application/json; proof=' + createHash('sha256').update(text).digest('hex');
				request.on('end', () => reply.writeHead(303, { location: '/tickets/t', 'content-type': type }).end('${DENY}'));
			}).listen(process.argv[2], () => process.send('ready'));`,
		);
		const server = fork(script, [join(hook.home, 'bridge.sock')]);
		await once(server, 'message');
		const ended = run(['open', '60']);
		await once(server, 'message');
		server.kill('SIGKILL');
		expect(await ended).toEqual({ code: 0, stdout: `${DENY}\n`, stderr: '' });
	});

	it("does the server's work itself when the socket is left over and refuses", async () => {
		writePlan();
		const script = join(hook.bin, 'leave.cjs');
		writeFileSync(
			script,
			`require('node:net').createServer().listen(process.argv[2], () => process.kill(process.pid, 'SIGKILL'))`,
		);
		await once(fork(script, [join(hook.home, 'bridge.sock')]), 'exit');
		const { stdout, code } = await run(['open', '15']);
		expect(code).toBe(0);
		expect(JSON.parse(stdout)).toMatchObject({ continue: false, hookSpecificOutput: { permissionDecision: 'deny' } });
		expect(hook.recorded('s1').map((event) => event.type)).toContain('routing:mismatch');
	});

	it('does the same when there is no socket', async () => {
		const { stdout } = await run(['open', '15']);
		expect(JSON.parse(stdout)).toEqual({
			continue: true,
			hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' },
		});
		expect(hook.recorded('s1').map((event) => event.type)).toEqual(['tool:call', 'gate:verdict', 'agent:delegate']);
	});

	it('R31 ends before its timeout when the server hangs', async () => {
		await hook.serve(() => undefined);
		expect((await run(['observe', '2'])).code).toBe(0);
		expect(hook.recorded('s1')).not.toEqual([]);
	});

	it('an unknown profile counts as closed and says which there are', async () => {
		const env = { CCC_SUPERVISOR_ID: 'x' };
		const runWith = (text: string) =>
			isNode
				? hook.run([join(hook.bin, 'hook.cjs'), '--profile=clsoed'], text, { env, command: 'node' })
				: hook.run(['clsoed', '15'], text, { env });
		const warning = "[overtone/hook] this hook's profile is none of observe, open, closed and supervisor: ";
		const blind = await runWith('no JSON');
		expect(JSON.parse(blind.stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
		expect([blind.code, blind.stderr.split(warning).length]).toEqual([0, 2]);
		const judged = await runWith(input({ tool_name: 'Read', tool_input: {} }));
		expect(judged).toEqual({ code: 0, stdout: '', stderr: expect.stringContaining(warning) });
	});

	it.each([
		['open', '/proc/x/y', '"continue":true'],
		['closed', '/proc/x/y', '"deny"'],
		['open', '/dev/null/x', '"continue":true'],
		['closed', '/dev/null/x', '"deny"'],
		['observe', '/proc/x/y', ''],
	])('ends with the answer of the profile %s and the reason where no home can be made: %s', async (...given) => {
		const [profile, OVERTONE_HOME, answer] = given;
		const args = isNode ? [join(hook.bin, 'hook.cjs'), '--profile'] : [];
		const command = isNode ? 'node' : undefined;
		const read = input({ tool_name: 'Read', tool_input: {} });
		const done = await hook.run([...args, profile, '15'], read, {
			env: { OVERTONE_HOME },
			...(command && { command }),
		});
		expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining(answer) });
		expect(done.stderr).toMatch(/^\[overtone\/PreToolUse\] .+\n$/);
	});

	it('hands over the run, and of the environment only what is named and clean', async () => {
		let headers: IncomingHttpHeaders = {};
		await hook.serve((request, reply) => {
			headers = request.headers;
			request.resume().on('end', () => reply.end());
		});
		const env = {
			CLAUDE_PROJECT_DIR: `${hook.project}/żółć $(id) "x" '`,
			CLAUDE_CONFIG_DIR: 'a\r\nX-Signalbox-Profile: closed',
			CCC_CONFIG_DIR: 'x'.repeat(5000),
			CLAUDE_PID: '4242',
			ANTHROPIC_API_KEY: 'secret',
		};
		if (isNode) {
			const args = [join(hook.bin, 'hook.cjs'), '--profile', 'open', '--timeout', '15'];
			await hook.run(args, input(), { env, command: 'node' });
		} else await hook.run(['open', '15'], input(), { env });
		expect(JSON.stringify(headers)).not.toContain('secret');
		const { run: heard, named } = runFromHeaders(headers, 'fresh');
		expect(named).toBe(true);
		expect(heard).toEqual({
			requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
			profile: 'open',
			projectDir: env.CLAUDE_PROJECT_DIR,
			clientPid: 4242,
			timeoutSeconds: 15,
			dropped: ['CLAUDE_CONFIG_DIR', 'CCC_CONFIG_DIR'],
		});
	});
});

describe.each(ASKERS)('hook.sh with %s', (_asker, perl) => {
	beforeEach(() => hook.setPerl(perl));

	it.each([
		['observe', ''],
		['open', expect.stringMatching(/^\{"continue":true,"systemMessage":"Signalbox: .*"\}\n$/)],
		['closed', expect.stringContaining('"permissionDecision":"deny"')],
	])('gives the static answer of %s for any other status', async (profile, stdout) => {
		await hook.serve(door({ status: 503, body: '{"error":{}}' }));
		const result = await hook.run([profile, '15'], input());
		expect(result).toEqual({ code: 0, stdout, stderr: '' });
		if (result.stdout) expect(() => JSON.parse(result.stdout)).not.toThrow();
	});

	it('gives the static answer when node is missing too', async () => {
		const tools = join(hook.bin, 'tools');
		mkdirSync(tools);
		const { stdout, code } = await hook.run(['closed', '15'], input(), { env: { PATH: tools } });
		expect(code).toBe(0);
		expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
	});

	const doors: ChildProcess[] = [];
	afterEach(() => {
		for (const child of doors.splice(0)) child.kill('SIGKILL');
	});
	/** A door in a process of its own that runs `onRequest`, and at most dies without a word. */
	const startDyingDoor = async (onRequest: string) => {
		const script = join(hook.bin, 'dying.cjs');
		writeFileSync(
			script,
			`const die = () => process.kill(process.pid, 'SIGKILL');
			require('node:http').createServer((request) => { ${onRequest} })
				.listen(process.argv[2], () => process.send('ready'));`,
		);
		const child = fork(script, [join(hook.home, 'bridge.sock')]);
		doors.push(child);
		await once(child, 'message');
	};
	const takeAll = 'request.resume();';
	const inSession = { env: { CLAUDE_CODE_SESSION_ID: 's1' } };

	it('R395 a door that dies before it has taken the input leaves it to node', async () => {
		writePlan();
		await startDyingDoor('die();');
		const { stdout } = await hook.run(['open', '15'], input(), inSession);
		expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
		expect(hook.recorded('s1').map(({ type }) => type)).toContain('routing:mismatch');
	});

	it.each([
		['dies', `${takeAll} request.on('end', die);`],
		['dies in the middle of it', `request.once('data', die);`],
		['stalls', takeAll],
		['stalls before it reads', ''],
	])('R395 a door that %s with the input in its hands costs no verdict', async (_, onRequest) => {
		writePlan();
		await startDyingDoor(onRequest);
		const { stdout } = await hook.run(['open', '3'], input({ pad: 'x'.repeat(300_000) }), inSession);
		expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
		expect(hook.recorded('s1').map(({ type }) => type)).toContain('routing:mismatch');
	});

	it('R395 what the door had recorded before it died is judged again, and nothing is recorded twice', async () => {
		// The door's work, done by the fallback under the run's name.
		const work = [join(hook.bin, 'hook.cjs'), '--offline', '--profile', 'open', '--request-id'];
		await startDyingDoor(`let body = '';
			request.on('data', (part) => (body += part)).on('end', () => {
				const args = [...${JSON.stringify(work)}, request.headers['x-signalbox-request']];
				require('node:child_process').spawnSync('node', args, { input: body, env: { ...process.env, OVERTONE_HOME: '${hook.home}' } });
				die();
			});`);
		const { stdout } = await hook.run(['open', '15'], input(), inSession);
		expect(JSON.parse(stdout)).toMatchObject({ continue: true, hookSpecificOutput: { permissionDecision: 'allow' } });
		expect(hook.recorded('s1').map(({ type }) => type)).toEqual(['tool:call', 'gate:verdict', 'agent:delegate']);
	});

	it('an input that comes late is waited for, as long as node would', async () => {
		writePlan();
		const stdin = join(hook.bin, 'stdin');
		execFileSync('mkfifo', [stdin]);
		let heard = '';
		await hook.serve((request, reply) => {
			request.on('data', (part) => (heard += part)).on('end', () => reply.end());
		});
		// A writer that holds half of the input back for longer than a door is given to answer.
		const feed = `{ head -c 20 "${hook.bin}/whole"; sleep 4.5; tail -c +21 "${hook.bin}/whole"; } >"${stdin}"`;
		writeFileSync(join(hook.bin, 'whole'), input());
		const fed = once(spawn('sh', ['-c', feed], { stdio: 'ignore' }), 'exit');
		const late = hook.run(['-c', `exec "${join(hook.bin, 'hook.sh')}" open 15 <"${stdin}"`], '', { command: 'sh' });
		expect(await late).toEqual({ code: 0, stdout: '', stderr: '' });
		expect(JSON.parse(heard)).toEqual(JSON.parse(input()));
		await fed;
	});

	it('the name of a run is on no command line', async () => {
		const tools = join(hook.bin, 'tools');
		mkdirSync(tools);
		for (const program of ['curl', 'node']) {
			const spy = `#!/bin/sh\nprintf '%s\\n' "$*" >>"${hook.bin}/lines"\nPATH=$REST exec ${program} "$@"\n`;
			writeFileSync(join(tools, program), spy, { mode: 0o755 });
		}
		const env = { PATH: `${tools}:${process.env.PATH}`, REST: process.env.PATH ?? '', CLAUDE_CONFIG_DIR: '/a/secret' };
		let named = '';
		await hook.serve((request) => {
			named = String(request.headers['x-signalbox-request']);
			request.resume().on('end', () => request.socket.destroy());
		});
		for (const profile of ['open', 'closed']) {
			await hook.run([profile, '15'], input({ tool_use_id: profile }), { env });
			const lines = readFileSync(join(hook.bin, 'lines'), 'utf8');
			expect(lines.match(/--request-fd/g)?.length).toBeGreaterThan(0);
			expect(lines).not.toContain(named);
			expect(lines).not.toContain('/a/secret');
			// The fallback has the same name.
			expect(hook.recorded('s1').at(-1)).toMatchObject({ requestId: named });
		}
	});

	it('leaves stdin untouched for node, up to 32 MiB', async () => {
		const large = input({ tool_name: 'Write', tool_input: { content: 'x'.repeat(31 * 1024 * 1024) } });
		expect(await hook.run(['open', '15'], large)).toEqual({ code: 0, stdout: '', stderr: '' });
		expect(hook.recorded('s1')).toMatchObject([{ type: 'tool:call', input: { content: { bytes: 31 * 1024 * 1024 } } }]);
	});

	it('R32 passes 32 MiB to the door', async () => {
		let bytes = 0;
		await hook.serve((request, reply) => {
			request.on('data', (chunk: Buffer) => (bytes += chunk.length));
			request.on('end', () => reply.end());
		});
		await hook.run(['open', '15'], Buffer.alloc(32 * 1024 * 1024, 0x61));
		expect(bytes).toBe(32 * 1024 * 1024);
	});

	it('R32 refuses more than that in the fallback', async () => {
		const { stdout } = await hook.run(['open', '15'], Buffer.alloc(33 * 1024 * 1024, 0x20));
		expect(JSON.parse(stdout).systemMessage).toContain('larger than 32 MiB');
	});

	it('R31 ends when stdin never ends, with and without a door', async () => {
		expect((await hook.run(['open', '2'], null)).stdout).toContain('did not end in time');
		await hook.serve((request) => void request.resume());
		expect((await hook.run(['closed', '2'], null)).stdout).toContain('"deny"');
	});

	it('without a profile is supervisor when one is set, else open; a bad timeout is none', async () => {
		expect((await hook.run([], 'no JSON')).stdout).toContain('systemMessage');
		expect((await hook.run(['', '9e9'], 'no JSON')).stdout).toContain('systemMessage');
		const refused = await hook.run([], 'no JSON', { env: { CCC_SUPERVISOR_ID: 'x' } });
		expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('not valid JSON') });
		const accepted = await hook.run(['supervisor', '600'], input({ hook_event_name: 'Stop', tool_name: undefined }));
		expect(accepted).toEqual({ code: 0, stdout: '', stderr: '' });
	});

	it('R1 R718 prints one line of JSON or nothing for hostile input, and why on stderr', async () => {
		for (const raw of ['', '\u0000', '{"session_id":"../x"}', '%s%n`id`$(id)', '\ufeff{}', '[1]']) {
			const { code, stdout, stderr } = await hook.run(['open', '15'], raw);
			expect(code).toBe(0);
			expect(stderr).toMatch(/^(\[overtone\/hook\] .+\n)?$/);
			if (stdout !== '') expect(JSON.parse(stdout)).toBeTypeOf('object');
			expect(stdout.split('\n').length).toBeLessThanOrEqual(2);
		}
	});

	it.each(['open', 'closed'])('options of node in the environment keep a %s hook from nothing', async (profile) => {
		const talker = join(hook.bin, 'talker.cjs');
		writeFileSync(talker, 'console.log("{}");');
		const plain = await hook.run([profile, '15'], input());
		for (const NODE_OPTIONS of ['--bogus', '--require /missing.cjs', `--require ${talker}`]) {
			expect(await hook.run([profile, '15'], input(), { env: { NODE_OPTIONS } })).toEqual(plain);
		}
	});

	it('ignores a curlrc and a proxy', async () => {
		writeFileSync(join(hook.home, '../.curlrc'), 'output = stolen\n');
		await hook.serve(door({ status: 200, body: '{"a":1}' }));
		const env = { http_proxy: 'http://127.0.0.1:1', ALL_PROXY: 'http://127.0.0.1:1' };
		expect((await hook.run(['open', '15'], input(), { env })).stdout).toBe('{"a":1}\n');
	});
});

describe("the system's perl", () => {
	/** A program in the place of perl, in a folder that can be first in PATH. */
	const fakePerl = (text: string) => {
		const folder = join(hook.bin, 'fake');
		mkdirSync(folder, { recursive: true });
		writeFileSync(join(folder, 'perl'), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
		return join(folder, 'perl');
	};

	it('R2660 asks the door without another program, but for the digest of what is printed', async () => {
		const tools = join(hook.bin, 'tools');
		mkdirSync(tools);
		const sum = execFileSync('sh', ['-c', 'command -v sha256sum || command -v shasum']).toString().trim();
		symlinkSync(sum, join(tools, basename(sum)));
		const env = { PATH: tools };
		const server = await hook.serve(door({ status: 200 }));
		expect(await hook.run(['open', '15'], input(), { env })).toEqual({ code: 0, stdout: '', stderr: '' });
		await new Promise((resolve) => server.close(resolve));
		await hook.serve(door({ status: 303, body: DENY, location: '/tickets/a' }, { status: 200, body: '{"a":1}' }));
		for (const profile of ['open', 'closed']) {
			const printed = await hook.run([profile, '15'], input(), { env });
			expect(printed).toEqual({ code: 0, stdout: '{"a":1}\n', stderr: '' });
		}
	});

	it('does not heed what the environment has for perl, and a perl in PATH is not asked', async () => {
		const evil = join(hook.bin, 'evil');
		mkdirSync(evil);
		const spoil = `open F, ">${hook.bin}/spoilt"; close F; print "{}"; exit 0;`;
		for (const name of ['strict.pm', 'Errno.pm', 'Evil.pm', 'perl5db.pl']) writeFileSync(join(evil, name), spoil);
		fakePerl(`: >"${hook.bin}/spoilt"; echo '{}'`);
		await hook.serve(door({ status: 200, body: '{"ż":1}' }));
		const env = {
			PATH: `${hook.bin}/fake:${process.env.PATH}`,
			PERL5OPT: '-MEvil -d',
			PERL5LIB: evil,
			PERLLIB: evil,
			PERL5DB: `BEGIN { ${spoil} }`,
			PERL_UNICODE: 'SDA',
			PERLIO: ':utf8',
			PERLIO_DEBUG: join(hook.bin, 'spoilt'),
			LC_ALL: 'xx_XX.bogus',
		};
		for (const profile of ['observe', 'open', 'closed']) {
			expect(await hook.run([profile, '15'], input({ ż: 1 }), { env })).toEqual({
				code: 0,
				stdout: '{"ż":1}\n',
				stderr: '',
			});
		}
		expect(existsSync(join(hook.bin, 'spoilt'))).toBe(false);
	});

	it.each([
		['is missing a library', 'echo "cannot open shared object file" >&2; exit 127'],
		['is too old', 'echo "Unrecognized switch: -f" >&2; exit 29'],
		['is killed', 'kill -9 $$'],
		['does nothing', 'exit 0'],
		['says what is no answer', 'echo "{}"'],
		['answers another run', 'echo "0 answer 0"; echo "{}"'],
		['says that it has failed', 'read -r id <&3; printf "%s answer 0\\n{}" "$id"; exit 1'],
	])('R2660 one that %s leaves it all to curl', async (_, text) => {
		hook.setPerl(fakePerl(text));
		let heard = '';
		await hook.serve((request, reply) => {
			request.on('data', (part) => (heard += part));
			door({ status: 200, body: DENY })(request, reply);
		});
		for (const profile of ['open', 'closed']) {
			heard = '';
			expect(await hook.run([profile, '15'], input())).toMatchObject({ code: 0, stdout: `${DENY}\n` });
			expect(heard).toBe(input());
		}
	});

	it('R2660 one that breaks down with the input in its hands lets nothing pass that must not', async () => {
		hook.setPerl(fakePerl('cat >/dev/null; kill -9 $$'));
		await hook.serve(door({ status: 503 }));
		expect((await hook.run(['closed', '15'], input())).stdout).toContain('"permissionDecision":"deny"');
	});

	it('a hook that is killed while its call is held does not go on asking', async () => {
		const held = new Promise<boolean>((resolve) => {
			void hook.serve((request, reply) => {
				if (request.method === 'POST') {
					return door({ status: 303, body: DENY, location: '/tickets/a' })(request, reply);
				}
				child.kill('SIGTERM');
				request.socket.on('close', () => resolve(true));
			});
		});
		const env = { NODE_ENV: 'test' as const, PATH: process.env.PATH, HOME: hook.home, OVERTONE_HOME: hook.home };
		while (!existsSync(join(hook.home, 'bridge.sock'))) await new Promise(setImmediate);
		const child = spawn(join(hook.bin, 'hook.sh'), ['open', '600'], { env, stdio: ['pipe', 'ignore', 'ignore'] });
		child.stdin?.end(input());
		expect(await held).toBe(true);
	});

	it('hook.pl is strict and warns of nothing', () => {
		const script = join(import.meta.dirname, 'hook.pl');
		expect(spawnSync(ASKERS[0][1], ['-Mstrict', '-Mwarnings', '-c', script], { encoding: 'utf8' }).stderr).toBe(
			`${script} syntax OK\n`,
		);
	});
});

describe('the fallback', () => {
	it.each(['hook.cjs', 'hook-engine.cjs', 'hook-commands.cjs'])('holds no zod: %s', (file) => {
		expect(readFileSync(join(hook.bin, file), 'utf8')).not.toMatch(/ZodType|_zod\b/);
	});

	it('a hook that only records needs no engine', async () => {
		rmSync(join(hook.bin, 'hook-engine.cjs'));
		const { stdout, code } = await hook.run(['closed', '15'], input({ tool_name: 'Read', tool_input: {} }));
		expect({ stdout, code }).toEqual({ stdout: '', code: 0 });
		expect(hook.recorded('s1').map(({ type }) => type)).toEqual(['tool:call']);
	});

	it("a command of which no gate has anything to say needs no engine, and none of node's slow modules", async () => {
		rmSync(join(hook.bin, 'hook-engine.cjs'));
		const bash = input({ tool_name: 'Bash', tool_input: { command: 'ls' } });
		expect(await hook.run(['open', '15'], bash)).toEqual({ code: 0, stdout: '', stderr: '' });
		expect(hook.recorded('s1').map(({ type }) => type)).toEqual(['tool:call']);
		const spy = join(hook.bin, 'spy.cjs');
		writeFileSync(spy, `process.on('exit', () => process._rawDebug(process.moduleLoadList.join()))`);
		const words = [
			'-r',
			spy,
			join(hook.bin, 'hook.cjs'),
			'--offline',
			'--ended',
			'--profile',
			'open',
			'--request-id',
			'r',
		];
		const { stderr } = await hook.run(words, bash, { command: process.execPath });
		expect(stderr).toContain('NativeModule fs,');
		expect(stderr).not.toMatch(/NativeModule (crypto|net|stream|child_process),/);
	});

	it('without its engine any other hook is recorded with a warning, and gets the answer of its profile', async () => {
		rmSync(join(hook.bin, 'hook-engine.cjs'));
		writePlan();
		const { stdout, code } = await hook.run(['closed', '15'], input());
		expect(code).toBe(0);
		expect(JSON.parse(stdout)).toMatchObject({
			hookSpecificOutput: {
				permissionDecision: 'deny',
				permissionDecisionReason: expect.stringContaining('hook-engine'),
			},
		});
		expect(hook.recorded('s1').map(({ type }) => type)).toEqual(['tool:call', 'system:warning']);
	});

	it('a command line is judged without a server, by a file of its own', async () => {
		writeFileSync(join(hook.home, 'config.json'), '{"commands":{"exclude":["rm"]}}');
		const bash = (command: string, id: string) =>
			input({ tool_name: 'Bash', tool_use_id: id, tool_input: { command } });
		const denied = await hook.run(['open', '15'], bash('ls; sudo rm -rf x', 't1'));
		expect(JSON.parse(denied.stdout)).toMatchObject({
			hookSpecificOutput: {
				permissionDecision: 'deny',
				permissionDecisionReason: 'rm is not allowed here [rm -rf x]',
			},
		});
		expect((await hook.run(['open', '15'], bash('ls; echo rm', 't2'))).stdout).toBe('');
		rmSync(join(hook.bin, 'hook-commands.cjs'));
		const broken = await hook.run(['closed', '15'], bash('ls', 't3'));
		expect(JSON.parse(broken.stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
		writeFileSync(join(hook.home, 'config.json'), '{}');
		expect((await hook.run(['closed', '15'], bash('rm x', 't4'))).stdout).toBe('');
	});

	it('the hub’s policy holds without a server, until it expires', async () => {
		const bash = (id: string) => input({ tool_name: 'Bash', tool_use_id: id, tool_input: { command: 'rm x' } });
		const writePolicy = (expires: string) => {
			const policy = { team: 'shop', version: 3, expires, body: { 'commands.exclude': ['rm'] } };
			const kept = { hub: 'hub.example', mayLoosen: false, signed: { policy } };
			writeFileSync(join(hook.home, 'hub-policy.json'), JSON.stringify(kept));
		};
		writePolicy('2999-01-01T00:00:00.000Z');
		expect((await hook.run(['open', '15'], bash('t1'))).stdout).toContain('rm is not allowed here');
		writePolicy('2001-01-01T00:00:00.000Z');
		expect((await hook.run(['open', '15'], bash('t2'))).stdout).toBe('');
	});

	it('two entries for one call print one answer and record it once', async () => {
		writeFileSync(join(hook.home, 'config.json'), '{"commands":{"exclude":["rm"]}}');
		const bash = input({ tool_name: 'Bash', tool_input: { command: 'rm x' } });
		const answers = await Promise.all([hook.run(['open', '15'], bash), hook.run(['closed', '15'], bash)]);
		expect(answers[0]?.stdout).toBe(answers[1]?.stdout);
		expect(answers[0]?.stdout).toContain('rm is not allowed here');
		const ids = hook.recorded('s1').map(({ id }) => id);
		expect(new Set(ids).size).toBe(2);
	});

	it('a file on stdin is read as a pipe is', async () => {
		const file = join(hook.project, 'input.json');
		writeFileSync(file, input());
		const command = `exec "${join(hook.bin, 'hook.sh')}" open 15 < "${file}"`;
		const { stdout } = await hook.run(['-c', command], '', { command: 'sh' });
		expect(JSON.parse(stdout)).toMatchObject({ continue: true });
	});

	it('R22 a run repeated under its request id records nothing twice', async () => {
		const args = [join(hook.bin, 'hook.cjs'), '--offline', '--profile', 'open', '--request-id', 'same'];
		const stop = JSON.stringify({ session_id: 's1', hook_event_name: 'Stop' });
		for (let n = 0; n < 2; n++) await hook.run(args, stop, { command: 'node' });
		expect(hook.recorded('s1')).toHaveLength(1);
	});

	it('R7 R25 R718 answers when the state root cannot be written, and says on stderr what failed', async () => {
		writePlan();
		writeFileSync(join(hook.home, 'sessions'), 'a file where the folder should be');
		const { stdout, stderr, code } = await hook.run(['open', '15'], input());
		expect(code).toBe(0);
		expect(stderr).toMatch(/^\[overtone\/PreToolUse\] this hook could not be handled \(.+\)\.\n$/);
		expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
	});
});
