import { describe, expect, test } from 'vitest';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import { fieldsOf, isCutOff } from '../ui/text/payload.tsx';
import { agentOf, callDetailsOf, rowKeyOfApproval, whyNotApprovable } from './call-details.ts';

const request = (input: unknown): IndexedEvent => ({
	...{ id: 'e1', ts: '2026-01-01T00:00:00.000Z', category: 'approval', label: '', sessionId: 's', seq: 1 },
	...{ type: 'approval:request', approvalId: 'approval-1', tool: 'Agent', input, inputDigest: '' },
	...{ denials: [], facts: { expected: ['tester', 7], planId: 'p', phase: 2 }, deadline: '2026-01-01T00:02:00.000Z' },
});

describe('approving', () => {
	test('waits until the input has been read', () => {
		expect(whyNotApprovable(null, false)).toMatch(/has been read/);
		expect(whyNotApprovable(callDetailsOf([], 'approval-1'), true)).toMatch(/has been read/);
	});

	test('R1202 an input may be approved while all of it is on screen', () => {
		const ask = callDetailsOf([request({ prompt: 'short' })], 'approval-1');
		expect(whyNotApprovable(ask, false)).toMatch(/Open the full input/);
		expect(whyNotApprovable(ask, true)).toBeNull();
	});

	test('R1202 a long input, and one that lies in a blob, is not on screen as a whole at first', () => {
		expect(isCutOff({ prompt: 'short' })).toBe(false);
		expect(isCutOff({ prompt: 'x'.repeat(3_000) })).toBe(true);
		expect(isCutOff({ prompt: { blob: 'a'.repeat(64), bytes: 70_000, preview: 'x' } })).toBe(true);
	});

	test('a card shows what the gate expected, and skips what does not fit', () => {
		const ask = callDetailsOf([request({ subagent_type: 'architect' })], 'approval-1');
		expect(ask).toMatchObject({ expected: ['tester'], planId: 'p', phase: 2 });
		expect(agentOf(ask?.input)).toBe('architect');
		expect([agentOf({ subagent_type: 5 }), agentOf('x'), agentOf(null)]).toEqual([null, null, null]);
		const plain = { approvalId: 'a', state: 'waiting', tool: '', title: '', denials: [] } as const;
		expect(rowKeyOfApproval({ ...plain, denials: [] })).toBe('approval:a');
		expect(rowKeyOfApproval({ ...plain, denials: [], toolUseId: 't' })).toBe('call:t');
	});

	test('each field of an input is a text of its own, so that one cannot pass for another', () => {
		expect(fieldsOf({ prompt: 'x\nsubagent_type: tester', subagent_type: 'architect' })).toEqual([
			{ name: 'prompt', text: 'x\nsubagent_type: tester' },
			{ name: 'subagent_type', text: 'architect' },
		]);
		expect([fieldsOf('text'), fieldsOf([1]), fieldsOf({})].map((fields) => fields[0]?.name)).toEqual(['', '', '']);
	});
});
