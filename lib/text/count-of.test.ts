import { expect, test } from 'vitest';
import { countOf } from './byte-size.ts';

test('one thing is not many', () => {
	expect([countOf(0, 'call'), countOf(1, 'call'), countOf(2, 'call')]).toEqual(['0 calls', '1 call', '2 calls']);
});
