import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asLine, createTimelineRig, samplePrompt } from '../../testing/timeline-rig.ts';
import type { IndexStore } from '../store/index-store.ts';
import { openSqliteIndex } from '../store/sqlite-index.ts';
import { ingest, loadSession } from './session-reader.ts';

test.each([1_767_225_600, 1_767_225_600_000, 1_767_225_600.5, '1767225600', '1767225600000', '', null, {}])(
	'agents-observe: %j is not a time: the line is a gap with that reason, never an event of another millennium',
	async (ts) => {
		const rig = createTimelineRig();
		rig.append(
			's1',
			asLine(samplePrompt('s1', 1)) + asLine({ ...samplePrompt('s1', 2), ts }) + asLine(samplePrompt('s1', 3)),
		);
		const run = await rig.start();
		await run.tail.whenRead();
		const events = run.events('s1');
		await run.stop();
		expect(events.map(({ type }) => type)).toEqual(['prompt:submit', 'system:gap', 'prompt:submit']);
		expect(events[1]).toMatchObject({ reason: expect.stringContaining('ts'), ts: events[0]?.ts });
	},
);

test('agents-observe: what a line costs the index does not grow with its session', () => {
	const rig = createTimelineRig();
	const index = openSqliteIndex(join(rig.home, 'index.db'));
	const reads: string[] = [];
	const counted = new Proxy(index, {
		get: (target, name: keyof IndexStore) => {
			const value = target[name];
			if (typeof value !== 'function') return value;
			return (...given: unknown[]) => {
				const answer = (value as (...all: unknown[]) => unknown).apply(target, given);
				const size =
					answer instanceof Map || answer instanceof Set ? answer.size : Array.isArray(answer) ? answer.length : 1;
				reads.push(`${name} ${size}`);
				return answer;
			};
		},
	});
	let hot = loadSession(counted, 's1');
	const cursor = { sessionId: 's1', device: 1, inode: 1, offset: 0, tailDigest: '' };
	const costOf = (n: number) => {
		reads.length = 0;
		const call = {
			...samplePrompt('s1', n),
			type: 'tool:call',
			toolUseId: `t${n}`,
			tool: 'Bash',
			input: { command: 'make' },
		};
		const result = { ...call, id: `r${n}`, type: 'tool:result', response: 'ok' };
		const items = [samplePrompt('s1', n), { ...call, id: `c${n}` }, result].map((event) => ({
			event: event as never,
			unverified: false,
		}));
		const { batch, lastTs } = ingest(counted, hot, { items, cursor, gapTime: '2026-01-01T00:00:00.000Z' });
		counted.write(batch);
		hot = { ...hot, view: batch.view, lastTs };
		return { asked: [...reads], rows: batch.rows.length, view: JSON.stringify(batch.view).length };
	};
	for (let n = 0; n < 250; n += 1) costOf(n);
	const early = costOf(250);
	for (let n = 251; n < 1000; n += 1) costOf(n);
	const late = costOf(1000);
	index.close();
	expect(late.asked).toEqual(early.asked);
	expect(late.rows).toBe(early.rows);
	expect(late.view).toBeLessThan(early.view * 1.1);
});

test('ids with half a surrogate are keys that an address can hold', async () => {
	const rig = createTimelineRig();
	rig.append(
		's1',
		asLine({ ...samplePrompt('s1', 1), toolUseId: 'half\ud800', agentId: '\udc00', prompt: 'half\ud800' }),
	);
	const run = await rig.start();
	await run.tail.whenRead();
	expect(run.events('s1')).toMatchObject([{ toolUseId: 'half\ufffd', agentId: '\ufffd', prompt: 'half\ud800' }]);
	await run.stop();
});

test('a call whose id holds NUL or is too long is one call, with its result and its agent', async () => {
	const rig = createTimelineRig();
	const lineWith = (n: number, fields: object) => asLine({ ...samplePrompt('s1', n), tool: 'Agent', ...fields });
	const ids = ['nul\u0000', 'long'.repeat(100)];
	for (const [n, id] of ids.entries()) {
		const agentId = `agent ${id}`;
		rig.append('s1', lineWith(n * 4, { type: 'tool:call', toolUseId: id, input: {} }));
		rig.append('s1', lineWith(n * 4 + 1, { type: 'agent:start', agent: 'developer', agentId }));
		rig.append('s1', lineWith(n * 4 + 2, { type: 'tool:result', toolUseId: id, startedAgentId: agentId }));
		rig.append('s1', lineWith(n * 4 + 3, { type: 'agent:complete', agent: 'developer', agentId }));
	}
	const run = await rig.start();
	await run.tail.whenRead();
	const view = run.tail.viewOf('s1');
	expect(view?.counters).toMatchObject({ calls: 2, gaps: 0 });
	expect(view?.calls.map(({ toolUseId }) => toolUseId)).toEqual([
		expect.stringMatching(/^odd-[0-9a-f]{64}$/),
		expect.stringMatching(/^odd-[0-9a-f]{64}$/),
	]);
	expect(view?.agents.map(({ toolUseId }) => toolUseId)).toEqual(view?.calls.map(({ toolUseId }) => toolUseId));
	await run.stop();
});
