import { describe, expect, test } from 'vitest';
import { judgeCommand } from '../command-policy.ts';
import { ATTACKED, attackLines } from './attack-lines.ts';

describe('R2300 a program that is known to start others is asked about where its way to do so is not plain', () => {
	const classes = attackLines();

	test('the corpus is large and says nothing twice', () => {
		const lines = classes.flatMap((each) => each.lines);
		expect(lines.length).toBeGreaterThan(1500);
		expect(new Set(lines).size).toBe(lines.length);
	});

	test.each(classes)('$name', ({ lines }) => {
		const passed = lines.filter((line) => judgeCommand(line, { exclude: [ATTACKED] }).decision === 'pass');
		expect(passed).toEqual([]);
	});
});
