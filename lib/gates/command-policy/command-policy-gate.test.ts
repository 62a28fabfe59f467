import { expect, test } from 'vitest';
import type { Deed } from '../../agents/tool-call.ts';
import { callOf, contextWith, judgingOf } from '../testing/gate-rig.ts';
import { type CommandFacts, commandPolicy } from './command-policy-gate.ts';

const gate = judgingOf<CommandFacts>(commandPolicy);
const commandFacts = (deed: Omit<Extract<Deed, { does: 'run-command' }>, 'does'>, exclude: string[]) => {
	const settings = { gates: {}, onMismatch: 'deny' as const, commands: { exclude } };
	const context = contextWith({ project: '/p', cwd: '/p', settings });
	return gate.factsOf(callOf('Bash', { does: 'run-command', ...deed }), context);
};

const facts = (line: string, cwd = '/p') => ({ project: '/p', cwd, line, exclude: ['rm', 'task:'] });

test('a verdict can be judged again from its facts', () => {
	for (const line of ['ls; rm x', 'ls', '$X', 'ls (']) {
		const verdict = gate.judge(facts(line));
		const { project, cwd, line: kept, exclude } = verdict.facts as unknown as ReturnType<typeof facts>;
		expect(gate.judge({ project, cwd, line: kept, exclude })).toEqual(verdict);
	}
});

test('its words hold no control characters of the line', () => {
	const { reason } = gate.judge(facts("ls; rm $'\\033[31m' \u202e\n"));
	expect(reason).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

test('a fingerprint knows the same command in other words, and nothing else', () => {
	const printOf = (line: string, cwd?: string) => gate.printOf(gate.judge(facts(line, cwd)).facts)?.key;
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
	const sandboxed = commandFacts({ line: 'rm x' }, ['rm']);
	const free = commandFacts({ line: 'rm x', leavesSandbox: true }, ['rm']);
	const [one, other] = [sandboxed, free].map((facts) => facts && gate.printOf(gate.judge(facts).facts));
	expect(one?.key).toBe(printOf('rm x', '/p'));
	expect(other?.key).not.toBe(one?.key);
	expect(other?.words).toContain('outside of the sandbox');
});

test('a call without a text as its command is denied, and NUL bytes hide nothing', () => {
	const unread = commandFacts({ line: null }, ['rm']);
	expect(unread && gate.judge(unread)).toMatchObject({ decision: 'deny', rule: 'command.unknowable' });
	expect(unread && gate.printOf(gate.judge(unread).facts)).toBeNull();
	for (const line of ['rm\0', 'r\0m x']) {
		const read = commandFacts({ line }, ['rm']);
		expect(read && gate.judge(read)).toMatchObject({ decision: 'deny', rule: 'command.excluded' });
	}
});

test('R1160 a line that is too long to be followed is one question by its text, and nothing takes it apart', () => {
	const line = `cat ${'<<E '.repeat(100_000)}`;
	const verdict = gate.judge(facts(line));
	expect(verdict).toMatchObject({
		decision: 'deny',
		rule: 'command.too-long',
		facts: { canonical: `line ${line.trim()}` },
	});
	expect(gate.printOf(verdict.facts)).not.toBeNull();
});

test('a line that would run outside of the sandbox is a question where commands.enforce wants it inside', () => {
	const commands = { exclude: ['rm'], enforce: 'sandbox' as const };
	const settings = { gates: {}, onMismatch: 'deny' as const, commands };
	const rule = (agent: string, canSandbox: boolean, more: object = {}) => {
		const hook = { ...callOf('Bash', { does: 'run-command', line: 'ls', ...more }), agent };
		const facts = gate.factsOf(hook, contextWith({ settings, canSandbox: () => canSandbox }));
		return facts && gate.judge(facts).rule;
	};
	expect(rule('claude-code', true)).toBe('command.clear');
	expect(rule('claude-code', false)).toBe('command.outside-sandbox');
	expect(rule('claude-code', true, { leavesSandbox: true })).toBe('command.outside-sandbox');
	expect(rule('qwen', true)).toBe('command.outside-sandbox');
	expect(rule('qwen', true, { line: 'rm x' })).toBe('command.excluded');
});

test('what a person allows of an unknown program is its path and content, alone in a line', () => {
	const settings = { gates: {}, onMismatch: 'deny' as const, commands: { exclude: ['rm'], unknown: 'ask' as const } };
	let digest = 'a'.repeat(64);
	const programFile = (word: string) => ({ path: `/p/${word}`, digest });
	const print = (line: string) => {
		const facts = gate.factsOf(callOf('Bash', { does: 'run-command', line }), contextWith({ settings, programFile }));
		return facts && gate.printOf(gate.judge(facts).facts);
	};
	const first = print('frobnicate --all x');
	expect(first?.words).toContain('the program /p/frobnicate as it is now (SHA-256 aaaaaaaaaaaa…)');
	expect(print('"frobnicate" y')?.key).toBe(first?.key);
	for (const line of ['echo x > frobnicate; frobnicate', 'frobnicate > f', 'frobnicate; ls', 'other', 'rm x']) {
		expect(print(line)?.key).not.toBe(first?.key);
	}
	digest = 'b'.repeat(64);
	expect(print('frobnicate --all x')?.key).not.toBe(first?.key);
});

test('there is nothing to judge without patterns', () => {
	expect(commandFacts({ line: 'rm' }, [])).toBeNull();
	expect(commandFacts({ line: 'rm' }, ['rm'])).toMatchObject({ line: 'rm' });
});
