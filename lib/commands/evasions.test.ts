import { describe, expect, test } from 'vitest';
import evasions from './attacks/evasions.json' with { type: 'json' };
import { judgeCommand } from './command-policy.ts';

const lines = Object.entries(evasions).flatMap(([trick, each]) => each.map((line) => [trick, line] as const));

describe('R931 a line that would run an excluded command is denied, whatever the trick', () => {
	test('the corpus is large and says nothing twice', () => {
		expect(lines.length).toBeGreaterThanOrEqual(100);
		expect(new Set(lines.map(([, line]) => line)).size).toBe(lines.length);
	});

	test.each(lines)('%s: %s', (_trick, line) => {
		expect(judgeCommand(line, { exclude: ['zap'] })).toMatchObject({ decision: 'deny' });
	});
});
