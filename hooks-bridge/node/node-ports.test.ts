import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import {
	appendFileSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readBounded } from '../disk/bounded-read.ts';
import { timelinePath } from '../disk/overtone-home.ts';
import { appendBytes, timelineBytes } from '../disk/timeline-files.ts';
import { respond } from '../engine/respond.ts';
import type { SealedEvent } from '../ports/ports.ts';
import { createNodePorts } from './node-ports.ts';

let home: string;
let ports: ReturnType<typeof createNodePorts>;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), 'ports-'));
	ports = createNodePorts({ home });
});
afterEach(() => {
	ports.close();
	rmSync(home, { recursive: true });
});

const event = (id: string, more: object = {}): SealedEvent => ({
	id,
	ts: '2026-11-21T10:00:00.000Z',
	type: 'hook:event',
	category: 'hook',
	label: 'Hook',
	sessionId: 's1',
	requestId: `run-${id}`,
	name: 'Stop',
	fields: {},
	...more,
});
const idsIn = (sessionId = 's1') =>
	readFileSync(timelinePath(home, sessionId), 'utf8')
		.split('\n')
		.flatMap((line) => {
			try {
				return [(JSON.parse(line) as SealedEvent).id];
			} catch {
				return [];
			}
		});

describe('append', () => {
	it('R23 R25 writes each event as its own line, for the owner only, and says how much', () => {
		const appended: [string, number][] = [];
		const own = createNodePorts({ home, onAppend: (session, bytes) => appended.push([session, bytes]) });
		own.append('s1', [event('a'), event('b')]);
		own.append('s1', []);
		own.close();
		const text = readFileSync(timelinePath(home, 's1'), 'utf8');
		expect(text).toMatch(/^\n\{.*\}\n\n\{.*\}\n$/);
		expect(appended).toEqual([['s1', Buffer.byteLength(text)]]);
		expect(statSync(timelinePath(home, 's1')).mode & 0o777).toBe(0o600);
		expect(statSync(join(home, 'sessions', 's1')).mode & 0o777).toBe(0o700);
	});

	it('R23 a torn tail swallows nothing', () => {
		ports.append('s1', [event('a')]);
		appendFileSync(timelinePath(home, 's1'), '\n{"id":"torn');
		ports.append('s1', [event('b')]);
		expect(idsIn()).toEqual(['a', 'b']);
	});

	it('R23 writes everything once more after a short write, and throws when that fails too', () => {
		const pieces: Buffer[] = [];
		const shortOnce = (_: number, bytes: NodeJS.ArrayBufferView) => {
			const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
			pieces.push(pieces.length === 0 ? whole.subarray(0, 30) : whole);
			return pieces.at(-1)?.length ?? 0;
		};
		appendBytes(1, timelineBytes([event('a')]), shortOnce as never);
		const lines = Buffer.concat(pieces).toString().split('\n');
		expect(lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line).id)).toEqual(['a']);
		expect(() => appendBytes(1, Buffer.from('xx'), (() => 1) as never)).toThrow('disk');
	});

	it('R25 refuses a timeline that is a link or no file', () => {
		mkdirSync(join(home, 'sessions', 's1'), { recursive: true });
		symlinkSync('/dev/null', timelinePath(home, 's1'));
		expect(() => ports.append('s1', [event('a')])).toThrow();
		mkdirSync(join(home, 'sessions', 's2'));
		execFileSync('mkfifo', [timelinePath(home, 's2')]);
		expect(() => ports.append('s2', [event('a')])).toThrow('not a regular file');
		expect(() => ports.append('../s3', [event('a')])).toThrow('unsafe');
	});

	it('follows a timeline that was replaced or truncated', () => {
		ports.append('s1', [event('a')]);
		renameSync(timelinePath(home, 's1'), join(home, 'old'));
		ports.append('s1', [event('b')]);
		expect(idsIn()).toEqual(['b']);
		expect(ports.recorded('s1', ['a'])).toBeUndefined();
		expect(ports.recorded('s1', ['b'])).toMatchObject({ decision: null });
		truncateSync(timelinePath(home, 's1'));
		expect(ports.recorded('s1', ['b'])).toBeUndefined();
		ports.append('s1', [event('c')]);
		expect(idsIn()).toEqual(['c']);
	});

	it('R25 keeps at most 64 timelines open', () => {
		for (let n = 0; n < 100; n++) ports.append(`s-${n}`, [event('a')]);
		const open = readdirSync('/proc/self/fd').length;
		for (let n = 0; n < 100; n++) ports.append(`t-${n}`, [event('a')]);
		expect(readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(open);
		expect(idsIn('s-3')).toEqual(['a']);
	});

	it("R26 several processes never damage each other's lines", async () => {
		const script = join(home, 'writer.cjs');
		await build({
			stdin: {
				contents: `
					import { createNodePorts } from './node-ports.ts';
					const [home, name] = process.argv.slice(2);
					const ports = createNodePorts({ home });
					for (let n = 0; n < 100; n++) {
						const pad = 'x'.repeat((n * 997) % 60000);
						ports.append('s1', [{ id: name + n, ts: '', type: 't', category: 't', label: 't', sessionId: 's1', pad }]);
					}`,
				resolveDir: import.meta.dirname,
				loader: 'js',
			},
			bundle: true,
			platform: 'node',
			outfile: script,
			logLevel: 'silent',
		});
		const writers = ['a', 'b', 'c', 'd'].map((name) => fork(script, [home, name]));
		await Promise.all(writers.map((writer) => once(writer, 'exit')));
		expect(new Set(idsIn()).size).toBe(400);
		expect(idsIn()).toHaveLength(400);
	});
});

