import { expect, it } from 'vitest';
import { verdictReason } from './parse-verdict.ts';

const verdict = '<!-- VERDICT: {"result": "FAIL"} -->';
const handoff = (findings: string) =>
	`## HANDOFF: tester → next\n\n### Context\nThe cart.\n\n### Findings\n${findings}\n\n### Files Modified\nnone\n\n${verdict}`;

it.each([
	['what was said before the handoff', `Two tests fail.\n\n${handoff('cart.test.ts:3')}`, 'Two tests fail.'],
	[
		'the findings, when the handoff is all',
		handoff('cart.test.ts:3 fails:\nexpected 2'),
		'cart.test.ts:3 fails: expected 2',
	],
	['all of it, when there is no handoff', `3 tests failed ${verdict}`, '3 tests failed'],
	[
		'a handoff without findings as it is',
		`## HANDOFF: a → b\nthe cart leaks\n${verdict}`,
		'## HANDOFF: a → b the cart leaks',
	],
	['nothing for a verdict alone', verdict, ''],
])('R392 the reason of a bad result is %s', (_, message, reason) => {
	expect(verdictReason(message)).toBe(reason);
});

it('R392 a reason has an end, however long the message', () => {
	for (const message of ['x'.repeat(1e6), '<!--'.repeat(1e5), '#'.repeat(1e5), '\n'.repeat(1e6)]) {
		expect(verdictReason(message).length).toBeLessThanOrEqual(501);
	}
});
