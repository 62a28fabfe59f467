import type { AgentCapabilities } from '#lib/agents/agent-table.ts';
import { commandFinder } from '../doctor/check-machine.ts';
import { defineCommand, EXIT, type Terminal } from '../process/command.ts';
import { homeOf, projectOf } from '../process/home.ts';
import { type FoundAgent, findAgents } from '../setup/agents/find-agents.ts';
import { registeringFor } from '../setup/agents/plan-agent.ts';

const FAILURE: Readonly<Record<AgentCapabilities['onFailure'], string>> = {
	runs: 'a call whose hook fails runs',
	'as-entry-says': 'a call whose hook fails runs, but not where its entry is fail-closed',
};

/** What hooks can do with a client, a few words for each capability. */
function capabilityWords(can: AgentCapabilities): string[] {
	const { deny, stop, ask, allow, edit, prompts } = can;
	const abilities = [
		[deny, 'deny a call'],
		[stop, 'end the agent’s turn'],
		[ask, 'have the person at the terminal asked'],
		[allow, 'let a call run without a prompt'],
		[edit, 'change a call’s input'],
		[prompts, 'answer the client’s own prompt'],
	] as const;
	const listNames = (is: boolean) =>
		abilities
			.filter(([able]) => able === is)
			.map(([, words]) => words)
			.join(', ');
	return [
		`can: ${listNames(true)}`,
		...(listNames(false) === '' ? [] : [`cannot: ${listNames(false)}`]),
		`its client was seen to wait ${can.holdSeconds} seconds for a hook`,
		FAILURE[can.onFailure],
	];
}

function show(
	{ title, name, found, onPath, version, installed, seen, can, limits }: FoundAgent,
	terminal: Terminal,
): void {
	const hooks = { yes: 'hooks registered', other: 'hooks of another version', no: 'no hooks' }[installed];
	const here =
		found.length === 0
			? 'not found'
			: [version ?? (onPath ? 'found' : 'used here, its program is not on PATH'), hooks].join(', ');
	terminal.print(`${title} (${name}): ${here}`);
	if (found.length === 0) return;
	const tried = 'run' in seen ? `run with ${seen.run}` : `not run against the client: ${seen.read}`;
	terminal.print(`    ${tried}`);
	for (const words of [...capabilityWords(can), ...limits]) terminal.print(`    ${words}`);
}

export const agents = defineCommand({
	usage: 'agents [--project DIR] [--json]',
	about: [
		'Lists the supported clients: whether each is found in the project, in your home or on PATH, its version, whether its',
		'hooks are registered, and what a hook can do with it.',
	].join('\n'),
	options: {
		project: { type: 'string', value: 'DIR', about: 'project folder (default: the current one)' },
		json: { type: 'boolean', about: 'print {"agents": [...]}' },
	},
	examples: ['signalbox agents', 'signalbox agents --json'],
	exits: { 0: 'done' },
	async run(values, _words, terminal) {
		const project = projectOf(values.project, terminal);
		const found = await findAgents(
			project,
			terminal,
			registeringFor(homeOf(terminal), project),
			commandFinder(terminal.env.PATH),
		);
		if (values.json) terminal.print(JSON.stringify({ agents: found }));
		else for (const agent of found) show(agent, terminal);
		return EXIT.done;
	},
});