describe('recorded', () => {
	it('R22 finds what this process or another one appended, by request or by event', () => {
		const other = createNodePorts({ home });
		const output = { continue: true };
		expect(ports.recorded('s1', ['run-a'])).toBeUndefined();
		other.append('s1', [event('a'), event('v', { type: 'gate:verdict', requestId: 'run-a', output })]);
		// As versions before this one recorded it.
		const decision = { decision: 'pass' };
		expect(ports.recorded('s1', ['nothing', 'run-a'])).toEqual({ decision, isOwn: false });
		expect(ports.recorded('s1', ['a'])).toEqual({ decision, isOwn: false });
		ports.append('s1', [event('b')]);
		other.append('s1', [event('c')]);
		ports.append('s1', [event('d')]);
		for (const id of ['a', 'b', 'c', 'd']) expect(ports.recorded('s1', [id])).toBeDefined();
		other.close();
	});

	it('R22 looks through the last 256 KiB, past damage and half lines', () => {
		const pad = 'x'.repeat(60_000);
		ports.append('s1', [event('old', { pad })]);
		for (let n = 0; n < 6; n++) ports.append('s1', [event(`e${n}`, { pad })]);
		appendFileSync(timelinePath(home, 's1'), 'garbage\n{"id":"half","requestId":"run-half"');
		const fresh = createNodePorts({ home });
		expect(fresh.recorded('s1', ['old'])).toBeUndefined();
		expect(fresh.recorded('s1', ['e5'])).toBeDefined();
		expect(fresh.recorded('s1', ['run-half'])).toBeUndefined();
		appendFileSync(timelinePath(home, 's1'), '}\n');
		expect(fresh.recorded('s1', ['run-half'])).toBeDefined();
		fresh.close();
	});

	it('R22 a second installation records a call once and prints the same answer', () => {
		const input = {
			session_id: 's1',
			cwd: home,
			hook_event_name: 'PreToolUse',
			tool_name: 'Agent',
			tool_use_id: 't1',
			tool_input: {},
		};
		const first = respond(input, { requestId: 'r1', profile: 'open' }, ports);
		const other = createNodePorts({ home });
		const second = respond(input, { requestId: 'r2', profile: 'open' }, other);
		expect(second).toMatchObject({ output: first.output, repeated: true });
		expect(new Set(idsIn()).size).toBe(idsIn().length);
		other.close();
	});
});

