import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asLine, createTimelineRig, samplePrompt } from '../../testing/timeline-rig.ts';

const foreign = { ts: '2026-01-01T00:00:00Z', type: 'loop:start', category: 'loop', label: '循環開始' };

/** One append by some writer: ours, a foreign one, one that was killed in the middle, or noise. */
const appended = fc.oneof(
	{ weight: 4, arbitrary: fc.nat(30).map((n) => asLine(samplePrompt('s1', n))) },
	{ weight: 2, arbitrary: fc.nat(3).map((n) => `${JSON.stringify({ ...foreign, iteration: n })}\n`) },
	{ weight: 2, arbitrary: fc.nat(60).map((cut) => asLine(samplePrompt('s1', 77)).slice(0, 1 + cut)) },
	{ weight: 1, arbitrary: fc.constantFrom('\n', '\r\n', '   \n', 'noise\n', '"\n', 'é\u2028\n', '{}\n') },
	{ weight: 1, arbitrary: fc.nat(8).map((n) => asLine(samplePrompt('s1', 40, { prompt: '界'.repeat(40_000 * n) }))) },
);

test('any pieces in which the same bytes arrive, and any restarts in between, give the same events', {
	timeout: 60_000,
}, async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(appended, { minLength: 1, maxLength: 25 }),
			fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }),
			fc.boolean(),
			async (writes, cuts, restarts) => {
				const bytes = Buffer.from(writes.join(''));
				const atOnce = createTimelineRig();
				atOnce.append('s1', bytes);
				const whole = await atOnce.start();
				await whole.tail.whenRead();

				const inPieces = createTimelineRig();
				let run = await inPieces.start();
				const places = [...cuts.map((cut) => Math.floor(cut * bytes.length)), bytes.length].sort((a, b) => a - b);
				let from = 0;
				for (const to of places) {
					inPieces.append('s1', bytes.subarray(from, to));
					from = to;
					if (restarts) {
						await run.stop();
						run = await inPieces.start();
					}
					await run.tail.whenRead();
				}
				expect(withoutBirth(run.events('s1'))).toEqual(withoutBirth(whole.events('s1')));
				expect(run.index.rows('s1', { limit: 1000 }).map((row) => row.key)).toEqual(
					whole.index.rows('s1', { limit: 1000 }).map((row) => row.key),
				);
				await run.stop();
				await whole.stop();
			},
		),
		{ numRuns: 15 },
	);
});

/** A gap before the first event has the time at which its file was made, which differs between two files. */
function withoutBirth<T extends { type: string; ts: string }>(events: T[]) {
	const first = events.findIndex((event) => event.type !== 'system:gap');
	return events.map((event, n) => (first === -1 || n < first ? { ...event, ts: '' } : event));
}
