import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const rules = [...readFileSync(join(ROOT, 'docs/rules.md'), 'utf8').matchAll(/^- \*\*(R\d+)\*\*/gm)].map(
	([, rule]) => rule as string,
);

/** The rules that the titles of the tests name; `R1-R4` names the four. */
function readNamed(): ReadonlySet<string> {
	const files = execFileSync(
		'git',
		['ls-files', '*.test.ts', '*.test.tsx', '*.spec.ts', '*.contract.ts', 'soak/*.ts'],
		{
			cwd: ROOT,
			encoding: 'utf8',
		},
	);
	const named = files
		.trim()
		.split('\n')
		.flatMap((file) => readFileSync(join(ROOT, file), 'utf8').match(/\bR\d+(?:-R?\d+)?\b/g) ?? [])
		.flatMap((name) => {
			const [from = 0, to = from] = name.replaceAll('R', '').split('-').map(Number);
			return Array.from({ length: Math.max(1, to - from + 1) }, (_, at) => `R${from + at}`);
		});
	return new Set(named);
}

test('R1295 each rule has one number, and each is named by a test', () => {
	expect(rules.length).toBeGreaterThan(700);
	expect(rules.filter((rule, at) => rules.indexOf(rule) !== at)).toEqual([]);
	const named = readNamed();
	expect(rules.filter((rule) => !named.has(rule))).toEqual([]);
});
