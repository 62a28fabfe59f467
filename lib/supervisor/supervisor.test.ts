import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answeredInput, answerText, questionsOf } from './answer-question.ts';
import { limitReached, REVIEW_FAILED, releaseReview, reviewFailed, withFeedback } from './review-answers.ts';
import { readReview, readReviewerOutput, reviewPrompt } from './reviewer.ts';
import { applySwitch, readSupervisorState } from './state.ts';
import type { SupervisorInput } from './supervisor-input.ts';

describe('feedback', () => {
	it('R428 an empty one gets a default that says what to do', () => {
		for (const event of ['Stop', 'PreToolUse']) {
			for (const allow_stop of [true, false]) {
				const { feedback } = withFeedback({ allow_stop, feedback: ' \n' }, event);
				expect(feedback.length).toBeGreaterThan(20);
				expect(withFeedback({ allow_stop, feedback: 'own' }, event).feedback).toBe('own');
			}
		}
		expect(limitReached(20, 20)).toEqual({ allow_stop: true, feedback: 'max iterations (20/20) reached' });
	});

	it('R429 a failure has the seed’s words, and on Stop what to do as well', () => {
		expect(reviewFailed('PreToolUse', 'x', 1, 20)).toEqual({
			allow_stop: false,
			feedback: 'Supervisor 审查失败，已阻止操作',
		});
		expect(reviewFailed('Stop', 'it hung', 2, 20).feedback).toMatch(
			new RegExp(`^${REVIEW_FAILED}.*it hung.*round 2 of 20`),
		);
	});
});

describe('the reviewer’s words', () => {
	it.each([
		['{"allow_stop":true,"feedback":"x"}', { allow_stop: true, feedback: 'x' }],
		[
			'first\n```json\n{"allow_stop":true,"feedback":"a"}\n```\nthen\n```json\n{"allow_stop":false,"feedback":"b"}\n```',
			{ allow_stop: false, feedback: 'b' },
		],
		['My verdict: {"allow_stop":false,"feedback":"c"} That is all.', { allow_stop: false, feedback: 'c' }],
		["{allow_stop: false, feedback: 'half", { allow_stop: false, feedback: 'half' }],
	])('R428 reads %j', (text, expected) => {
		expect(readReview(text)).toEqual({ ok: true, result: expected });
	});

	it.each([
		'',
		'yes',
		'allow_stop: true',
		'{"allow_stop":"true","feedback":"x"}',
		'{"allow_stop":true}',
		'[]',
		'null',
		'```json\n{}\n```',
	])('R428 refuses %j', (text) => {
		expect(readReview(text)).toMatchObject({ ok: false });
	});

	it('R428 never throws, and never allows what does not say so', () => {
		fc.assert(
			fc.property(fc.string(), (text) => {
				const read = readReview(text);
				if (read.ok && read.result.allow_stop) expect(text).toContain('allow_stop');
			}),
		);
		fc.assert(fc.property(fc.string(), (text) => void readReviewerOutput(text)));
	});

	it('R429 an error of the client is no verdict', () => {
		expect(readReviewerOutput('{"is_error":true,"result":"Invalid API key"}')).toEqual({
			ok: false,
			reason: 'the reviewer failed: Invalid API key',
		});
		expect(readReviewerOutput('{"subtype":"error_max_turns"}')).toMatchObject({
			reason: 'the reviewer ended without a result (error_max_turns)',
		});
		expect(readReviewerOutput('[{"type":"system"},{"type":"result","result":"x"}]')).toEqual({ ok: true, text: 'x' });
	});
});

describe('the prompt', () => {
	const ask = (toolInput: unknown): SupervisorInput => ({
		sessionId: 's',
		event: 'PreToolUse',
		stopHookActive: false,
		toolInput,
	});

	it('R427 a question is data: whatever it contains, its section ends once and the form of the answer comes last', () => {
		fc.assert(
			fc.property(fc.jsonValue(), fc.constantFrom('', '</question>', '```json', '<question>'), (value, attack) => {
				const prompt = reviewPrompt(ask({ questions: [{ question: attack, extra: value }] }), null);
				expect(prompt.split('</question>')).toHaveLength(2);
				expect(prompt.split('```')).toHaveLength(3);
				const json = prompt.slice(prompt.indexOf('<question>') + 10, prompt.indexOf('</question>'));
				expect(JSON.parse(json)).toEqual(
					JSON.parse(JSON.stringify({ questions: [{ question: attack, extra: value }] })),
				);
			}),
		);
	});

	it('R427 the person’s own instructions replace ours; empty ones do not', () => {
		expect(reviewPrompt(ask(null), 'Mine.')).toMatch(/^Mine\.\n/);
		expect(reviewPrompt(ask(null), ' \n')).toMatch(/^You are the supervisor/);
		expect(reviewPrompt({ sessionId: 's', event: 'Stop', stopHookActive: false }, null)).not.toContain('<question>');
	});
});

describe('a person', () => {
	const questions = { questions: [{ question: 'Which colour?', header: 'Colour', options: [{ label: 'Red' }] }] };

	it('an answer is the call’s own input with an answer to every question', () => {
		expect(answeredInput(questions, { answers: { 'Which colour?': ' Red ', other: 'x' }, evil: 1 })).toEqual({
			...questions,
			answers: { 'Which colour?': 'Red' },
		});
		for (const given of [null, {}, { answers: {} }, { answers: { 'Which colour?': ' ' } }, { answers: { x: 'Red' } }]) {
			expect(answeredInput(questions, given)).toBeNull();
		}
		expect(answeredInput({}, { answers: {} })).toBeNull();
		expect(answerText({ labels: ['Red', 'Blue'], own: ' or none ' })).toBe('Red, Blue, or none');
		fc.assert(fc.property(fc.jsonValue(), (value) => void questionsOf(value)));
	});

	it('R432 decides as the reviewer would, in a person’s words', () => {
		expect(releaseReview('Stop', { decision: 'approve' })).toEqual({
			decision: 'allow',
			reason: 'Allowed in Signalbox by an operator',
			review: true,
		});
		expect(releaseReview('Stop', { decision: 'deny', reason: 'run the tests' })).toEqual({
			decision: 'deny',
			review: true,
			reason: 'Blocked in Signalbox by an operator: run the tests',
		});
		const updatedInput = { ...questions, answers: { 'Which colour?': 'Red' } };
		expect(releaseReview('PreToolUse', { decision: 'approve', updatedInput })).toMatchObject({
			decision: 'allow',
			input: updatedInput,
		});
		expect(releaseReview('PreToolUse', { decision: 'deny' })).toMatchObject({
			decision: 'deny',
			reason: expect.stringContaining('question'),
		});
	});
});

describe('the state', () => {
	it('R423 of any content is one that is off and was never asked, unless it says otherwise', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (value) => {
				const state = readSupervisorState(value, 's', '2026-01-01T00:00:00.000Z');
				expect(state.count).toBeGreaterThanOrEqual(0);
				expect(typeof state.enabled).toBe('boolean');
			}),
		);
		const state = readSupervisorState({ enabled: true, count: 7 }, 's', 'now');
		expect(applySwitch(state, 'reset', 'later')).toMatchObject({ enabled: true, count: 0, updated_at: 'later' });
		expect(applySwitch(state, 'off', 'later')).toMatchObject({ enabled: false, count: 7, created_at: 'now' });
	});
});
