import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { chapterKinds } from '#lib/contract/archives/chapter-kinds.ts';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import { buildRecording } from '#lib/replay/build-recording.ts';
import { memoryRecording } from '#lib/replay/memory-recording.ts';
import { chaptersAround, momentOf, partAnswer, readRows, recordedEvents } from '#lib/replay/recording.ts';
import { openRecording, writeRecording } from './recording-files.ts';

const START = Date.UTC(2026, 0, 1);
/** A call, its denial or its result long after it, with prompts between; time stands still, runs, and jumps. */
const historyOf = (steps: readonly { what: number; of: number; later: number }[]): IndexedEvent[] => {
	let at = START;
	return steps.map(({ what, of, later }, index) => {
		at += later;
		const toolUseId = `t${of}`;
		const fields = [
			{ type: 'tool:call', toolUseId, tool: 'Bash', input: { command: `ls ${of}` } },
			{ type: 'tool:result', toolUseId, tool: 'Bash', response: 'x' },
			{ type: 'gate:verdict', toolUseId, gate: 'g', decision: 'deny', rule: 'r', reason: 'no', facts: {} },
			{ type: 'prompt:submit', prompt: `p${of}`, source: 'user' },
		][what];
		const envelope = { id: `e${index}`, seq: index + 1, ts: new Date(at).toISOString(), sessionId: 's' };
		return { ...envelope, category: '', label: '', ...fields } as IndexedEvent;
	});
};
const histories = fc
	.record({
		length: fc.constantFrom(1, 30, 500, 1300),
		seed: fc.array(fc.record({ what: fc.nat(3), later: fc.constantFrom(0, 1, 1000, 3_600_000) }), { minLength: 1 }),
		every: fc.integer({ min: 1, max: 700 }),
	})
	.map(({ length, seed, every }) =>
		historyOf(
			Array.from({ length }, (_, position) => ({
				...{ what: 0, later: 0 },
				...seed[position % seed.length],
				of: position % every,
			})),
		),
	);
const plain = (value: unknown) => JSON.parse(JSON.stringify(value));

test('a recording that is in memory answers as the server’s own: parts, rows, events, moments and chapters at any instant', () => {
	const folder = mkdtempSync(join(tmpdir(), 'sbx-reel-'));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	fc.assert(
		fc.property(histories, fc.double({ min: 0, max: 1, noNaN: true }), (events, share) => {
			const path = join(folder, 'one.reel');
			const writer = writeRecording(path);
			const winding = buildRecording('s', writer);
			const memory = memoryRecording('s');
			for (const event of events) {
				winding.add(event);
				memory.add(event);
			}
			writer.finish('stamp', winding.end());
			const file = openRecording(path, 'stamp');
			const { recording } = memory.end();
			if (!file || !recording) throw new Error('no recording');
			expect(plain(recording.outline)).toEqual(plain(file.outline));
			const { from = 0, to = 0 } = file.outline ?? {};
			const at = Math.round(from + share * (to - from)) - (events.length % 2);
			const seq = Math.floor(share * events.length);
			const answers = (one: typeof file | typeof recording) => [
				partAnswer(one, { at }),
				partAnswer(one, { seq }),
				momentOf([one], at),
				chaptersAround([one], at, chapterKinds, 20),
				readRows(one, seq, { limit: 50 }),
				readRows(one, events.length, { after: seq, limit: 50 }),
				recordedEvents(one, { after: seq, limit: 600 }),
				recordedEvents(one, { after: 0, limit: 50, row: 'call:t0', begun: 1 }),
				recordedEvents(one, { after: 0, limit: 50, row: 'call:t0' }),
			];
			expect(plain(answers(recording))).toEqual(plain(answers(file)));
			file.close();
		}),
		{ numRuns: 6 },
	);
});

test('of a recording that is let go its story is kept, and nothing to play', () => {
	const events = historyOf(
		Array.from({ length: 1200 }, (_, of) => ({ what: of % 2, of: Math.floor(of / 2), later: 5 })),
	);
	const [whole, part] = [memoryRecording('s'), memoryRecording('s')];
	for (const [index, event] of events.entries()) {
		whole.add(event);
		part.add(event);
		if (index === 700) part.letGo();
	}
	const { recording, ...story } = part.end();
	expect(recording).toBeNull();
	const { recording: _, ...all } = whole.end();
	expect(story).toEqual(all);
});
