import { describe, expect, it } from 'vitest';
import type { Verdict } from '../contract/sessions/read-model/workflow-state.ts';
import { parseVerdict, worseVerdict } from './parse-verdict.ts';
import { stages } from './registry.ts';

const JUDGES = {
	reject: ['REVIEW', 'SECURITY', 'DB-REVIEW'],
	fail: ['TEST', 'QA', 'E2E', 'BUILD-FIX'],
	issues: ['RETRO'],
};
const NEUTRAL = Object.keys(stages).filter((stage) => !Object.values(JUDGES).flat().includes(stage));

const resultOf = (stage: string, message: string) => parseVerdict(stage, message).result;

describe('R263 the verdict of an agent', () => {
	it.each(Object.keys(stages))('R263 a VERDICT comment decides %s whatever the words say', (stage) => {
		for (const result of ['pass', 'fail', 'reject', 'issues'] as const) {
			const words = 'rejected, failed with errors, many issues';
			expect(resultOf(stage, `${words}\n<!-- VERDICT: {"result": "${result.toUpperCase()}"} -->`)).toBe(result);
			expect(resultOf(stage, `<!--VERDICT:{"result":"${result}"}--> ${words}`)).toBe(result);
		}
	});

	it('R263 the last readable comment counts, and a broken one says nothing', () => {
		const comment = (json: string) => `<!-- VERDICT: ${json} -->`;
		expect(resultOf('TEST', comment('{"result":"FAIL"}') + comment('{"result":"PASS"}'))).toBe('pass');
		expect(resultOf('TEST', `1 test failed ${comment('{result: PASS}')}`)).toBe('fail');
		expect(resultOf('TEST', `all good ${comment('{"result":"maybe"}')}`)).toBe('pass');
		expect(resultOf('TEST', `all good ${comment('{"result":{"a":1}}')}`)).toBe('pass');
	});

	it.each(JUDGES.reject)('R263 %s rejects by its words', (stage) => {
		for (const text of [
			'REJECT',
			'I reject this change.',
			'The change is rejected.',
			'拒絕：缺少測試',
			'Verdict: REJECTED',
		]) {
			expect(resultOf(stage, text), text).toBe('reject');
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
			expect(resultOf(stage, text), text).toBe('pass');
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
			expect(resultOf(stage, text), text).toBe('fail');
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
			expect(resultOf(stage, text), text).toBe('pass');
		}
	});

	it('R263 RETRO finds issues by its words', () => {
		for (const text of ['Two issues found', 'this could be improved? I suggest to improve naming', '建議改善命名']) {
			expect(resultOf('RETRO', text), text).toBe('issues');
		}
		for (const text of [
			'No issues found.',
			'0 issues',
			'no further improvements',
			'沒有問題',
			'All issues are fixed',
			'fine',
		]) {
			expect(resultOf('RETRO', text), text).toBe('pass');
		}
	});

	it.each(NEUTRAL)('R263 %s judges nothing and passes', (stage) => {
		expect(resultOf(stage, 'rejected, failed, error, issues. Result: FAIL')).toBe('pass');
	});

	it('R263 a numbered stage follows the rules of its name, and an unknown one passes', () => {
		expect(resultOf('TEST:2', '1 failed')).toBe('fail');
		expect(resultOf('constructor', '1 failed')).toBe('pass');
	});

	it('R263 reads the end of a message of any length in no time', () => {
		const long = 'no reject error fail alternative '.repeat(300_000);
		expect(resultOf('REVIEW', `${long}<!-- VERDICT: {"result":"reject"} -->`)).toBe('reject');
		expect(resultOf('TEST', `${'<!-- VERDICT: {'.repeat(10_000)} all good`)).toBe('pass');
	});

	it('R263 the worse of two results counts', () => {
		const order = ['pass', 'issues', 'unclear', 'reject', 'fail'] as const;
		for (const [index, one] of order.entries()) {
			expect(worseVerdict(undefined, { result: one })).toEqual({ result: one });
			for (const [other, two] of order.entries()) {
				expect(worseVerdict({ result: one }, { result: two }).result).toBe(order[Math.max(index, other)]);
			}
		}
	});
});

describe('where a verdict was read', () => {
	it.each([
		['TEST', 'ok <!-- VERDICT: {"result": "PASS"} -->', 'pass', 'comment'],
		['DEV', '<!-- VERDICT: {"result": "FAIL"} -->', 'fail', 'comment'],
		['REVIEW', 'Verdict: PASS', 'pass', 'line'],
		['REVIEW', 'I reject this', 'reject', 'words'],
		['REVIEW', 'LGTM', 'pass', 'words'],
		['REVIEW', 'There are no blocking problems.', 'pass', 'words'],
		['TEST', 'All 12 tests pass', 'pass', 'words'],
		['TEST', '0 failed', 'pass', 'words'],
		['RETRO', 'No issues found.', 'pass', 'words'],
		['REVIEW', 'I have looked at the cart.', 'pass', 'none'],
		['TEST', 'Error handling is in place.', 'pass', 'none'],
		['DEV', 'Built the cart; all tests pass.', 'pass', 'none'],
		['DEV', '', 'unclear', 'none'],
		['REVIEW', ' \n\t', 'unclear', 'none'],
		['TEST', undefined, 'pass', 'none'],
	] as const)('%s: %j is %s by %s', (stage, message, result, source) => {
		expect(parseVerdict(stage, message)).toEqual({ result, source });
	});

	it('if two agents agree, the stated verdict counts', () => {
		const spoken: Verdict = { result: 'pass', source: 'words' };
		const unsaid: Verdict = { result: 'pass', source: 'none' };
		expect([worseVerdict(unsaid, spoken), worseVerdict(spoken, unsaid)]).toEqual([spoken, spoken]);
	});
});

describe('a review that asks for changes, and tests that do not pass, are no pass', () => {
	it.each([
		'Changes requested. Two blocking problems remain.',
		'Changes are required before this goes in.',
		'I am requesting changes.',
		'One blocking security issue is left',
		'There are 2 blockers.',
		'I cannot approve this yet.',
		'This is not approved.',
		'Do not merge this.',
		'The leak must be fixed first',
		'需要修改：缺少測試',
	])('REVIEW rejects: %s', (text) => {
		expect(parseVerdict('REVIEW', text)).toEqual({ result: 'reject', source: 'words' });
	});

	it.each([
		'No changes requested.',
		'Approved; no changes are needed.',
		'Nothing blocking. Approved.',
		'There are no blocking issues.',
		'Two non-blocking nits, approved.',
		'The changes requested last time were made. LGTM',
		'All blocking issues were fixed. Approved.',
		'The code blocks are tidy, the blocking calls are gone. Looks good.',
		'Blockers: none. Approved',
		'不需要修改',
	])('REVIEW passes: %s', (text) => {
		expect(parseVerdict('REVIEW', text)).toEqual({ result: 'pass', source: 'words' });
	});

	it.each(['The suite does not pass', "2 of 14 tests don't pass", 'It did not pass.', '測試未通過'])(
		'TEST fails: %s',
		(text) => {
			expect(parseVerdict('TEST', text)).toEqual({ result: 'fail', source: 'words' });
		},
	);
});
