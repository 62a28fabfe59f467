import { expect, it } from 'vitest';
import { passAtK } from './pass-at-k.ts';

it('R266 scores first attempts, the first three and the last three', () => {
	const scores = passAtK({
		PLAN: ['pass'],
		'TEST:2': ['fail', 'fail', 'pass'],
		REVIEW: ['reject', 'reject', 'reject', 'pass', 'pass', 'pass'],
		DOCS: [],
	});
	expect(scores.stages).toEqual({
		PLAN: { pass1: true, pass3: true, passConsecutive3: null },
		'TEST:2': { pass1: false, pass3: true, passConsecutive3: false },
		REVIEW: { pass1: false, pass3: false, passConsecutive3: true },
	});
	expect(scores).toMatchObject({ stageCount: 3, pass1Count: 1, pass3Count: 2, pass1Rate: 0.3333, pass3Rate: 0.6667 });
	const unsaid = passAtK({ DEV: ['unclear', 'pass'], REVIEW: ['pass'] });
	expect(unsaid).toMatchObject({ stageCount: 2, pass1Count: 1, pass1Rate: 0.5, pass3Rate: 1, unclearCount: 1 });
	expect(passAtK({})).toMatchObject({ stageCount: 0, pass1Rate: null, pass3Rate: null });
});
