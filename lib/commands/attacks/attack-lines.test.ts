import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { judgeCommand } from '../command-policy.ts';
import { ATTACKED, attackLines } from './attack-lines.ts';

describe('R2300 a program that is known to start others is asked about where its way to do so is not plain', () => {
	const classes = attackLines().map(({ name, lines }) => ({
		...{ name, lines },
		verdicts: lines.map((line) => judgeCommand(line, { exclude: [ATTACKED] })),
	}));

	test('the corpus is large and says nothing twice', () => {
		const lines = classes.flatMap((each) => each.lines);
		expect(lines.length).toBeGreaterThan(1500);
		expect(new Set(lines).size).toBe(lines.length);
	});

	test('the guide and the threat model state the number of lines and their outcomes', () => {
		const verdicts = classes.flatMap((each) => each.verdicts);
		const byName = verdicts.filter((each) => each.decision === 'deny' && each.rule === 'command.excluded').length;
		const [all, named, questions] = [verdicts.length, byName, verdicts.length - byName].map((n) =>
			n.toLocaleString('en'),
		);
		const docs = join(import.meta.dirname, '../../../docs');
		expect(readFileSync(join(docs, 'guide/commands.md'), 'utf8')).toContain(
			`of the ${all} lines of the corpus none passes, ${named} are denied by name and ${questions} are asked about`,
		);
		expect(readFileSync(join(docs, 'threat-model.md'), 'utf8')).toContain(`A corpus of ${all} lines`);
	});

	test.each(classes)('$name', ({ lines, verdicts }) => {
		expect(lines.filter((_, at) => verdicts[at]?.decision === 'pass')).toEqual([]);
	});
});
