import { expect, test } from 'vitest';
import { byteSize } from './byte-size.ts';

test.each([
	[0, '0 B'],
	[999, '999 B'],
	[1000, '1 kB'],
	[3_440_000, '3.4 MB'],
	[34_400_000, '34 MB'],
	[12_345_000_000_000, '12,345 GB'],
])('%i bytes are %s', (bytes, words) => {
	expect(byteSize(bytes)).toBe(words);
});
