import { describe, expect, it } from 'vitest';
import { parseVerdict, worseResult } from './parse-verdict.ts';
import { stages } from './stages.ts';

const JUDGES = {
	reject: ['REVIEW', 'SECURITY', 'DB-REVIEW'],
	fail: ['TEST', 'QA', 'E2E', 'BUILD-FIX'],
	issues: ['RETRO'],
};
const NEUTRAL = Object.keys(stages).filter((stage) => !Object.values(JUDGES).flat().includes(stage));

describe('R263 the verdict of an agent', () => {
	it.each(Object.keys(stages))('R263 a VERDICT comment decides %s whatever the words say', (stage) => {
		for (const result of ['pass', 'fail', 'reject', 'issues'] as const) {
			const words = 'rejected, failed with errors, many issues';
			expect(parseVerdict(stage, `${words}\n<!-- VERDICT: {"result": "${result.toUpperCase()}"} -->`)).toBe(result);
			expect(parseVerdict(stage, `<!--VERDICT:{"result":"${result}"}--> ${words}`)).toBe(result);
		}
	});

	it('R263 the last readable comment counts, and a broken one says nothing', () => {
		const comment = (json: string) => `<!-- VERDICT: ${json} -->`;
		expect(parseVerdict('TEST', comment('{"result":"FAIL"}') + comment('{"result":"PASS"}'))).toBe('pass');
		expect(parseVerdict('TEST', `1 test failed ${comment('{result: PASS}')}`)).toBe('fail');
		expect(parseVerdict('TEST', `all good ${comment('{"result":"maybe"}')}`)).toBe('pass');
		expect(parseVerdict('TEST', `all good ${comment('{"result":{"a":1}}')}`)).toBe('pass');
	});

	it.each(JUDGES.reject)('R263 %s rejects by its words', (stage) => {
		for (const text of [
			'REJECT',
			'I reject this change.',
			'The change is rejected.',
			'拒絕：缺少測試',
			'Verdict: REJECTED',
		]) {
			expect(parseVerdict(stage, text), text).toBe('reject');
		}
		for (const text of [
			'Approved.',
			'**Verdict:** approved. Rejected were only the typos',
			'There is no reject here',
			'I would not reject this',
			'the alternative was rejected in the design',
			'I rejected the alternative of a queue. Looks good.',
			'It rejects invalid input as it should',
			'unhandled rejection handlers are in place',
			'Verdict: PASS. The author had rejected nothing',
			'test failed', // not this stage's word
		]) {
			expect(parseVerdict(stage, text), text).toBe('pass');
		}
	});

	it.each(JUDGES.fail)('R263 %s fails by its words', (stage) => {
		for (const text of [
			'2 tests failed',
			'FAIL src/a.test.ts',
			'測試失敗',
			'TypeError: x',
			'there was an error in step 3',
			'Result: FAIL',
			'0 errors but 1 failure',
			'10 failed',
		]) {
			expect(parseVerdict(stage, text), text).toBe('fail');
		}
		for (const text of [
			'All 12 tests pass',
			'no fail',
			'0 fail, 0 errors',
			'0 failed',
			'without failures',
			'no failures, no errors',
			'failure mode analysis done',
			'error handling and error recovery are covered',
			'the run was error-free',
			'Failures: 0',
			'Fixed 3 type errors; the build is green',
			'沒有失敗',
			'rejected', // not this stage's word
		]) {
			expect(parseVerdict(stage, text), text).toBe('pass');
		}
	});

	it('R263 RETRO finds issues by its words', () => {
		for (const text of ['Two issues found', 'this could be improved? I suggest to improve naming', '建議改善命名']) {
			expect(parseVerdict('RETRO', text), text).toBe('issues');
		}
		for (const text of [
			'No issues found.',
			'0 issues',
			'no further improvements',
			'沒有問題',
			'All issues are fixed',
			'fine',
		]) {
			expect(parseVerdict('RETRO', text), text).toBe('pass');
		}
	});

	it.each(NEUTRAL)('R263 %s judges nothing and passes', (stage) => {
		expect(parseVerdict(stage, 'rejected, failed, error, issues. Result: FAIL')).toBe('pass');
	});

	it('R263 a numbered stage follows the rules of its name, and an unknown one passes', () => {
		expect(parseVerdict('TEST:2', '1 failed')).toBe('fail');
		expect(parseVerdict('constructor', '1 failed')).toBe('pass');
	});

	it('R263 reads the end of a message of any length in no time', () => {
		const long = 'no reject error fail alternative '.repeat(300_000);
		expect(parseVerdict('REVIEW', `${long}<!-- VERDICT: {"result":"reject"} -->`)).toBe('reject');
		expect(parseVerdict('TEST', `${'<!-- VERDICT: {'.repeat(10_000)} all good`)).toBe('pass');
	});

	it('R263 the worse of two results stands', () => {
		const order = ['pass', 'issues', 'reject', 'fail'] as const;
		for (const [at, one] of order.entries()) {
			expect(worseResult(undefined, one)).toBe(one);
			for (const [other, two] of order.entries()) expect(worseResult(one, two)).toBe(order[Math.max(at, other)]);
		}
	});
});
