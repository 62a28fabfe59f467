import { expect, test } from 'vitest';
import { createChallenges } from './passkeys.ts';

test('R776 who asks for challenges without end uses up none of another, and keeps the newest twenty', () => {
	const challenges = createChallenges(() => 0);
	const operators = challenges.issue('operator', { path: '/api/grants' });
	const issued = Array.from({ length: 2000 }, (_, n) => challenges.issue('a link', { n }));
	expect(challenges.redeem(operators, 'operator', { path: '/api/grants' })).toBe(true);
	expect(challenges.redeem(issued.at(-20) ?? '', 'a link', { n: 1980 })).toBe(true);
	expect(challenges.redeem(issued.at(-21) ?? '', 'a link', { n: 1979 })).toBe(false);
});
