import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { WIRE_VERSION } from '#lib/contract/realtime/wire-version.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { FIRST_SESSIONS, pageOfSessions } from '#lib/session/session-page.ts';
import { collect, range, seqs, startRealtime, stopReading, subscribe, until } from '../../testing/realtime-rig.ts';
import { defaultBudget } from './unsent.ts';

type Rig = Awaited<ReturnType<typeof startRealtime>>;
const rigs: Rig[] = [];
async function openRig(options?: Parameters<typeof startRealtime>[0]): Promise<Rig> {
	const rig = await startRealtime(options);
	rigs.push(rig);
	return rig;
}
const epochOf = ({ index }: Rig) => index.epochOf('s1') ?? null;
afterEach(async () => {
	await Promise.all(rigs.splice(0).map((rig) => rig.close()));
});

test('R100 a first load is a snapshot, then events follow without a hole', async () => {
	const rig = await openRig();
	await rig.write('s1', 300);
	const client = rig.client();
	const got = collect(client);
	expect(await subscribe(client, 'session:s1')).toEqual({ ok: true });
	await until(client, () => got.snapshots.length === 1);
	expect(got.snapshots[0]).toMatchObject({ topic: 'session:s1', epoch: epochOf(rig), view: { seq: 300 } });
	expect(got.snapshots[0]?.rows.map((row) => row.seq)).toEqual(range(101, 300));
	await rig.write('s1', 20);
	await until(client, () => seqs(got).at(-1) === 320);
	expect(seqs(got)).toEqual(range(301, 320));
});

test('R100 a resume within reach gets exactly the missing events, in pages', async () => {
	const rig = await openRig();
	await rig.write('s1', 500);
	const client = rig.client();
	const got = collect(client);
	await subscribe(client, 'session:s1', { epoch: epochOf(rig), since: 120 });
	await until(client, () => seqs(got).at(-1) === 500);
	expect(seqs(got)).toEqual(range(121, 500));
	expect(got.batches.length).toBeGreaterThan(1);
	expect(got.snapshots).toEqual([]);
});

test.each([
	['of another epoch', { epoch: 'another', since: 5 }],
	['from too far back', { since: 0 }],
	['from the future', { since: 5000 }],
])('R100 a resume %s is a snapshot', async (_name, from) => {
	const rig = await openRig();
	await rig.write('s1', 1100);
	const client = rig.client();
	const got = collect(client);
	await subscribe(client, 'session:s1', { epoch: epochOf(rig), ...from });
	await until(client, () => got.snapshots.length === 1);
	expect(got.snapshots[0]?.view.seq).toBe(1100);
	expect(got.batches).toEqual([]);
});

test('under random writes, disconnects and resumes a client has every event once, in order', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.constantFrom('write', 'burst', 'drop', 'twice'), { minLength: 5, maxLength: 25 }),
			async (steps) => {
				const rig = await startRealtime();
				await rig.write('s1', 1);
				const all: number[] = [1];
				let written = 1;
				let client = rig.client();
				const join = async () => {
					const socket = client;
					socket.on('events', ({ events }) => void all.push(...events.map((event) => event.seq)));
					// Too far behind, a client gets a snapshot instead: it stands for everything before it.
					socket.on('snapshot', ({ view }) => void all.push(...range((all.at(-1) ?? 0) + 1, view.seq)));
					await subscribe(socket, 'session:s1', { epoch: epochOf(rig), since: all.at(-1) ?? 0 });
				};
				await join();
				for (const step of steps) {
					if (step === 'drop') {
						client.disconnect();
						client = rig.client();
						const writing = rig.write('s1', 3);
						await Promise.all([join(), writing]);
						written += 3;
					} else if (step === 'twice') {
						await subscribe(client, 'session:s1', { epoch: epochOf(rig), since: all.at(-1) ?? 0 });
					} else {
						const count = step === 'burst' ? 300 : 2;
						await rig.write('s1', count);
						written += count;
					}
				}
				await until(client, () => (all.at(-1) ?? 0) >= written);
				await rig.close();
				expect(dropRepeats(all)).toEqual(range(1, written));
			},
		),
		{ numRuns: 15, seed: 7 },
	);
});

/** A resume names what the client has by then; what was under way comes again and is known by its seq. */
function dropRepeats(all: number[]): number[] {
	const kept: number[] = [];
	for (const seq of all) if (seq > (kept.at(-1) ?? 0)) kept.push(seq);
	return kept;
}

