import { expect, test } from 'vitest';
import { english } from '#lib/messages/say.ts';
import { countsByName, countWords } from './place-filter.tsx';

test('machines of one name are counted together, and a count of zero is left out', () => {
	const of = { team: 'shop', connected: false, seenAt: null };
	const sums = countsByName([
		{ ...of, name: 'laptop', running: 1, waiting: 0, denied: 2 },
		{ ...of, name: 'laptop', running: 1, waiting: 1, denied: 0 },
		{ ...of, name: 'desktop', running: 0, waiting: 0, denied: 0 },
	]);
	expect([...sums].map(([name, counts]) => [name, countWords(counts, english)])).toEqual([
		['laptop', '1 waiting, 2 running, 2 denied in a day'],
		['desktop', ''],
	]);
});
