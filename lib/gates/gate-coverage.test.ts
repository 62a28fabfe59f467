import { expect, test } from 'vitest';
import { english } from '../messages/say.ts';
import { coverageWords } from './gate-coverage.ts';

const clients = ['a', 'b', 'c'].map((name) => ({ name, title: name.toUpperCase(), isTried: true }));
const words = (byClient: Parameters<typeof coverageWords>[0]['standing']) =>
	coverageWords({ standing: byClient }, clients, english);

test('a gate names its clients only if some do not ask it, the fewer of both', () => {
	expect([
		words({ a: 'opens', b: 'holds', c: 'opens' }),
		words({ a: 'opens', b: 'holds', c: 'not-asked' }),
		words({ a: 'opens' }),
	]).toEqual([null, 'not with C', 'only with A']);
});