test('within one subscription nothing is doubled, however subscribing and writing meet', async () => {
	const rig = await openRig();
	await rig.write('s1', 1);
	for (let n = 0; n < 20; n += 1) {
		const client = rig.client();
		const got = collect(client);
		const writing = rig.write('s1', 30);
		await Promise.all([subscribe(client, 'session:s1'), writing]);
		await rig.write('s1', 1);
		const last = rig.index.view('s1')?.seq ?? 0;
		await until(client, () => seqs(got).at(-1) === last);
		expect(seqs(got)).toEqual(range((got.snapshots[0]?.view.seq ?? 0) + 1, last));
		client.disconnect();
	}
});

test('R102 the first event goes out at once, those right after it together', async () => {
	const rig = await openRig();
	await rig.write('s1', 1);
	const client = rig.client();
	const got = collect(client);
	await subscribe(client, 'session:s1');
	await rig.write('s1', 1);
	for (let n = 0; n < 10; n += 1) await rig.write('s1', 1);
	await until(client, () => seqs(got).at(-1) === 12);
	expect(got.batches[0]?.events).toHaveLength(1);
	expect(got.batches.length).toBeLessThan(11);
});

/** A client that nobody ever calls slow must not fill the disk. */
const MAX_WRITES = 400;

test('R103 a client that takes nothing is left out, then cut; the others get everything', async () => {
	const rig = await openRig({ budget: { ...defaultBudget, stallMs: 200 } });
	await rig.write('s1', 1);
	const [slow, quick] = [rig.client(), rig.client()];
	const got = collect(quick);
	await Promise.all([subscribe(slow, 'session:s1'), subscribe(quick, 'session:s1')]);
	const cut = new Promise<string>((resolve) => {
		const socket = rig.io.of('/').sockets.get(slow.id ?? '');
		socket?.on('disconnect', resolve);
	});
	stopReading(slow);
	let ended = '';
	void cut.then((reason) => {
		ended = reason;
	});
	let written = 1;
	for (let n = 0; n < MAX_WRITES && ended === ''; n += 1) {
		await rig.write('s1', 10, { prompt: 'x'.repeat(50_000) });
		written += 10;
		await until(quick, () => seqs(got).at(-1) === written);
	}
	expect(await cut).toMatch(/^transport (close|error)$/);
	expect(seqs(got)).toEqual(range(2, written));
});

test.each(['sessions', 'session:s1'] as const)(
	'a client that asks for %s again and again, and reads nothing, is not sent one whole answer after the other',
	async (topic) => {
		let now = 0;
		const rig = await openRig({ steady: () => (now += 1000) });
		for (let n = 2; n < 40; n += 1) await rig.write(`s${n}`, 1);
		await rig.write('s1', 100);
		const slow = rig.client();
		await subscribe(slow, topic, { epoch: 'another' });
		stopReading(slow);
		const socket = rig.io.of('/').sockets.get(slow.id ?? '');
		let sent = 0;
		socket?.conn.on('packetCreate', ({ data }: { data?: unknown }) => {
			if (typeof data === 'string') sent += data.length;
		});
		const allReceived = new Promise<void>((resolve) => {
			let left = 1000;
			socket?.onAny(() => {
				left -= 1;
				if (left === 0) setImmediate(resolve);
			});
		});
		const request = { version: WIRE_VERSION, topic, epoch: 'another', since: 0 };
		for (let n = 0; n < 1000; n += 1) slow.emit('subscribe', request, () => undefined);
		await allReceived;
		// A polite goodbye would wait for it.
		socket?.conn.request.socket.destroy();
		expect(sent).toBeLessThan(2 * 1024 * 1024);
	},
);

test('R103 a client that was left out and reads again learns so, and resumes without a hole', async () => {
	const rig = await openRig({ budget: { ...defaultBudget, bytes: 300_000, stallMs: 60_000 } });
	await rig.write('s1', 1);
	const client = rig.client();
	const got = collect(client);
	await subscribe(client, 'session:s1');
	const readAgain = stopReading(client);
	let isNotified = false;
	rig.io
		.of('/')
		.sockets.get(client.id ?? '')
		?.conn.on('packetCreate', ({ data }: { data?: unknown }) => {
			isNotified ||= String(data).startsWith('2["behind"');
		});
	for (let n = 0; n < MAX_WRITES && !isNotified; n += 1) await rig.write('s1', 20, { prompt: 'x'.repeat(50_000) });
	expect(isNotified).toBe(true);
	readAgain();
	await until(client, () => got.behind.length === 1);
	await subscribe(client, 'session:s1', { epoch: epochOf(rig), since: seqs(got).at(-1) ?? 1 });
	const last = rig.index.view('s1')?.seq ?? 0;
	await until(client, () => seqs(got).at(-1) === last);
	expect(seqs(got)).toEqual(range(2, last));
});

