import { describe, expect, it } from 'vitest';
import { parseEvent } from '#lib/contract/events/event.ts';
import { isKnown } from '#lib/contract/events/event-labels.ts';
import { memoryPorts } from '../testing/memory-ports.ts';
import { release } from './release.ts';
import { respond } from './respond.ts';

const HOME = '~/config.json';
const PROJECT = '/shop/.overtone/config.json';
const exclude = (...patterns: string[]) => JSON.stringify({ commands: { exclude: patterns } });

let calls = 0;
const bash = (command: unknown, more: object = {}) => ({
	session_id: 's1',
	cwd: '/shop/lib',
	hook_event_name: 'PreToolUse',
	tool_name: 'Bash',
	tool_use_id: `toolu_${++calls}`,
	tool_input: { command, description: 'Do it' },
	...more,
});
const ask = (input: object, files: Record<string, string>) => {
	const ports = memoryPorts(files);
	return { ports, answer: respond(input, { requestId: `r${++calls}`, profile: 'open', projectDir: '/shop' }, ports) };
};

describe('the command policy on a call of the client', () => {
	it('the facts of a call are gathered once', () => {
		const looked: string[] = [];
		const programFile = (word: string) => {
			looked.push(word);
			return null;
		};
		const files = { [HOME]: JSON.stringify({ commands: { exclude: ['rm'], unknown: 'ask' } }) };
		const ports = Object.assign(memoryPorts(files), { programFile });
		const answer = respond(bash('./deploy'), { requestId: 'once', profile: 'open', projectDir: '/shop' }, ports);
		expect(answer.held?.denials).toMatchObject([{ rule: 'command.unknown' }]);
		expect(looked).toEqual(['./deploy']);
	});

	it('R460 denies the main agent and its sub-agents, and says which command', () => {
		for (const more of [{}, { agent_id: 'a1', agent_type: 'developer' }]) {
			const { answer, ports } = ask(bash('ls; rm -rf x', more), { [HOME]: exclude('rm') });
			expect(answer.output).toEqual({
				suppressOutput: false,
				systemMessage: 'Signalbox: rm is not allowed here [rm -rf x].',
				hookSpecificOutput: {
					hookEventName: 'PreToolUse',
					permissionDecision: 'deny',
					permissionDecisionReason: 'rm is not allowed here [rm -rf x]',
				},
			});
			expect(answer.held?.denials).toEqual([
				{
					gate: 'command-policy',
					rule: 'command.excluded',
					reason: 'rm is not allowed here [rm -rf x]',
					fingerprint: '["command-policy","/shop","/shop/lib","line ls; rm -rf x"]',
					words: 'exactly the command line “ls; rm -rf x” in the folder /shop/lib',
				},
			]);
			expect(ports.all().map(({ type }) => type)).toEqual(['tool:call', 'gate:verdict']);
			expect(ports.all()[1]).toMatchObject({
				facts: {
					cwd: '/shop/lib',
					line: 'ls; rm -rf x',
					exclude: ['rm'],
					command: 'rm',
					pattern: 'rm',
					argv: ['rm', '-rf', 'x'],
					span: { start: 4, end: 12 },
				},
			});
			for (const event of ports.all()) expect(isKnown(parseEvent(event) as never)).toBe(true);
		}
	});

	it('prints nothing for what may run, and never an allow', () => {
		const { answer, ports } = ask(bash('ls | grep rm'), { [HOME]: exclude('rm') });
		expect(answer.output).toBeNull();
		expect(ports.all()[1]).toMatchObject({ type: 'gate:verdict', decision: 'pass', rule: 'command.clear' });
	});

	it('without a policy a call is only recorded', () => {
		for (const files of [{}, { [HOME]: '{}' }, { [HOME]: exclude() }]) {
			const { answer, ports } = ask(bash('rm x; $X'), files as Record<string, string>);
			expect(answer.output).toBeNull();
			expect(ports.all().map(({ type }) => type)).toEqual(['tool:call']);
		}
	});

	it('a project adds commands and takes none away', () => {
		const both = { [HOME]: exclude('rm'), [PROJECT]: exclude('curl') };
		for (const line of ['rm x', 'curl x']) expect(ask(bash(line), both).answer.output).not.toBeNull();
		const off = { ...both, [PROJECT]: '{"gates":{"commandPolicy":{"enabled":false}},"commands":{"exclude":[]}}' };
		expect(ask(bash('rm x'), off).answer.output).not.toBeNull();
		const mine = { [HOME]: '{"gates":{"commandPolicy":{"enabled":false}},"commands":{"exclude":["rm"]}}' };
		expect(ask(bash('rm x'), mine).answer.output).toBeNull();
	});

	it('a config that cannot be read is reported, also if nothing else is excluded', () => {
		const { ports } = ask(bash('rm x'), { [HOME]: '{"commands":{"exclude":["rm"]}' });
		expect(ports.all().map(({ type }) => type)).toEqual(['tool:call', 'system:warning']);
	});

	it('what an entry that fails closed denies, because a list cannot be read, is recorded as denied', () => {
		const ports = memoryPorts({ [PROJECT]: exclude('git push', 'curl') });
		const { output } = respond(bash('ls'), { requestId: 'closed', profile: 'closed', projectDir: '/shop' }, ports);
		const reason = 'no command can be judged until the file is mended: commands.exclude: "git push" is not the name of';
		expect(JSON.stringify(output)).toContain(reason.replaceAll('"', String.raw`\"`));
		expect(ports.all()).toContainEqual(
			expect.objectContaining({
				...{ type: 'gate:verdict', gate: 'command-policy', decision: 'deny', rule: 'command.unjudged' },
				reason: expect.stringContaining(reason),
				noGrant: true,
			}),
		);
	});

	it('holding can be switched off', () => {
		const config = JSON.stringify({ gates: { commandPolicy: { hold: false } }, commands: { exclude: ['rm'] } });
		const { answer } = ask(bash('rm x'), { [HOME]: config });
		expect(answer.output).not.toBeNull();
		expect(answer.held?.asksPerson).toBe(false);
	});

	it('an approved line runs; the gate judges it again, and a new denial remains', () => {
		const { answer, ports } = ask(bash('rm x'), { [HOME]: exclude('rm') });
		if (!answer.held) throw new Error('not held');
		expect(release(answer.held, { decision: 'approve' }, ports).output).toMatchObject({
			hookSpecificOutput: { permissionDecision: 'allow' },
		});
		const changed = release(answer.held, { decision: 'approve', updatedInput: { command: 'ls | $X' } }, ports);
		expect(changed.repeatedDenial).toMatchObject({ gate: 'command-policy', rule: 'command.unknowable' });
		expect(changed.output).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
	});

	it('an approved line does not let another one of the same rule run', () => {
		const { answer, ports } = ask(bash('rm x'), { [HOME]: exclude('rm', 'dd') });
		if (!answer.held) throw new Error('not held');
		for (const command of ['rm y', 'dd if=/dev/zero of=disk', 'rm x; dd if=/dev/zero of=disk']) {
			const { repeatedDenial } = release(answer.held, { decision: 'approve', updatedInput: { command } }, ports);
			expect(repeatedDenial, command).toMatchObject({ gate: 'command-policy', rule: 'command.excluded' });
		}
		const same = release(answer.held, { decision: 'approve', updatedInput: { command: "'rm'  x" } }, ports);
		expect(same.repeatedDenial).toBeUndefined();
	});

	it('R460 composes with the routing enforcer', () => {
		const plan = { planId: 'p', status: 'pending', phases: [{ tasks: [{ agent: 'developer', status: 'pending' }] }] };
		const config = { gates: { routingEnforcer: { enabled: true } }, commands: { exclude: ['rm'] } };
		const files = { [HOME]: JSON.stringify(config), '/shop/.vibe-engine/routing-state.json': JSON.stringify(plan) };
		const { answer, ports } = ask(bash('rm x'), files);
		expect(answer.held?.denials.map(({ gate }) => gate)).toEqual(['routing-enforcer', 'command-policy']);
		expect(ports.all().filter(({ type }) => type === 'gate:verdict')).toHaveLength(2);
		const inside = ask(bash('rm x', { agent_id: 'a1' }), files).answer;
		expect(inside.held?.denials.map(({ gate }) => gate)).toEqual(['command-policy']);
	});

	it('a call without a text as its command is denied where commands are excluded', () => {
		for (const command of [undefined, null, 3, ['rm']]) {
			const { output } = ask(bash(command), { [HOME]: exclude('rm') }).answer;
			expect(output).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
			expect(ask(bash(command), {}).answer.output).toBeNull();
		}
	});
});
