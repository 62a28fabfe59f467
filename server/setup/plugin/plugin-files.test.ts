import { expect, test } from 'vitest';
import { shellCommands } from '#lib/commands/shell-help.ts';
import { parseVerdict } from '#lib/workflow/parse-verdict.ts';
import {
	type CompletionSignal,
	groupsOf,
	type StageName,
	stageBase,
	stageKeys,
	stages,
	type WorkflowDefinition,
	workflows,
} from '#lib/workflow/registry.ts';
import { commandTable } from '../../cli/command-table.ts';
import { workflow } from '../../cli/workflow.ts';
import { hookEntries } from '../hook-entries.ts';
import { pluginFiles } from './plugin-files.ts';

const files = pluginFiles(120);
const read = (path: string): string => files[`ot/${path}`] ?? '';

const SIGNALS: Record<CompletionSignal, string> = {
	'lint-clean': 'no lint errors',
	'tests-pass': 'no failing tests',
	'review-pass': 'the review passes',
	'qa-pass': 'QA passes',
	'e2e-pass': 'the end-to-end tests pass',
	'security-pass': 'the security review passes',
};

/** Turns of each agent; those that write code or documents have all tools, the others a list. */
const TURNS: Record<string, number> = {
	...{ developer: 50, tester: 50, 'e2e-runner': 50, 'build-error-resolver': 50, 'refactor-cleaner': 50 },
	...{ retrospective: 40, qa: 35, designer: 30, 'product-manager': 30, planner: 25, architect: 25, debugger: 25 },
	...{ 'code-reviewer': 25, 'security-reviewer': 25, 'database-reviewer': 25, 'doc-updater': 20, grader: 5 },
};
const UNLISTED = ['developer', 'tester', 'e2e-runner', 'build-error-resolver', 'refactor-cleaner', 'doc-updater'];

test('the plugin is named ot and its hooks are exactly the entries that init writes', () => {
	expect(JSON.parse(read('.claude-plugin/plugin.json'))).toMatchObject({ name: 'ot' });
	const { hooks } = JSON.parse(read('hooks/hooks.json'));
	expect(hooks).toEqual(hookEntries(120));
	expect(JSON.parse(files['.claude-plugin/marketplace.json'] ?? '').plugins).toMatchObject([
		{ name: 'ot', source: './ot' },
	]);
});

test.each(Object.keys(workflows) as (keyof typeof workflows)[])(
	'R341 the skill of %s names every stage in order with its agent, and its groups',
	(type) => {
		const text = read(`skills/${type}/SKILL.md`);
		expect(text).toMatch(new RegExp(`^---\nname: ${type}\ndescription: "`));
		expect(text).toContain(`workflow start ${type}`);
		const written = [...text.matchAll(/^\d+\. (\S+): delegate to `ot:([\w-]+)`/gm)].map(([, key, agent]) => [
			key,
			agent,
		]);
		const keys = stageKeys(workflows[type].stages);
		expect(written).toEqual(keys.map((key) => [key, stages[stageBase(key) as StageName].agent]));
		for (const group of groupsOf(type))
			expect(text).toContain(`${group.stages.join(', ')} are the group ${group.name}`);
		expect(text).toContain('Do not write code or tests yourself');
		const { signals }: WorkflowDefinition = workflows[type];
		const aim = signals.map((signal) => SIGNALS[signal]).join(', ');
		expect(/^- It is complete when (.+)\.$/m.exec(text)?.[1] ?? '').toBe(aim);
	},
);

test('R341 auto lists every workflow, and stop stops', () => {
	for (const type of Object.keys(workflows)) expect(read('skills/auto/SKILL.md')).toContain(`| \`${type}\` |`);
	expect(read('skills/stop/SKILL.md')).toContain('workflow stop');
});

test.each(Object.keys(stages) as StageName[])(
	'R342 the agent of %s has its name, model and turns, and asks for a handoff and the verdict comment',
	(stage) => {
		const { agent, model } = stages[stage];
		const text = read(`agents/${agent}.md`);
		expect(text).toMatch(
			new RegExp(`^---\nname: ${agent}\ndescription: ".+"\nmodel: ${model}\n(tools: .+\n)?maxTurns: \\d+\n---\n`),
		);
		expect(text).toContain('## HANDOFF:');
		expect(text).toContain('<!-- VERDICT: {"result": "PASS"} -->');
		const judging = {
			REVIEW: 'REJECT',
			SECURITY: 'REJECT',
			'DB-REVIEW': 'REJECT',
			RETRO: 'ISSUES',
			TEST: 'FAIL',
			QA: 'FAIL',
		};
		const other = (judging as Record<string, string>)[stage];
		if (other === undefined) return;
		expect(text).toMatch(new RegExp(`\n\nPASS when .*${other} when`, 's'));
		expect(parseVerdict(stage, `<!-- VERDICT: {"result": "${other}"} -->`).result).toBe(other.toLowerCase());
	},
);

test('R342 the agents have the turns and lists of tools of seed 001, and its floors of confidence', () => {
	const found = Object.keys(TURNS).map((agent) => [
		agent,
		Number(/^maxTurns: (\d+)$/m.exec(read(`agents/${agent}.md`))?.[1]),
	]);
	expect(Object.fromEntries(found)).toEqual(TURNS);
	expect(Object.keys(TURNS).filter((agent) => !/^tools: /m.test(read(`agents/${agent}.md`)))).toEqual(UNLISTED);
	expect(read('agents/code-reviewer.md')).toContain('more than 80 % sure');
	expect(read('agents/retrospective.md')).toContain('at least 70 % sure');
});

test('R342 there is one agent for each stage and the grader, all with different names', () => {
	const agents = Object.keys(files).filter((path) => path.startsWith('ot/agents/'));
	expect(agents).toHaveLength(17);
	expect(read('agents/grader.md')).toContain('model: haiku\n');
});

test('R1276 every agent that has a shell, and a skill, describe the agent shell with all of its commands', () => {
	const withShell = Object.entries(files).filter(([path, text]) => {
		return path.startsWith('ot/agents/') && (/^tools: .*\bBash\b/m.test(text) || !/^tools: /m.test(text));
	});
	expect(withShell).toHaveLength(Object.keys(stages).length);
	for (const [, text] of withShell) expect(text).toContain(`server.path")" sh 'command:search'`);
	const skill = read('skills/sh/SKILL.md');
	expect(skill).toContain('`signalbox sh`');
	for (const { about } of Object.values(shellCommands)) expect(skill).toContain(about.replaceAll('|', '\\|'));
});

test.each(Object.keys(files))('R1276 %s names only commands, skills and agents that there are', (path) => {
	const text = files[path] ?? '';
	const named = [...text.matchAll(/(?:`signalbox|server\.path"\)") ([\w-]+)(?: ([a-z-]+))?/g)];
	for (const [, name = ''] of named) expect(Object.keys(commandTable)).toContain(name);
	for (const [, , verb] of named.filter(([, name]) => name === 'workflow')) expect(workflow.usage).toContain(verb);
	for (const [, skill] of text.matchAll(/\/ot:([a-z][\w-]*)/g))
		expect(files).toHaveProperty([`ot/skills/${skill}/SKILL.md`]);
	for (const [, agent] of text.matchAll(/`ot:([\w-]+)`/g)) expect(files).toHaveProperty([`ot/agents/${agent}.md`]);
});
