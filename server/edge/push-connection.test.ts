import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '#hooks-bridge/disk/write-files.ts';
import type { CommandResult } from '#lib/contract/hub/hub-wire.ts';
import { decodeEdgeFrame, encodeHubFrame } from '#lib/hub/frame.ts';
import { makeKey } from '../hub-protocol/signatures.ts';
import { createHubLease } from './open-tickets.ts';
import { PushConnection, type PushParts } from './push-connection.ts';
import { createSharedSessions } from './shared-sessions.ts';

/** A connection of an edge that shares nothing, if nothing else is said, and was let in. */
function welcomed(of: Partial<Record<keyof PushParts, object>>, sent: Uint8Array[], credit = 1000) {
	const { privateKey } = makeKey();
	const parts = {
		...{ edge: 1, origin: 'https://hub.example', version: '1', wire: 3, content: 'all', privateKey },
		shared: { all: () => [], open: () => undefined },
		journal: { head: () => null, page: () => [] },
		features: {},
		tickets: { currentFrame: () => ({ open: [] }) },
		lease: createHubLease(),
		...{ level: () => 'hub', counter: () => 1, storeCounter: () => undefined, now: Date.now },
		...of,
	} as unknown as PushParts;
	const connection = new PushConnection(parts, (data) => sent.push(data));
	connection.receive(encodeHubFrame('challenge', { wire: 3, nonce: 'n'.repeat(32) }));
	connection.receive(encodeHubFrame('welcome', { counter: 2, journal: 0, credit, team: 'shop', name: 'hub' }));
	return connection;
}

test('R2045 a command that is done only after its connection has ended reads nothing and sends nothing over that one', async () => {
	const sent: Uint8Array[] = [];
	let isOpen = true;
	let done = (_: CommandResult): void => undefined;
	const head = () => {
		if (!isOpen) throw new Error('The journal is closed.');
		return null;
	};
	const commands = {
		runOnce: () =>
			new Promise<CommandResult>((resolve) => {
				done = resolve;
			}),
	};
	const connection = welcomed({ journal: { head, page: () => [] }, commands }, sent);
	connection.receive(encodeHubFrame('command', { n: 1, kind: 'policy', envelope: '{}' }));
	const before = sent.length;
	expect(before).toBeGreaterThan(1);
	connection.stop();
	isOpen = false;
	done({ n: 1, state: 'done', journal: 0 });
	await new Promise((resolve) => setImmediate(resolve));
	connection.sendTickets();
	expect(sent).toHaveLength(before);
});

test('a file that becomes another one while all credit is on its way for it stops neither its session nor any other', () => {
	const home = mkdtempSync(join(tmpdir(), 'sbx-push-'));
	onTestFinished(() => rmSync(home, { recursive: true }));
	const write = (id: string, lines: number) => {
		makeFolder(join(home, 'sessions', id));
		writeFileSync(join(home, 'sessions', id, 'timeline.jsonl'), '{}\n'.repeat(lines));
	};
	write('rewritten', 100);
	write('waiting', 2);
	const sent: Uint8Array[] = [];
	const connection = welcomed({ shared: createSharedSessions(home, { projects: 'all', content: 'all' }) }, sent, 200);
	const at = (session: string, generation: number) =>
		connection.receive(encodeHubFrame('at', { session, turn: generation, offset: 0, digest: '' }));
	const ranges = () =>
		sent.splice(0).flatMap((data) => {
			const frame = decodeEdgeFrame(data);
			return 'type' in frame && frame.type === 'range'
				? [[frame.header.session, frame.header.turn, frame.header.to]]
				: [];
		});
	for (const id of ['rewritten', 'waiting']) connection.pushNewLines(id);
	at('rewritten', 1);
	at('waiting', 1);
	expect(ranges()).toEqual([['rewritten', 1, 300]]);
	write('rewritten', 10);
	connection.pushNewLines('rewritten');
	at('rewritten', 2);
	expect(ranges()).toEqual([
		['rewritten', 2, 30],
		['waiting', 1, 6],
	]);
});

test.each(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS'])(
	'R2370 %s: a machine whose disk takes no counter sends the hub nothing of its sessions, and all of them once there is room',
	(code) => {
		const home = mkdtempSync(join(tmpdir(), 'sbx-push-'));
		onTestFinished(() => rmSync(home, { recursive: true }));
		makeFolder(join(home, 'sessions/s1'));
		writeFileSync(join(home, 'sessions/s1/timeline.jsonl'), '{}\n'.repeat(3));
		const shared = createSharedSessions(home, { projects: 'all', content: 'all' });
		const typesOf = (sent: readonly Uint8Array[]) =>
			sent.map((data) => {
				const frame = decodeEdgeFrame(data);
				return 'type' in frame ? frame.type : frame;
			});
		const sent: Uint8Array[] = [];
		const storeCounter = () => {
			throw Object.assign(new Error(`${code}: the disk refused`), { code });
		};
		// The pusher ends such a connection and tries again.
		expect(() => welcomed({ shared, storeCounter }, sent)).toThrow(code);
		expect(typesOf(sent)).toEqual(['hello']);
		const again: Uint8Array[] = [];
		welcomed({ shared }, again);
		expect(typesOf(again)).toContain('sessions');
	},
);
