import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Row } from '../contract/sessions/read-model/row.ts';
import { seqUntil } from './row.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();

test('the row of an instant is found at any position, with few queries', async () => {
	const gaps = fc.array(fc.record({ seq: fc.integer({ min: 1, max: 5 }), seconds: fc.nat(9) }), { maxLength: 60 });
	await fc.assert(
		fc.asyncProperty(gaps, fc.nat(300), async (steps, second) => {
			let last = { seq: 0, second: 0 };
			const rows = steps.map(({ seq, seconds }) => {
				last = { seq: last.seq + seq, second: last.second + seconds };
				return { seq: last.seq, at: at(last.second) } as Row;
			});
			let reads = 0;
			const rowBefore = async (before: number) => {
				reads += 1;
				return rows.findLast(({ seq }) => seq < before);
			};
			const wanted = rows.findLast((row) => row.at <= at(second))?.seq ?? 0;
			expect(await seqUntil(rowBefore, last.seq, at(second))).toBe(wanted);
			expect(reads).toBeLessThan(14);
		}),
	);
});
