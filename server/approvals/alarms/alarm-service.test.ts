import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createNodePorts } from '#hooks-bridge/node/node-ports.ts';
import { summarise } from '#lib/session/summarise.ts';
import { createLog } from '../../process/log.ts';
import { asLine, createTimelineRig, samplePrompt } from '../../testing/timeline-rig.ts';
import { openSqliteJournal } from '../../timeline/store/sqlite-journal.ts';
import { createOutbox } from '../outbox.ts';
import { createAlarmService } from './alarm-service.ts';

const by = { role: 'operator', via: 'browser' } as const;
const stops: (() => Promise<void> | void)[] = [];
afterEach(async () => {
	for (const stop of stops.splice(0).reverse()) await stop();
});

/** A home in which a call ran that was denied, with a service over a real journal and tail. */
async function openService(rig = createTimelineRig()) {
	const log = createLog(() => {});
	const journal = await openSqliteJournal(join(rig.home, 'journal.db'));
	const run = await rig.start({ journal });
	await run.tail.whenRead();
	const ports = createNodePorts({ home: rig.home, onAppend: (sessionId) => run.tail.noteAppended(sessionId) });
	const outbox = createOutbox({ journal, ports, log });
	const service = createAlarmService({ outbox, viewOf: run.tail.viewOf, now: Date.now });
	const stop = async () => {
		await outbox.whenPublished();
		await run.stop();
		await journal.close();
		ports.close();
	};
	const handled = async () => {
		await outbox.whenPublished();
		await run.tail.whenRead();
		return run.tail.viewOf('s1')?.handled;
	};
	return { rig, run, service, journal, handled, stop };
}

function homeWithAlarm() {
	const rig = createTimelineRig();
	stops.push(() => rmSync(rig.home, { recursive: true, force: true }));
	const call = { toolUseId: 't1', tool: 'Bash', input: { command: 'rm -rf build' } };
	const verdict = { gate: 'g', decision: 'deny', rule: 'r', reason: 'no', facts: {} };
	const line = (n: number, fields: Record<string, unknown>) => asLine({ ...samplePrompt('s1', n), ...fields });
	rig.append('s1', asLine(samplePrompt('s1', 1)));
	rig.append(
		's1',
		line(2, { type: 'tool:call', ...call }) + line(3, { type: 'gate:verdict', toolUseId: 't1', ...verdict }),
	);
	rig.append('s1', line(4, { type: 'tool:result', ...call }));
	return rig;
}

test('that an alarm was seen is in the journal, outlives a lost index, and no forged line says it', async () => {
	const rig = homeWithAlarm();
	const forged = { alarm: 'call:t1', by, type: 'alarm:acknowledge', category: 'alarm', label: 'x' };
	rig.append('s1', asLine({ ...samplePrompt('s1', 5), ...forged }));
	const first = await openService(rig);
	expect(await first.handled()).toBeUndefined();
	const answer = await first.service.handleAlarm('s1', { alarm: 'call:t1', action: 'acknowledge', minutes: 60 }, by);
	expect(answer).toMatchObject({ key: 'call:t1', at: expect.any(String) });
	expect(await first.handled()).toEqual([answer]);
	expect(first.journal.byKind(['alarm:acknowledge'], { limit: 9 })).toMatchObject([
		{ payload: { alarm: 'call:t1', by } },
	]);
	await first.stop();
	for (const file of ['index.db', 'index.db-wal', 'index.db-shm']) rmSync(join(rig.home, file), { force: true });
	const again = await openService(rig);
	stops.push(again.stop);
	expect(await again.handled()).toEqual([answer]);
	const view = again.run.tail.viewOf('s1');
	expect(view && summarise(view, Date.now()).alarms).toEqual([]);
});

test('silence is put off by its first instant; what is no alarm of the session is refused', async () => {
	const { service, run, handled, stop } = await openService(homeWithAlarm());
	stops.push(stop);
	const silent = `silent:${run.tail.viewOf('s1')?.lastAt}`;
	const answer = await service.handleAlarm('s1', { alarm: silent, action: 'snooze', minutes: 15 }, by);
	expect(await handled()).toEqual([answer]);
	expect(Date.parse(answer.until ?? '') - Date.parse(answer.at)).toBeGreaterThan(14 * 60_000);
	const wrong = { action: 'acknowledge', minutes: 60 } as const;
	await expect(service.handleAlarm('s1', { alarm: 'call:t9', ...wrong }, by)).rejects.toMatchObject({
		code: 'alarm/not-found',
	});
	await expect(service.handleAlarm('s9', { alarm: silent, ...wrong }, by)).rejects.toMatchObject({
		code: 'session/not-found',
	});
});
