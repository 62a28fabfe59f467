import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holdsMoreThan } from './read-hook.ts';

/** Counts values the slow way: containers and their content. */
function countValues(value: unknown): number {
	if (typeof value !== 'object' || value === null) return 1;
	return Object.values(value).reduce((sum: number, item) => sum + countValues(item), 1);
}

describe('R9 an input with very many values is refused before it is parsed', () => {
	it('R9 a long text is one value, whatever is in it', () => {
		expect(holdsMoreThan(JSON.stringify({ content: '{"a":[1,2,3],\\"'.repeat(50_000) }), 10)).toBe(false);
	});
	it('R9 many small keys are many values', () => {
		const many = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`k${index}`, 1]));
		expect(holdsMoreThan(JSON.stringify(many), 50_000)).toBe(true);
	});
	it('R9 never refuses an input with fewer values', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (value) => {
				expect(holdsMoreThan(JSON.stringify(value), countValues(value))).toBe(false);
			}),
		);
	});
});
