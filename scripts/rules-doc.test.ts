import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const TESTS = ['*.test.ts', '*.test.tsx', '*.spec.ts', '*.contract.ts', ':!scripts'];
const MOST_LINES = 250;

/** Of each number the files whose tests name it, the shortest path first. */
function readProofs(): ReadonlyMap<string, string[]> {
	const files = execFileSync('git', ['ls-files', ...TESTS], { cwd: ROOT, encoding: 'utf8' })
		.trim()
		.split('\n');
	const proofs = new Map<string, string[]>();
	for (const file of files.sort((a, b) => a.length - b.length || (a < b ? -1 : 1))) {
		for (const rule of new Set(readFileSync(join(ROOT, file), 'utf8').match(/\bR\d+\b/g))) {
			proofs.set(rule, [...(proofs.get(rule) ?? []), file]);
		}
	}
	return proofs;
}

test('R1295 each promise has one number, one sentence, and a link to a test that names it', async () => {
	const doc = readFileSync(join(ROOT, 'docs/rules.md'), 'utf8');
	const proofs = readProofs();
	const rules: string[] = [];
	const linked = doc.replace(
		/^- \*\*(R\d+)\*\* (.*?)(?: \[test\]\(.*\))?$/gm,
		(_line: string, rule: string, sentence: string) => {
			rules.push(rule);
			return `- **${rule}** ${sentence} [test](../${proofs.get(rule)?.[0] ?? 'none'})`;
		},
	);
	await expect(linked).toMatchFileSnapshot(join(ROOT, 'docs/rules.md'));
	expect(rules.filter((rule) => !proofs.has(rule))).toEqual([]);
	expect(rules.filter((rule, at) => rules.indexOf(rule) !== at)).toEqual([]);
	expect(rules.length).toBeGreaterThan(150);
	expect(doc.split('\n').length).toBeLessThanOrEqual(MOST_LINES);
});
