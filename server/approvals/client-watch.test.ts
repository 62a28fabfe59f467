import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import type { SealedEvent } from '#hooks-bridge/ports/ports.ts';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { emptyView } from '#lib/session/fold.ts';
import { createLog } from '../process/log.ts';
import { createClientWatch } from './client-watch.ts';
import { type ProcessProbe, processProbe } from './process-probe.ts';

const clients: ChildProcess[] = [];
afterEach(() => {
	for (const client of clients.splice(0)) client.kill('SIGKILL');
});

function startClient(): { pid: number; kill(): Promise<void> } {
	const child = spawn('sleep', ['600']);
	clients.push(child);
	return {
		pid: child.pid ?? 0,
		async kill() {
			child.kill('SIGKILL');
			await once(child, 'close');
		},
	};
}

function watchOf(views: SessionView[] = [], probe?: ProcessProbe) {
	const appended: SealedEvent[] = [];
	const watch = createClientWatch({
		ports: {
			now: () => Date.now(),
			digest: (text) => Buffer.from(text).toString('hex'),
			append: (_sessionId, events) => void appended.push(...events),
		},
		views: () => views,
		viewOf: (sessionId) => views.find((view) => view.sessionId === sessionId),
		log: createLog(() => undefined),
		...(probe && { probe }),
	});
	return { watch, told: appended };
}

test('a session whose client was killed is reported lost, once', async () => {
	const client = startClient();
	const { watch, told } = watchOf();
	watch.saw('s1', client.pid);
	watch.sweep();
	watch.sweep();
	expect(told).toEqual([]);
	await client.kill();
	for (let look = 0; look < 5; look += 1) watch.sweep();
	expect(told).toMatchObject([{ type: 'session:lost', sessionId: 's1', pid: client.pid }]);
});

test('a session that ended is not lost when its client goes', async () => {
	const client = startClient();
	const { watch, told } = watchOf([{ ...emptyView('s1'), ended: { at: new Date().toISOString() } }]);
	watch.saw('s1', client.pid);
	await client.kill();
	for (let look = 0; look < 3; look += 1) watch.sweep();
	expect(told).toEqual([]);
});

test('a session that speaks again with another client is alive again, and can be lost again', async () => {
	const [first, second] = [startClient(), startClient()];
	const { watch, told } = watchOf();
	watch.saw('s1', first.pid);
	await first.kill();
	watch.sweep();
	watch.saw('s1', second.pid);
	watch.sweep();
	watch.sweep();
	expect(told).toEqual([]);
	await second.kill();
	watch.sweep();
	watch.sweep();
	expect(told).toMatchObject([{ pid: second.pid }]);
	expect(new Set(told.map((event) => event.id)).size).toBe(told.length);
});

test('after a restart the sessions of the index are watched; a number that another process has now does not count', async () => {
	const client = startClient();
	const view = (sessionId: string, lastAt: string): SessionView => ({
		...emptyView(sessionId),
		pid: client.pid,
		lastAt,
	});
	const later = new Date(Date.now() + 60_000).toISOString();
	const { watch, told } = watchOf([view('its-own', later), view('older', '2020-01-01T00:00:00.000Z')]);
	watch.start();
	watch.stop();
	watch.sweep();
	watch.sweep();
	expect(told.map((event) => event.sessionId)).toEqual(['older']);
	await client.kill();
});

test('a client that cannot be seen from here is not watched', async () => {
	const client = startClient();
	await client.kill();
	const { watch, told } = watchOf();
	watch.saw('s1', client.pid);
	watch.sweep();
	watch.sweep();
	expect(told).toEqual([]);
});

test('of a thousand clients a look asks a hundred who they are, in turn; one that died is lost as soon as of a few', async () => {
	const probed: number[] = [];
	const [client, taken] = [startClient(), startClient()];
	const { watch, told } = watchOf([], {
		...processProbe,
		identify: (pid) => ({ pid, start: '1' }),
		exists: (pid) => pid > 1_000_000 || processProbe.exists(pid),
		isAlive({ pid }) {
			probed.push(pid);
			// Its number belongs to another process by now.
			return pid !== taken.pid && (pid > 1_000_000 || processProbe.exists(pid));
		},
	});
	for (let n = 1; n <= 998; n += 1) watch.saw(`s${n}`, 1_000_000 + n);
	watch.saw('dies', client.pid);
	watch.sweep();
	expect(probed.length).toBeLessThanOrEqual(100);
	await client.kill();
	for (let look = 0; look < 2; look += 1) watch.sweep();
	expect(told).toMatchObject([{ sessionId: 'dies' }]);
	watch.saw('replaced', taken.pid);
	for (let look = 0; look < 11; look += 1) watch.sweep();
	expect(new Set(probed).size).toBe(1000);
	expect(told).toMatchObject([{ sessionId: 'dies' }, { sessionId: 'replaced' }]);
});
