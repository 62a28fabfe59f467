import { afterEach, expect, test } from 'vitest';
import { collect, range, seqs, startRealtime, stopReading, subscribe, until } from '../../testing/realtime-rig.ts';
import type { ServerSocket } from './socket-types.ts';
import { defaultBudget } from './unsent.ts';

const MIB = 1024 * 1024;
/** More than one batch of what these tests write. */
const BATCH = 1.2 * MIB;
/** Nobody is left out for being slow: the bound alone is at work. */
const patient = { ...defaultBudget, bytes: Number.POSITIVE_INFINITY, items: Number.POSITIVE_INFINITY };

type Rig = Awaited<ReturnType<typeof startRealtime>>;
let rig: Rig;
/** Lets clients that have stopped reading read again: until they have said goodbye, a server that closes waits half a minute. */
const thaw: (() => void)[] = [];
afterEach(() => {
	for (const readAgain of thaw.splice(0)) readAgain();
	return rig.close();
});

/** What really waits in this process, as engine.io and the websocket tell it. */
function waiting({ conn }: ServerSocket): number {
	if (conn.request.socket.destroyed) return 0;
	const { writeBuffer, transport } = conn as unknown as {
		writeBuffer: { data?: string }[];
		transport: { socket: { bufferedAmount: number } };
	};
	const queued = writeBuffer.reduce((sum, { data = '' }) => sum + Buffer.byteLength(data), 0);
	return queued + transport.socket.bufferedAmount;
}

/** Writes to the sessions, while a client reads along, until `ended`; gives the most that ever waited. */
async function writeUntil(ended: () => boolean, sessions: readonly string[]) {
	const reader = rig.client();
	const got = collect(reader);
	await subscribe(reader, 'session:s1');
	const most = { one: 0, together: 0 };
	let written = 1;
	while (!ended()) {
		for (const session of sessions) await rig.write(session, 10, { prompt: '\u00e9'.repeat(25_000) });
		written += 10;
		const loads = [...rig.io.of('/').sockets.values()].map(waiting);
		most.one = Math.max(most.one, ...loads);
		const sum = loads.reduce((all, bytes) => all + bytes, 0);
		most.together = Math.max(most.together, sum);
		await until(reader, () => seqs(got).at(-1) === written);
	}
	expect(seqs(got)).toEqual(range(2, written));
	return most;
}

/** A client that watches sessions and has stopped reading; its place in the order in which they were cut. */
async function stalled(order: string[], name: string, ...sessions: string[]) {
	const client = rig.client();
	for (const session of sessions) await subscribe(client, `session:${session}`);
	rig.io
		.of('/')
		.sockets.get(client.id ?? '')
		?.on('disconnect', () => order.push(name));
	thaw.push(stopReading(client));
}

test('what waits for one client that does not read is bounded; the others get everything', async () => {
	rig = await startRealtime({ budget: { ...patient, most: 4 * MIB } });
	await rig.write('s1', 1);
	const order: string[] = [];
	await stalled(order, 'one', 's1');
	const most = await writeUntil(() => order.length === 1, ['s1']);
	expect(most.one).toBeGreaterThan(MIB);
	expect(most.one).toBeLessThan(4 * MIB + BATCH);
});

test('what waits for all of them is bounded, and who costs most goes first', async () => {
	rig = await startRealtime({ budget: { ...patient, mostTogether: 5 * MIB } });
	await rig.write('s1', 1);
	await rig.write('s2', 1);
	const order: string[] = [];
	await stalled(order, 'small', 's1');
	await stalled(order, 'large', 's1', 's2');
	await stalled(order, 'other', 's1');
	const most = await writeUntil(() => order.length === 2, ['s1', 's2']);
	expect(order[0]).toBe('large');
	expect(most.together).toBeGreaterThan(3 * MIB);
	expect(most.together).toBeLessThan(5 * MIB + BATCH);
});