describe('readBounded', () => {
	const file = (name: string, text = 'x') => {
		mkdirSync(join(home, 'project'), { recursive: true });
		writeFileSync(join(home, 'project', name), text);
		return join(home, 'project', name);
	};

	it('R722 a project is the nearest folder with .git, package.json or .vibe-engine, else the folder itself', () => {
		const [shop, deep] = [join(home, 'shop'), join(home, 'shop/src/cart')];
		mkdirSync(deep, { recursive: true });
		for (const [marker, at] of [
			['.git', shop],
			['package.json', join(shop, 'src')],
			['.vibe-engine', shop],
		] as const) {
			const fresh = createNodePorts({ home });
			mkdirSync(join(at, marker));
			expect([marker, fresh.projectRootOf(deep)]).toEqual([marker, at]);
			rmSync(join(at, marker), { recursive: true });
			fresh.close();
		}
		expect(ports.projectRootOf('/nowhere/at/all')).toBe('/nowhere/at/all');
	});

	it('R722 the project that the client names takes precedence over the agent’s folder', () => {
		const plan = {
			planId: 'route-1',
			status: 'pending',
			phases: [{ tasks: [{ agent: 'tester', status: 'pending' }] }],
		};
		mkdirSync(join(home, 'shop/.vibe-engine'), { recursive: true });
		writeFileSync(join(home, 'shop/.vibe-engine/routing-state.json'), JSON.stringify(plan));
		const call = { tool_name: 'Task', tool_input: { subagent_type: 'architect' }, cwd: '/' };
		const ask = (projectDir?: string) =>
			respond({ ...call }, { requestId: `r-${projectDir}`, profile: 'open', ...(projectDir && { projectDir }) }, ports)
				.output;
		expect(ask(join(home, 'shop'))).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
		expect(ask()).toMatchObject({ hookSpecificOutput: { permissionDecision: 'allow' } });
	});

	it('reads regular files up to a mebibyte', () => {
		expect(readBounded(file('a', 'ä'), join(home, 'project'))).toMatchObject({ ok: true, text: 'ä' });
		expect(readBounded(file('b', 'x'.repeat(1024 * 1024)))).toMatchObject({ ok: true });
		expect(readBounded(file('c', 'x'.repeat(1024 * 1024 + 1)))).toEqual({ ok: false, why: 'too-large' });
		expect(readBounded(join(home, 'none', 'x'))).toEqual({ ok: false, why: 'absent' });
		expect(readBounded(home)).toEqual({ ok: false, why: 'not-regular' });
		expect(readBounded('/proc/self/status')).toMatchObject({ ok: true });
	});

	it('never blocks on a FIFO and follows no link out', () => {
		file('inside');
		const root = join(home, 'project');
		execFileSync('mkfifo', [join(root, 'fifo')]);
		expect(readBounded(join(root, 'fifo'), root)).toEqual({ ok: false, why: 'not-regular' });
		symlinkSync('/etc/hostname', join(root, 'link'));
		expect(readBounded(join(root, 'link'), root)).toEqual({ ok: false, why: 'outside' });
		symlinkSync('/etc', join(root, 'folder'));
		expect(readBounded(join(root, 'folder/hostname'), root)).toEqual({ ok: false, why: 'outside' });
		symlinkSync(root, join(home, 'other-name'));
		expect(readBounded(join(home, 'other-name/inside'), join(home, 'other-name'))).toMatchObject({ ok: true });
		symlinkSync('loop', join(root, 'loop'));
		expect(readBounded(join(root, 'loop/x'), root).ok).toBe(false);
	});

	it('stores a blob once, for the owner only', () => {
		const name = ports.writeBlob('s1', 'large');
		expect(ports.writeBlob('s1', 'large')).toBe(name);
		const path = join(home, 'sessions', 's1', 'blobs', name);
		expect(readFileSync(path, 'utf8')).toBe('large');
		expect(statSync(path).mode & 0o777).toBe(0o600);
	});
});