test('when the index is built again everybody gets a new snapshot', async () => {
	const rig = await openRig();
	await rig.write('s1', 5);
	const client = rig.client();
	const got = collect(client);
	await Promise.all([subscribe(client, 'session:s1'), subscribe(client, 'sessions')]);
	const { epoch } = rig.index;
	const former = epochOf(rig);
	rig.index.forget('s1');
	expect(rig.index.epoch).not.toBe(epoch);
	await rig.write('s1', 1);
	await until(client, () => got.snapshots.some((snapshot) => snapshot.epoch !== former));
	await until(client, () => got.updates.some((update) => update.full && update.epoch !== epoch));
	expect(got.snapshots.at(-1)?.epoch).toBe(epochOf(rig));
});

test('R105 the list comes whole once, then only what changed, and never the home session', async () => {
	const rig = await openRig();
	await rig.write('s1', 1);
	await rig.write('s2', 1);
	await rig.write(HOME_SESSION, 1);
	const client = rig.client();
	const got = collect(client);
	await subscribe(client, 'sessions');
	await until(client, () => got.updates.length === 1);
	expect(got.updates[0]).toMatchObject({ full: true, epoch: rig.index.epoch });
	expect(got.updates[0]?.sessions.map((session) => session.sessionId).sort()).toEqual(['s1', 's2']);
	await rig.write(HOME_SESSION, 1);
	await rig.write('s2', 3);
	await until(client, () => got.updates.at(-1)?.sessions.some((session) => session.seq === 4) ?? false);
	const later = got.updates.slice(1);
	expect(later.every((update) => !update.full)).toBe(true);
	expect(later.flatMap((update) => update.sessions.map((session) => session.sessionId))).not.toContain('s1');
	expect(later.flatMap((update) => update.sessions.map((session) => session.sessionId))).not.toContain(HOME_SESSION);
});

test('a list begins with a first page; a session of a later one comes when it changes, and counts stay true', async () => {
	const rig = await openRig();
	const end = { type: 'session:end', category: 'session', label: 'Session ended', reason: 'exit' };
	const ids = Array.from({ length: FIRST_SESSIONS + 20 }, (_, position) => `s${String(position).padStart(3, '0')}`);
	for (const id of ids) await rig.write(id, 1, end);
	const client = rig.client();
	const got = collect(client);
	await subscribe(client, 'sessions');
	await until(client, () => got.updates.length === 1);
	const [first] = got.updates;
	expect(first?.sessions).toHaveLength(FIRST_SESSIONS);
	expect(first?.counts).toMatchObject({ all: ids.length, groups: { Running: 0 } });
	const rest = pageOfSessions(rig.tail.views(), { now: Date.now(), before: first?.next ?? '' });
	expect([...(first?.sessions ?? []), ...rest.sessions].map(({ sessionId }) => sessionId).sort()).toEqual(ids);
	const [late = ''] = rest.sessions.map(({ sessionId }) => sessionId);
	await rig.write(late, 1);
	await until(client, () => got.updates.length > 1);
	const newest = got.updates.at(-1);
	expect(newest?.sessions.map(({ sessionId }) => sessionId)).toEqual([late]);
	expect(newest?.counts).toMatchObject({ all: ids.length });
	expect(newest).not.toHaveProperty('next');
});

test('happy#1383: only viewers and operators may listen; an operator, never an agent, counts as present until gone', async () => {
	const rig = await openRig();
	const refusal = (login: string) =>
		new Promise<string>((resolve) => rig.client(login).on('connect_error', (error) => resolve(error.message)));
	expect(await refusal('nobody')).toBe('auth/forbidden');
	expect(await refusal('edge')).toBe('auth/forbidden');

	const connected = (client: ReturnType<Rig['client']>) =>
		new Promise<void>((resolve) => client.on('connect', resolve));
	await connected(rig.client('viewer'));
	expect(rig.gateway.presence()).toBe('nobody');
	const operator = rig.client('operator');
	await connected(operator);
	expect(rig.gateway.presence()).toBe('here');
	const gone = new Promise((resolve) => operator.on('disconnect', resolve));
	rig.gateway.dropLogin('operator-hash');
	await gone;
	expect(rig.gateway.presence()).toBe('nobody');
});

