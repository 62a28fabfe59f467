import { shellCommands } from '#lib/commands/shell-help.ts';
import type { WorkflowType } from '#lib/contract/sessions/read-model/workflow-state.ts';
import {
	type CompletionSignal,
	groupsOf,
	type StageName,
	stageBase,
	stageKeys,
	stageMode,
	stages,
	type WorkflowDefinition,
	workflows,
} from '#lib/workflow/registry.ts';
import { commandBlock } from './command-block.ts';

const TYPES = Object.keys(workflows) as WorkflowType[];

const SIGNALS: Record<CompletionSignal, string> = {
	'lint-clean': 'no lint errors',
	'tests-pass': 'no failing tests',
	'review-pass': 'the review passes',
	'qa-pass': 'QA passes',
	'e2e-pass': 'the end-to-end tests pass',
	'security-pass': 'the security review passes',
};

function skill(name: string, description: string, body: string): [string, string] {
	return [
		`skills/${name}/SKILL.md`,
		`---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\n${body}\n`,
	];
}

function stageLines(type: WorkflowType): string {
	const keys = stageKeys(workflows[type].stages);
	const groups = groupsOf(type);
	return keys
		.map((key, index) => {
			const mode = keys.length > 1 ? stageMode(keys, key) : undefined;
			const group = groups.find((one) => one.stages.includes(key));
			const notes = [...(mode ? [`mode ${mode}`] : []), ...(group ? [`group ${group.name}`] : [])];
			const agent = stages[stageBase(key) as StageName].agent;
			return `${index + 1}. ${key}: delegate to \`ot:${agent}\`${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
		})
		.join('\n');
}

function workflowSkill(type: WorkflowType): [string, string] {
	const definition: WorkflowDefinition = workflows[type];
	const groups = groupsOf(type).map(
		({ name, stages: keys }) =>
			`- ${keys.join(', ')} are the group ${name}: delegate them in parallel, in one message.`,
	);
	const feature = definition.specs.length > 0 ? ' --feature NAME' : '';
	const aim = definition.signals.map((signal) => SIGNALS[signal]);
	const body = [
		`Work through the workflow ${type} for the request. Start it first:`,
		commandBlock(`workflow start ${type}${feature}`),
		...(feature ? ['NAME is a short kebab-case name of the request, such as `user-login`.'] : []),
		'Then delegate its stages in this order:',
		stageLines(type),
		[
			'- Do not write code or tests yourself: the agent of the stage does.',
			'- Give each agent the request, its stage and mode, and the whole handoff of the agents before it.',
			...groups,
			'- After each agent follow the hint that the hooks give: it names what comes next, also after a FAIL or a REJECT.',
			'- Go on without asking until all stages are done. Ask the person only where a hint says so.',
			...(aim.length > 0 ? [`- It is complete when ${aim.join(', ')}.`] : []),
		].join('\n'),
	].join('\n\n');
	const order = stageKeys(definition.stages).join(', ');
	return skill(type, `Workflow ${definition.label}: ${order}. Use it when /ot:auto chose it or the person asks.`, body);
}

function autoSkill(): [string, string] {
	const list = TYPES.map((type) => `| \`${type}\` | ${stageKeys(workflows[type].stages).join(', ')} |`).join('\n');
	const body = [
		'Choose the workflow for the request, then run its skill (`/ot:KEY`), which starts it and says how to go on.',
		`| KEY | stages |\n|---|---|\n${list}`,
		[
			'- A question, or a change that one reads at a glance, needs no workflow: answer it.',
			'- One small change: `single`. A change of a few files: `quick`. A feature: `standard`; with screens: `full`;',
			'  with access, secrets or payment: `secure`. Unclear what to build: `product` or `discovery`.',
			'- A fault: `debug`; only its cause: `diagnose`. A broken build: `build-fix`. Same behaviour, better code: `refactor`.',
			'- When the person named a workflow, take that one. When one runs already, go on with it:',
		].join('\n'),
		commandBlock('workflow status'),
	].join('\n\n');
	return skill('auto', 'Chooses the workflow for a request and starts it. Read it before the first step.', body);
}

function stopSkill(): [string, string] {
	const body = [
		'Stop the workflow of this session, then say what is done and what is open:',
		commandBlock('workflow stop'),
	];
	return skill('stop', 'Stops the running workflow. Use it when the person asks for it.', body.join('\n\n'));
}

function shellSkill(): [string, string] {
	const body = [
		'`signalbox sh` runs one command of the agent shell, and everything else as a command of the operating system in a sandbox,\n' +
			'where there is one. It is judged and recorded like any call of a tool. It is run like this:',
		commandBlock("sh 'command:search'"),
		'The command is one word in quotes; `sh -` reads it from stdin, which spares quoting.',
		shellLines(),
		'`-h` behind a command shows how it is used, and runs nothing. Exit code 126: it did not run; stderr says why.',
	].join('\n\n');
	const about = 'Runs commands of the agent shell: files, todos, tasks for other agents, MCP tools, skills, a sandbox.';
	return skill('sh', `${about} Use it where the tool for that is missing or the person asks for signalbox sh.`, body);
}

/** `auto`, `stop`, `sh` and one skill for each workflow, by path in the plugin. */
export function skillFiles(): Record<string, string> {
	return Object.fromEntries([autoSkill(), stopSkill(), shellSkill(), ...TYPES.map(workflowSkill)]);
}

/** The shell's own commands as a table, as in its help. */
function shellLines(): string {
	const cell = (text: string): string => text.replaceAll('|', '\\|');
	const rows = Object.values(shellCommands).map(({ usage, about }) => {
		return `| \`${cell(usage.replace(/^Usage: /, ''))}\` | ${cell(about)} |`;
	});
	return ['| command | what it does |', '|---|---|', ...rows].join('\n');
}
