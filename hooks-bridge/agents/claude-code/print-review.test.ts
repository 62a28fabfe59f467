import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resultOf, reviewDecision } from '#lib/supervisor/review-answers.ts';
import { adapterOf } from '../adapter-of.ts';
import { readSupervisorInput } from './claude-code.ts';

const { read, print, readPrinted } = adapterOf('claude-code');
const result = fc.record({ allow_stop: fc.boolean(), feedback: fc.string() });

function printAt(event: string, given: { allow_stop: boolean; feedback: string }) {
	const hook = read({ session_id: 's', hook_event_name: event, tool_name: 'AskUserQuestion', tool_input: {} });
	if (!hook.ok) throw new Error(hook.reason);
	return print(reviewDecision(given), hook.hook);
}

describe('the conversion', () => {
	it('R431 Stop: the reason, with decision block only where not allowed', () => {
		fc.assert(
			fc.property(result, (given) => {
				const expected = given.allow_stop ? { reason: given.feedback } : { decision: 'block', reason: given.feedback };
				expect(printAt('Stop', given)).toStrictEqual(expected);
			}),
		);
	});

	it('R431 PreToolUse: allow or deny with the feedback as its reason, and nothing beside', () => {
		fc.assert(
			fc.property(result, (given) => {
				expect(printAt('PreToolUse', given)).toStrictEqual({
					hookSpecificOutput: {
						hookEventName: 'PreToolUse',
						permissionDecision: given.allow_stop ? 'allow' : 'deny',
						permissionDecisionReason: given.feedback,
					},
				});
			}),
		);
	});

	it('R431 what is printed says the same when it is read back', () => {
		fc.assert(
			fc.property(result, fc.constantFrom('Stop', 'PreToolUse'), (given, event) => {
				expect(resultOf(readPrinted(printAt(event, given) ?? {}))).toEqual(given);
			}),
		);
		expect(resultOf(readPrinted({ systemMessage: 'x' }))).toBeNull();
	});
});

describe('the input', () => {
	it('R420 needs a session; an event that is missing is a Stop', () => {
		expect(readSupervisorInput({ hook_event_name: 'Stop' })).toMatchObject({ ok: false });
		expect(readSupervisorInput({ session_id: 'abc123', stop_hook_active: true })).toEqual({
			ok: true,
			input: { sessionId: 'abc123', event: 'Stop', stopHookActive: true },
		});
	});
});
