import { describe, expect, it } from 'vitest';
import { memoryPorts } from '../testing/memory-ports.ts';
import { respond } from './respond.ts';
import { startWorkflow } from './workflow/run-workflow.ts';

const PLAN = '/shop/.vibe-engine/routing-state.json';
const CONFIG = '/shop/.overtone/config.json';
const plan = (...agents: string[]) => {
	const tasks = agents.map((agent) => ({ agent, status: 'pending' }));
	return JSON.stringify({ planId: 'route-1', status: 'pending', phases: [{ phase: 1, tasks }] });
};
/** As `init` writes it. */
const INSTALLED = { [CONFIG]: JSON.stringify({ gates: { routing: { onMismatch: 'deny' } } }) };
const skill = (head: string) => `---\nname: audit\n${head}\n---\nLook at everything.`;

let serial = 0;
function ask(tool: string, input: object, files: Record<string, string>) {
	const ports = memoryPorts(files);
	const call = { session_id: 's1', cwd: '/shop', hook_event_name: 'PreToolUse', tool_name: tool, tool_input: input };
	const transcript = '/home/me/.claude/projects/-shop/s1.jsonl';
	serial += 1;
	const hook = { ...call, tool_use_id: `toolu_${serial}`, transcript_path: transcript };
	const { output, held } = respond(hook, { requestId: `r${serial}`, profile: 'open' }, ports);
	const specific = output?.hookSpecificOutput as Record<string, unknown> | undefined;
	const events = ports.all();
	return {
		output,
		held,
		decision: specific?.permissionDecision,
		reason: specific?.permissionDecisionReason,
		verdicts: events.filter(({ type }) => type === 'gate:verdict').map(({ rule }) => rule),
		delegated: events.filter(({ type }) => type === 'agent:delegate').map(({ agent }) => agent),
	};
}

describe('every tool that starts agents is judged', () => {
	it('a skill with an agent of its own is judged as a call of that agent', () => {
		const path = '/shop/.claude/skills/audit/SKILL.md';
		const files = { [PLAN]: plan('developer'), [path]: skill('context: fork\nagent: core:Architect') };
		const denied = ask('Skill', { skill: 'audit' }, files);
		expect(denied.reason).toBe('Agent mismatch: architect not in expected [developer]');
		expect(denied.held?.denials).toHaveLength(1);
		expect(denied.delegated).toEqual([]);
		const allowed = ask('Skill', { skill: '/audit' }, { ...files, [PLAN]: plan('architect') });
		// What the client itself asks about a skill it still asks.
		expect(allowed.output).toBeNull();
		expect(allowed.delegated).toEqual(['architect']);
	});

	it.each([
		['a skill of the person', 'audit', '/home/me/.claude/skills/audit/SKILL.md'],
		['a command of the project', 'audit', '/shop/.claude/commands/audit.md'],
		['a command in a folder', 'deep:audit', '/shop/.claude/commands/deep/audit.md'],
	])('so is %s', (_, name, path) => {
		const files = { [PLAN]: plan('developer'), [path]: skill('agent: "architect"\n"context" : fork') };
		expect(ask('Skill', { skill: name }, files).decision).toBe('deny');
	});

	it('a skill without an agent, one that is not found and a name that leads elsewhere are not judged', () => {
		const files = { [PLAN]: plan('developer'), '/shop/.claude/skills/audit/SKILL.md': skill('agent: architect') };
		for (const name of ['audit', 'gone', '../../etc/passwd', '', '..']) {
			expect(ask('Skill', { skill: name }, files)).toMatchObject({ output: null, verdicts: [], delegated: [] });
		}
	});

	it('a script of agents, and a call that names none, pass to the letter of the seed and not where init has been', () => {
		for (const [tool, input] of [
			['Workflow', { script: 'a' }],
			['Agent', { prompt: 'a' }],
		] as const) {
			const bare = ask(tool, input, { [PLAN]: plan('developer') });
			expect(bare.verdicts).toContain('routing.no-agent-named');
			expect(bare.delegated).toEqual(['general-purpose']);
			const installed = ask(tool, input, { [PLAN]: plan('developer'), ...INSTALLED });
			expect(installed.reason).toBe(
				'Agent mismatch: general-purpose not in expected [developer], and the call names none',
			);
			const expected = ask(tool, input, { [PLAN]: plan('general-purpose'), ...INSTALLED });
			expect(expected.delegated).toEqual(['general-purpose']);
			expect(ask(tool, input, INSTALLED).decision).not.toBe('deny');
		}
	});

	it('the stage guard records a call without an agent as the agent that the client starts', () => {
		const ports = memoryPorts();
		startWorkflow({ sessionId: 's1', project: '/shop', requestId: 'start', ports }, 'quick');
		const call = { session_id: 's1', cwd: '/shop', hook_event_name: 'PreToolUse', tool_use_id: 'toolu_a' };
		respond({ ...call, tool_name: 'Agent', tool_input: {} }, { requestId: 'r', profile: 'open' }, ports);
		const guard = ports.all().find(({ type, gate }) => type === 'gate:verdict' && gate === 'stage-guard');
		expect(guard).toMatchObject({ rule: 'stage.no-stage', facts: { actual: 'general-purpose' } });
	});
});
