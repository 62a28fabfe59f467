import { expect, test } from 'vitest';
import { commandFingerprint } from './command-fingerprint.ts';
import { commandFacts, commandPolicyGate } from './command-policy-gate.ts';

const facts = (line: string, cwd = '/p') => ({ project: '/p', cwd, line, exclude: ['rm', 'task:'] });

test('R467 a verdict can be judged again from its facts', () => {
	for (const line of ['ls; rm x', 'ls', '$X', 'ls (']) {
		const verdict = commandPolicyGate(facts(line));
		const { project, cwd, line: kept, exclude } = verdict.facts as unknown as ReturnType<typeof facts>;
		expect(commandPolicyGate({ project, cwd, line: kept, exclude })).toEqual(verdict);
	}
});

test('R467 its words hold no control characters of the line', () => {
	const { reason } = commandPolicyGate(facts("ls; rm $'\\033[31m' \u202e\n"));
	expect(reason).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

test('R467 a fingerprint knows the same command in other words, and nothing else', () => {
	const printOf = (line: string, cwd?: string) => commandFingerprint(commandPolicyGate(facts(line, cwd)).facts)?.key;
	const same = ['rm -rf x', '  rm  -rf "x"', "r\\m '-rf' x"];
	expect(new Set(same.map((line) => printOf(line))).size).toBe(1);
	const others = [
		'rm -rf y',
		'rm -rf x; ls',
		'rm -rf x > f',
		'A=1 rm -rf x',
		'rm x &',
		'rm $x',
		'rm ~',
		'rm "~"',
		'$X',
	];
	expect(new Set([same[0] ?? '', ...others].map((line) => printOf(line))).size).toBe(others.length + 1);
	expect(printOf('rm x')).not.toBe(printOf('rm x', '/q'));
	expect(printOf('rm x', '')).toBeUndefined();
	const sandboxed = commandFacts('/p', '/p', { command: 'rm x' }, ['rm']);
	const free = commandFacts('/p', '/p', { command: 'rm x', dangerouslyDisableSandbox: true }, ['rm']);
	const [one, other] = [sandboxed, free].map((asked) => asked && commandFingerprint(commandPolicyGate(asked).facts));
	expect(one?.key).toBe(printOf('rm x', '/p'));
	expect(other?.key).not.toBe(one?.key);
	expect(other?.words).toContain('outside of the sandbox');
});

test('R841 a call without a text as its command is denied, and NUL bytes hide nothing', () => {
	for (const input of [{ command: ['rm'] }, {}, 'rm', null, [], { command: 7 }]) {
		const read = commandFacts('/p', '/p', input, ['rm']);
		expect(read && commandPolicyGate(read)).toMatchObject({ decision: 'deny', rule: 'command.unknowable' });
		expect(read && commandFingerprint(commandPolicyGate(read).facts)).toBeNull();
	}
	for (const command of ['rm\0', 'r\0m x']) {
		const read = commandFacts('/p', '/p', { command }, ['rm']);
		expect(read && commandPolicyGate(read)).toMatchObject({ decision: 'deny', rule: 'command.excluded' });
	}
});

test('R1160 a line that is too long to be followed is one question by its text, and nothing takes it apart', () => {
	const line = `cat ${'<<E '.repeat(100_000)}`;
	const verdict = commandPolicyGate(facts(line));
	expect(verdict).toMatchObject({
		decision: 'deny',
		rule: 'command.too-long',
		facts: { canonical: `line ${line.trim()}` },
	});
	expect(commandFingerprint(verdict.facts)).not.toBeNull();
});

test('R467 there is nothing to judge without patterns', () => {
	expect(commandFacts('/p', '/p', { command: 'rm' }, [])).toBeNull();
	expect(commandFacts('/p', '/p', { command: 'rm' }, ['rm'])).toMatchObject({ line: 'rm' });
});
