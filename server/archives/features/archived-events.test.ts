import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import { timelineEvents } from './archived-events.ts';

const source = {
	sessionId: 's',
	proofOf: () => ({ kind: 'unknown' as const, redacted: [] }),
	birth: '2026-01-01T12:00:00.000Z',
};
const line = (id: string, text = '') =>
	`${JSON.stringify({ id, ts: source.birth, type: 'session:notice', category: 'session', label: '', sessionId: 's', message: text })}\n`;

async function* pieces(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
	let from = 0;
	for (const size of sizes) {
		if (from < bytes.length) yield bytes.subarray(from, from + size);
		from += size;
	}
	if (from < bytes.length) yield bytes.subarray(from);
}

async function streamed(bytes: Buffer, sizes: readonly number[], most = Number.POSITIVE_INFINITY) {
	const events: IndexedEvent[] = [];
	for await (const { event } of timelineEvents([{ chunks: pieces(bytes, sizes) }], source))
		if (events.push(event) >= most) break;
	return events;
}

test('a timeline that comes in pieces holds the same events as one that is read whole', async () => {
	const long = line('long', 'x'.repeat(1024 * 1024));
	const bytes = Buffer.from(
		[line('a'), 'no json\n', '\n', line('a'), long, line('é', 'ü'), '{"foreign":1}\n', 'half'].join(''),
	);
	const whole = await streamed(bytes, [bytes.length]);
	expect(whole).toHaveLength(5);
	await fc.assert(
		fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 400_000 }), { maxLength: 12 }), async (sizes) => {
			expect(await streamed(bytes, sizes)).toEqual(whole);
		}),
		{ numRuns: 25 },
	);
	expect(await streamed(bytes, [7, 7, 7], 2)).toEqual(whole.slice(0, 2));
});
