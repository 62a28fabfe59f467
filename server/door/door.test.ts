import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createLog } from '../process/log.ts';
import { deniedCall, type ServiceRig, startService } from '../testing/service-rig.ts';
import { createDoor } from './door.ts';

const rigs: ServiceRig[] = [];
async function openRig(): Promise<ServiceRig> {
	const rig = await startService();
	rigs.push(rig);
	return rig;
}
afterEach(async () => {
	await Promise.all(rigs.splice(0).map((rig) => rig.stop()));
});

function doorAt(socketPath: string) {
	const none = async () => null;
	return createDoor({
		socketPath,
		ports: {} as never,
		respond: () => ({ sessionId: '_home', keys: [], output: null }),
		tickets: {
			hold: none,
			openReview: none,
			closeReview: async () => ({ kind: 'unknown' }),
			wait: async () => ({ kind: 'unknown' }),
		},
		log: createLog(() => undefined),
	});
}

test('R1181 a key left blank by a power cut is made again; any other content is left alone', async () => {
	const home = mkdtempSync(join(tmpdir(), 'door-'));
	writeFileSync(join(home, 'door.key'), '\0'.repeat(65));
	const door = doorAt(join(home, 'bridge.sock'));
	await door.listen();
	expect(readFileSync(join(home, 'door.key'), 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
	await door.close();
	writeFileSync(join(home, 'door.key'), 'mine');
	await expect(doorAt(join(home, 'bridge.sock')).listen()).rejects.toThrow('contains no key of the hooks');
});

test('R80 the door is a socket for its owner alone', async () => {
	const rig = await openRig();
	expect(statSync(rig.socketPath).mode & 0o777).toBe(0o600);
});

test('R80 a path that the system would cut is refused with its reason', async () => {
	const long = join(tmpdir(), 'x'.repeat(100));
	await expect(doorAt(long).listen()).rejects.toThrow(/at most 100.*OVERTONE_HOME/s);
});

test('R80 a stale socket is replaced, anything else in its place is left alone', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'signalbox-door-'));
	const stale = join(folder, 'stale.sock');
	const leaver = spawn(process.execPath, [
		'-e',
		`require('net').createServer().listen(${JSON.stringify(stale)}, () => process.kill(process.pid, 'SIGKILL'))`,
	]);
	await once(leaver, 'exit');
	expect(statSync(stale).isSocket()).toBe(true);
	const door = doorAt(stale);
	await door.listen();
	await door.close();

	const file = join(folder, 'file.sock');
	writeFileSync(file, 'mine');
	await expect(doorAt(file).listen()).rejects.toThrow(/not a socket/);
	const directory = join(folder, 'folder.sock');
	mkdirSync(directory);
	await expect(doorAt(directory).listen()).rejects.toThrow(/not a socket/);
});

test('R80 a failure to listen is reported', async () => {
	const folder = join(mkdtempSync(join(tmpdir(), 'signalbox-door-')), 'absent', 'bridge.sock');
	await expect(doorAt(folder).listen()).rejects.toThrow();
});

test('a body over 32 MiB gets 413, one of 32 MiB is answered', async () => {
	const rig = await openRig();
	const call = { ...deniedCall(rig.project, 'toolu_1'), tool_name: 'Write', tool_input: { content: '' } };
	const room = 32 * 1024 * 1024 - JSON.stringify(call).length;
	const full = { ...call, tool_input: { content: 'x'.repeat(room) } };
	expect((await rig.post(full)).status).toBe(200);
	const over = { ...call, tool_use_id: 'toolu_2', tool_input: { content: 'x'.repeat(room + 1) } };
	expect((await rig.post(over)).status).toBe(413);
	expect(rig.told.some((event) => event.toolUseId === 'toolu_2')).toBe(false);
});

test('other places and methods get 404', async () => {
	const rig = await openRig();
	expect((await rig.poll('/tickets/none')).status).toBe(404);
	expect((await rig.poll('/hooks/claude-code')).status).toBe(404);
	expect((await rig.poll('/tickets/../../etc')).status).toBe(404);
});

test('each client sends its requests to a path of its own; an unknown path is answered with the known ones', async () => {
	const rig = await openRig();
	const input = { session_id: 'gemini-1', cwd: rig.project, hook_event_name: 'BeforeAgent', prompt: 'hello' };
	expect((await rig.ask({ path: '/hooks/gemini', body: JSON.stringify(input) })).status).toBe(200);
	expect(rig.told).toContainEqual(expect.objectContaining({ type: 'prompt:submit', make: 'gemini' }));
	const { status, body } = await rig.ask({ path: '/hooks/nobody', body: '{}' });
	expect([status, body]).toEqual([404, expect.stringContaining('POST /hooks/codex')]);
});

test('a hook that has come in when the door closes is still judged', async () => {
	const rig = await startService({ presence: () => 'nobody' });
	const body = JSON.stringify(deniedCall(rig.project, 'toolu_1'));
	const socket = connect(rig.socketPath);
	socket.write(`POST /hooks/claude-code HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n`);
	// The answer to a second connection shows that the first one has been accepted.
	expect((await rig.poll('/tickets/none')).status).toBe(404);
	const closed = rig.door.close();
	socket.write(body);
	const [answer] = await once(socket, 'data');
	expect(String(answer)).toMatch(/^HTTP\/1.1 200 .*"permissionDecision":"deny"/is);
	await closed;
	await rig.stop();
});

test('supervisor input that cannot be parsed gets 422', async () => {
	const rig = await openRig();
	const { status, body } = await rig.post('not json', {
		'x-signalbox-request': 'run-1',
		'x-signalbox-profile': 'supervisor',
	});
	expect(status).toBe(422);
	expect(body).not.toBe('');
});

test('R7 a failure inside is answered with 500, and the next hook is answered', async () => {
	const logged: string[] = [];
	const folder = mkdtempSync(join(tmpdir(), 'signalbox-door-'));
	let fail = true;
	const socketPath = join(folder, 'bridge.sock');
	const door = createDoor({
		socketPath,
		ports: {} as never,
		respond: () => {
			if (fail) throw new Error('broken');
			return { sessionId: '_home', keys: [], output: { ok: true } };
		},
		tickets: {} as never,
		log: createLog((line) => logged.push(line)),
	});
	await door.listen();
	const ask = async () => {
		const url = 'http://localhost/hooks/claude-code';
		const curl = spawn('curl', ['-s', '-w', '%{http_code}', '--unix-socket', socketPath, '-d', '{}', url]);
		let text = '';
		curl.stdout.on('data', (part) => {
			text += part;
		});
		await once(curl, 'close');
		return text;
	};
	expect(await ask()).toMatch(/500$/);
	fail = false;
	expect(await ask()).toBe('{"ok":true}200');
	expect(logged.join('')).toContain('broken');
	await door.close();
});
