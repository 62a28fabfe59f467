import { expect, test } from 'vitest';
import { isSameDenial, isSameQuestion, mayBeGranted } from './covers.ts';

const denial = { gate: 'command-policy', rule: 'command.excluded', fingerprint: 'f', reason: 'r' };

test('two denials are the same by gate, rule and fingerprint; without a fingerprint the reason counts', () => {
	const { fingerprint: _none, ...bare } = denial;
	expect(isSameDenial(denial, { ...denial, reason: 'other' })).toBe(true);
	expect(isSameDenial(bare, { ...bare })).toBe(true);
	for (const other of [
		{ ...denial, gate: 'supervisor' },
		{ ...denial, rule: 'command.unclear' },
		{ ...denial, fingerprint: 'g' },
		bare,
	]) {
		expect(isSameDenial(denial, other), JSON.stringify(other)).toBe(false);
		expect(isSameDenial(other, denial), JSON.stringify(other)).toBe(false);
	}
	expect(isSameDenial(bare, { ...bare, reason: 'other' })).toBe(false);
});

test('two requests ask the same question if all their denials are the same, in any order', () => {
	const other = { rule: 'routing.agent-in-plan', fingerprint: 'p' };
	const request = { id: 'a', denials: [denial, other] };
	expect(isSameQuestion(request, { id: 'b', denials: [other, denial] })).toBe(true);
	expect(isSameQuestion(request, request), 'itself').toBe(false);
	expect(isSameQuestion(request, { id: 'b', denials: [denial] })).toBe(false);
	expect(isSameQuestion(request, { id: 'b', denials: [denial, { ...other, fingerprint: 'q' }] })).toBe(false);
	const unknown = { denials: [{ rule: 'routing.agent-in-plan' }] };
	expect(isSameQuestion({ id: 'a', ...unknown }, { id: 'b', ...unknown }), 'nobody can tell').toBe(false);
});

test('a grant is offered only if every gate that denied can recognise the question again', () => {
	const review = { noGrant: true } as const;
	expect([[], [{}], [review], [{}, review]].map(mayBeGranted)).toEqual([false, true, false, false]);
});
