import { expect, test } from 'vitest';
import { gateSentence } from './gate-title.ts';

test('a gate is named by its sentence, one that is not known by its id, whatever a timeline calls it', () => {
	expect(gateSentence('routing-plan')).toBe('Sub-agents must be in the plan');
	for (const id of ['__proto__', 'constructor', 'toString', '']) expect(gateSentence(id)).toBe(id);
	expect(gateSentence('my-own-gate')).toBe('my own gate');
});
