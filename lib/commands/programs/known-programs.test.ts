import { describe, expect, test } from 'vitest';
import { judgeCommand } from '../command-policy.ts';

const ruleOf = (line: string, unknown?: 'ask'): string => {
	const verdict = judgeCommand(line, { exclude: ['zap'], unknown });
	return verdict.decision === 'pass' ? 'pass' : verdict.rule;
};

describe('R2303 with commands.unknown "ask" a program of which nothing is known is a question', () => {
	test.each([
		'frobnicate x',
		'./run.sh',
		'/opt/x/ls',
		'ls; frobnicate',
		'env frobnicate x',
		'bash -c "frobnicate x"',
		'git rebase -x frobnicate',
	])('asks about: %s', (line) => {
		expect(ruleOf(line, 'ask')).toBe('command.unknown');
		expect(ruleOf(line)).toBe('pass');
	});

	test.each([
		'ls -la | grep x',
		'/usr/bin/git status',
		'npm test',
		'python3.11 x.py',
		'f() { ls; }; f',
		'if [ -f x ]; then cat x; fi',
		'gcc-12 -c f.c',
	])('leaves alone: %s', (line) => expect(ruleOf(line, 'ask')).toBe('pass'));

	test('an excluded program is named before an unknown one', () => {
		expect(ruleOf('frobnicate; zap x', 'ask')).toBe('command.excluded');
	});
});
