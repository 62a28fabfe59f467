import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newFeature } from '#hooks-bridge/features/open-feature.ts';
import { createLog } from '../../process/log.ts';
import { type FeaturesRig, openFeatures } from '../../testing/features-rig.ts';
import { proofIn } from '../../timeline/tail/timeline-file.ts';
import { createArchivedLedger } from './archived-ledger.ts';

const by = { role: 'operator', via: 'browser' } as const;
let rig: FeaturesRig;
beforeEach(async () => {
	rig = await openFeatures();
});
afterEach(async () => {
	await rig.close();
	rig.remove();
});

async function archiveWithDenial(): Promise<string> {
	rig.say('s1', 'session:start', { cwd: rig.project, project: 'shop' });
	newFeature(rig.project, 'cart', rig, { sessionId: 's1' });
	rig.say('s1', 'tool:call', { toolUseId: 't1', tool: 'Bash', input: { command: 'rm -rf x' } });
	const verdict = { gate: 'command-policy', decision: 'deny', rule: 'command.excluded', reason: 'no', facts: {} };
	rig.say('s1', 'gate:verdict', { toolUseId: 't1', ...verdict });
	rig.say('s1', 'tool:call', { toolUseId: 't2', tool: 'Bash', input: { command: 'ls' } });
	rig.say('s1', 'session:end', {});
	await rig.whenSettled();
	const [live] = await rig.service.list();
	const { id } = await rig.service.act(live?.id ?? '', 'archive', by);
	await rig.whenSettled();
	return id;
}

function open() {
	const logged: string[] = [];
	const log = createLog((line) => logged.push(line));
	const ledger = createArchivedLedger({ home: rig.home, proofOf: proofIn(rig.journal), now: rig.now, log });
	const isHere = async (sessionId: string) => rig.tail.viewOf(sessionId) !== undefined;
	async function readAll() {
		for (;;) {
			const { lines, unread } = await ledger.read(isHere);
			if (unread === 0) return lines;
			await new Promise(setImmediate);
		}
	}
	return { ledger, logged, isHere, readAll };
}

test('a decision of a session that only an archive holds is in the ledger with its archive and what followed; the index answers for what it has', async () => {
	const id = await archiveWithDenial();
	expect(await open().readAll()).toEqual([]);
	rmSync(join(rig.home, 'sessions', 's1'), { recursive: true });
	await rig.close();
	for (const name of ['index.db', 'index.db-wal', 'index.db-shm']) rmSync(join(rig.home, name), { force: true });
	rig = await openFeatures(rig);
	await rig.whenSettled();
	const { readAll } = open();
	expect((await readAll()).map(({ record }) => record)).toMatchObject([
		{
			...{ sessionId: 's1', rowKey: 'call:t1', title: 'rm -rf x', project: 'shop', archive: id, isDenied: true },
			followed: { calls: [{ tool: 'Bash', title: 'ls' }] },
		},
	]);
	expect(await readAll()).toEqual(await readAll());
});

test('an archive that is damaged has no lines, is logged once and holds up nobody', async () => {
	const id = await archiveWithDenial();
	const { ledger, logged, readAll } = open();
	const nobody = async () => false;
	writeFileSync(join(rig.home, 'archive', id, 's1.jsonl.gz'), 'x');
	while ((await ledger.read(nobody)).unread > 0) await new Promise(setImmediate);
	expect(await ledger.read(nobody)).toEqual({ lines: [], unread: 0 });
	expect(logged.filter((line) => line.includes('cannot be read'))).toHaveLength(1);
	expect(await readAll()).toEqual([]);
});