test('a connection ends with the sign-in that it was opened for, also where that only ran out', async () => {
	const rig = await openRig();
	const connected = (login: string) =>
		new Promise<ReturnType<Rig['client']>>((resolve) => {
			const client = rig.client(login);
			client.on('connect', () => resolve(client));
		});
	const [viewer, operator] = await Promise.all([connected('viewer'), connected('operator')]);
	rig.gateway.dropEnded(() => true);
	expect(rig.gateway.presence()).toBe('here');
	const gone = new Promise((resolve) => operator.on('disconnect', resolve));
	rig.gateway.dropEnded((hash) => hash !== 'operator-hash');
	await gone;
	expect([rig.gateway.presence(), viewer.connected]).toEqual(['nobody', true]);
});

test('an operator whose connection breaks off is awaited for ten seconds, one that signed out is not', async () => {
	let steady = 0;
	const rig = await openRig({ steady: () => steady });
	const left = async () => {
		const client = rig.client('operator');
		await new Promise<void>((resolve) => client.on('connect', resolve));
		expect(rig.gateway.presence()).toBe('here');
		const seen = new Promise((resolve) => [...rig.io.of('/').sockets.values()][0]?.on('disconnect', resolve));
		client.io.engine.close();
		await seen;
	};
	await left();
	expect(rig.gateway.presence()).toBe('awaited');
	steady += 10_000;
	expect(rig.gateway.presence()).toBe('awaited');
	steady += 1;
	expect(rig.gateway.presence()).toBe('nobody');
	await left();
	rig.gateway.dropLogin('operator-hash');
	expect(rig.gateway.presence()).toBe('nobody');
});

test('what does not fit is answered with its reason', async () => {
	const rig = await openRig();
	await rig.write('s1', 1);
	const client = rig.client();
	expect(await subscribe(client, 'session:s1', { version: 0 })).toEqual({ ok: false, reason: 'client-too-old' });
	expect(await subscribe(client, 'session:absent')).toEqual({ ok: false, reason: 'not-found' });
	expect(await subscribe(client, 'session:../../etc/passwd')).toEqual({ ok: false, reason: 'not-found' });
	expect(await subscribe(client, 'session:s1', { since: -1 })).toEqual({ ok: false, reason: 'invalid' });
	expect(await subscribe(client, 'other' as 'sessions')).toEqual({ ok: false, reason: 'invalid' });
	const odd = client as unknown as { emit(...parts: unknown[]): void };
	for (const nonsense of [null, 7, 'x', [], { version: {} }]) odd.emit('subscribe', nonsense);
	odd.emit('unsubscribe', { topic: 1 });
	expect(await subscribe(client, 'session:s1')).toEqual({ ok: true });
});

test('a client that says more than fifty things within a second is cut; the others go on', async () => {
	let steady = 0;
	const rig = await openRig({ steady: () => steady });
	await rig.write('s1', 1);
	const [calm, flood] = [rig.client(), rig.client()];
	for (let second = 0; second < 3; second += 1) {
		for (let n = 0; n < 50; n += 1) expect(await subscribe(calm, 'session:s1')).toEqual({ ok: true });
		steady += 1000;
	}
	const cut = new Promise((resolve) => flood.on('disconnect', resolve));
	for (let n = 0; n < 60; n += 1) flood.emit('unsubscribe', 'session:s1');
	expect(await cut).toBe('io server disconnect');
	expect(await subscribe(calm, 'session:s1')).toEqual({ ok: true });
});

test('a topic that is refused when it is asked for again takes no place among the 64', async () => {
	let steady = 0;
	const rig = await openRig({ steady: () => steady });
	const head = vi.spyOn(rig.reads, 'headOf').mockImplementation(async () => ({ epoch: 'e', seq: 0 }));
	const client = rig.client();
	for (let n = 0; n < 64; n += 1) {
		steady += 1000;
		expect(await subscribe(client, `session:s${n}`)).toEqual({ ok: true });
	}
	steady += 1000;
	expect(await subscribe(client, 'session:more')).toEqual({ ok: false, reason: 'invalid' });
	head.mockResolvedValueOnce(undefined);
	expect(await subscribe(client, 'session:s7')).toEqual({ ok: false, reason: 'not-found' });
	expect(await subscribe(client, 'session:more')).toEqual({ ok: true });
});

test('after unsubscribing nothing more comes', async () => {
	const rig = await openRig();
	await rig.write('s1', 1);
	const client = rig.client();
	const got = collect(client);
	await subscribe(client, 'session:s1');
	client.emit('unsubscribe', 'session:s1');
	await subscribe(client, 'sessions');
	await rig.write('s1', 5);
	await until(client, () => got.updates.some((update) => update.sessions.some((session) => session.seq === 6)));
	expect(got.batches).toEqual([]);
});
