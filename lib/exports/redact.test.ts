import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseEvent } from '../contract/events/event.ts';
import { eventLabels, isEventType } from '../contract/events/event-labels.ts';
import type { IndexedEvent } from '../contract/sessions/read-model/session-view.ts';
import { redactEvent } from './redact.ts';

const hash = (text: string) => `h${text.length}`;
const SECRET = 'hunter2 is it';

function eventOf(type: string, fields: object): IndexedEvent {
	const base = { id: 'e1', ts: '2026-02-23T14:00:00.000Z', type, category: 'c', label: 'l', sessionId: 's1' };
	const event = parseEvent({ ...base, ...fields });
	if (!event) throw new Error('no event');
	return { ...event, seq: 7 };
}

test('R326 a text becomes its length and digest; equal texts stay equal; names and verdicts stay', () => {
	const call = {
		tool: 'Bash',
		toolUseId: 't1',
		input: { command: SECRET, nested: [{ pin: 4711, ok: true }], none: null },
	};
	expect(redactEvent(eventOf('tool:call', call), hash)).toEqual({
		...{
			id: 'h2',
			ts: '2026-02-23T14:00:00.000Z',
			type: 'tool:call',
			category: 'c',
			label: '[redacted: 1 characters, h1]',
		},
		...{ sessionId: 's1', seq: 7, tool: 'Bash', toolUseId: 't1' },
		input: {
			command: '[redacted: 13 characters, h13]',
			nested: [{ pin: '[redacted: 4 characters, h4]', ok: '[redacted: 4 characters, h4]' }],
			none: null,
		},
	});
	const verdict = { gate: 'command', decision: 'deny', rule: 'destructive', reason: SECRET, facts: { argv: [SECRET] } };
	expect(redactEvent(eventOf('gate:verdict', verdict), hash)).toMatchObject({
		gate: 'command',
		decision: 'deny',
		rule: 'destructive',
		reason: '[redacted: 13 characters, h13]',
	});
	const request = {
		approvalId: 'approval-1',
		tool: 'Bash',
		input: SECRET,
		inputDigest: 'abc',
		denials: [{ gate: 'command', rule: 'destructive', reason: SECRET }],
		deadline: '2026-02-23T14:00:00.000Z',
	};
	expect(redactEvent(eventOf('approval:request', request), hash)).toMatchObject({
		inputDigest: '[redacted: 3 characters, h3]',
		denials: [{ gate: 'command', rule: 'destructive', reason: '[redacted: 13 characters, h13]' }],
	});
});

test('R326 no event of any type lets a sentence through, in whatever field', () => {
	const sentence = fc.constant(SECRET);
	const value = fc.letrec((tie) => ({
		any: fc.oneof(
			{ depthSize: 'small' },
			sentence,
			fc.array(tie('any'), { maxLength: 2 }),
			fc.dictionary(fc.oneof(fc.constantFrom('tool', 'agent', 'gate', 'name', 'x'), sentence), tie('any'), {
				maxKeys: 3,
			}),
		),
	})).any;
	const fieldNames = [
		'tool',
		'agent',
		'stage',
		'input',
		'prompt',
		'reason',
		'command',
		'facts',
		'todos',
		'denials',
		'name',
		'x',
	];
	const types = fc.constantFrom(...Object.keys(eventLabels), 'foreign:type');
	fc.assert(
		fc.property(types, fc.dictionary(fc.constantFrom(...fieldNames), value), (type, fields) => {
			const redacted = JSON.stringify(redactEvent(eventOf(type, fields), hash));
			expect(redacted).not.toContain(SECRET);
			expect(JSON.parse(redacted).type).toBe(type);
		}),
	);
	expect(isEventType('foreign:type')).toBe(false);
	const foreign = redactEvent(eventOf('foreign:type', { pin: 4711, tool: 'Bash' }), hash);
	expect(foreign).toMatchObject({ pin: '[redacted: 4 characters, h4]', tool: '[redacted: 4 characters, h4]' });
});
