import { existsSync } from 'node:fs';
import type { TelemetryTarget } from '#hooks-bridge/agents/agent-setup.ts';
import { doorPath } from '#hooks-bridge/disk/overtone-home.ts';
import { type AgentName, agentTable, FIRST_AGENT, isAgentName } from '#lib/agents/agent-table.ts';
import { inEnglish } from '#lib/messages/sentence.ts';
import { printable } from '#lib/text/printable.ts';
import { planTelemetry, planTelemetryRemoval, telemetryAdvice } from '../connect/otlp/switch-telemetry.ts';
import { telemetryTarget } from '../connect/otlp/telemetry-token.ts';
import { whyNoHookRuns } from '../doctor/check-client.ts';
import { commandFinder } from '../doctor/check-machine.ts';
import { tooLongFor } from '../door/socket-path.ts';
import { type Command, EXIT, type OptionValues, type Terminal, typed, UsageError } from '../process/command.ts';
import { clientConfigOf, homeOf, projectOf, writableHomeOf } from '../process/home.ts';
import { shellWord } from '../process/program-name.ts';
import { adviceFor } from '../setup/agents/agent-advice.ts';
import { usedAgents } from '../setup/agents/find-agents.ts';
import { agentFile, planAgent, planAgentRemoval, registeringFor } from '../setup/agents/plan-agent.ts';
import { localEntries } from '../setup/closed-entry.ts';
import { applyChanges, type FileChange, isReadByOthers, requirePossible } from '../setup/file-change.ts';
import { hookEntries } from '../setup/hook-entries.ts';
import { installHook } from '../setup/install-hook.ts';
import { installPlugin, pluginFolder } from '../setup/install-plugin.ts';
import { SettingsRefused } from '../setup/merge-settings.ts';
import { findOtherRegistrations } from '../setup/other-registrations.ts';
import { hasSupervisor, planConfig, planInit, planPlugin, planRemoval } from '../setup/plan-init.ts';
import {
	forProject,
	holdSecondsFor,
	onMismatchIn,
	projectFiles,
	refusesStops,
	settingsAt,
} from '../setup/project-settings.ts';
import { readIfThere } from '../setup/read-text.ts';
import { noteProject } from '../setup/registered-projects.ts';

function report(changes: readonly FileChange[], terminal: Terminal): void {
	const made = changes.filter(({ before, after }) => before !== after);
	for (const { path, before, after } of made) {
		const verb = after === undefined ? 'removed' : before === undefined ? 'wrote' : 'changed';
		terminal.print(`${verb.padEnd(8)} ${path}`);
	}
	if (made.length === 0) terminal.print('Nothing to change.');
}

function warnOfSettings({ home, project, terminal }: InitTarget): void {
	for (const problem of settingsAt(home, project).problems) terminal.say(`warning: ${problem}`);
}

function explainOnMismatch(project: string, terminal: Terminal): void {
	const { config } = projectFiles(project);
	const value = onMismatchIn(readIfThere(config) ?? '', config);
	if (value === 'deny') return;
	terminal.say(
		`${config} sets gates.routing.onMismatch to ${printable(JSON.stringify(value))}, which was not changed. With "stop", a denial that nobody approves in time ends the agent's turn; with "deny", the agent reads the reason and continues.`,
	);
}

function explainHome(home: string, terminal: Terminal): void {
	if (!terminal.env.OVERTONE_HOME) return;
	terminal.say(`Start the agent with OVERTONE_HOME=${shellWord(home)} as well, or its hooks will not find this home.`);
	const tooLong = tooLongFor(doorPath(home));
	if (tooLong !== null) terminal.say(`No server can start there: ${tooLong}. Set OVERTONE_HOME to a shorter folder.`);
}

interface InitOptions {
	agents: readonly AgentName[];
	/** The client was named on the command line: an unusable file then stops everything. */
	isNamed: boolean;
	withPlugin: boolean;
	withSupervisor: boolean;
	isRemoval: boolean;
}

interface InitTarget {
	project: string;
	home: string;
	terminal: Terminal;
}

function planFor(target: InitTarget, options: InitOptions): FileChange[] {
	const { project, home, terminal } = target;
	const others = options.agents.filter((agent) => agent !== FIRST_AGENT);
	const how = registeringFor(home, project);
	const plan = options.isRemoval ? planAgentRemoval : planAgent;
	const theirs = others.flatMap((agent) => {
		try {
			return plan(agent, terminal, how);
		} catch (error) {
			if (options.isNamed || !(error instanceof SettingsRefused)) throw error;
			terminal.say(error.message);
			return [];
		}
	});
	if (options.agents.includes(FIRST_AGENT)) return [...planFirst(target, options, theirs.length > 0), ...theirs];
	return options.isRemoval ? theirs : [...planConfig(project), ...theirs];
}

function planFirst({ project, home }: InitTarget, options: InitOptions, isElsewhere: boolean): FileChange[] {
	const { withPlugin, withSupervisor, isRemoval } = options;
	const isSupervised = withSupervisor || hasSupervisor(project);
	const holdSeconds = holdSecondsFor(home, project);
	const wanted = hookEntries(holdSeconds, isSupervised);
	const closed = localEntries(home, project, holdSeconds);
	if (isRemoval) return planRemoval(project, wanted, pluginFolder(home), closed, isElsewhere);
	if (withPlugin) return planPlugin(project, pluginFolder(home), closed);
	return planInit(project, wanted, closed, isSupervised || refusesStops(home, project));
}

/** The clients to register: those named, else all for a removal, else those used here. */
function agentsFor(values: OptionValues, { project, terminal }: InitTarget): readonly AgentName[] {
	const isOfFirst = values.plugin === true || values.supervisor === true;
	if (typeof values.agent !== 'object') {
		if (values.remove === true) return agentTable.map(({ name }) => name);
		const used = isOfFirst ? [] : usedAgents(project, terminal, commandFinder(terminal.env.PATH));
		return used.length === 0 ? [FIRST_AGENT] : used;
	}
	const chosen = chosenAgents(values.agent);
	if (isOfFirst && chosen.some((agent) => agent !== FIRST_AGENT)) {
		throw new UsageError('--plugin and --supervisor are for Claude Code alone: use them without another --agent.');
	}
	return chosen;
}

/** The clients of `--agent`, repeated or separated by commas. Throws UsageError for an unknown one. */
function chosenAgents(given: readonly string[]): AgentName[] {
	const names = given.flatMap((names) => names.split(',')).map((name) => name.trim());
	const unknown = names.find((name) => !isAgentName(name));
	if (unknown !== undefined) {
		const known = agentTable.map(({ name }) => name).join(', ');
		throw new UsageError(
			`Unknown client ${printable(JSON.stringify(unknown), 100)}. --agent must be one of: ${known}.`,
		);
	}
	return [...new Set(names.filter(isAgentName))];
}

/** Removes the hooks and the telemetry of these clients from a project. Throws SettingsRefused. */
export function removeFrom(target: InitTarget, { agents, isNamed }: Pick<InitOptions, 'agents' | 'isNamed'>): number {
	// In reverse order of `init`, so that each step finds the files as it left them.
	const telemetry = agents.flatMap((agent) => planTelemetryRemoval(agent, target.terminal));
	applyChanges(telemetry);
	const changes = planFor(target, { agents, isNamed, withPlugin: false, withSupervisor: false, isRemoval: true });
	applyChanges(changes);
	report([...telemetry, ...changes], target.terminal);
	if (existsSync(target.home) && agents.includes(FIRST_AGENT)) noteProject(target.home, target.project, false);
	return EXIT.done;
}

/** Checks `--telemetry` before anything is written; returns the step that plans it afterwards. Throws SettingsRefused. */
async function sendingOf(values: OptionValues, agents: readonly AgentName[], { project, home, terminal }: InitTarget) {
	if (values.telemetry !== true || values.remove === true) return undefined;
	const planTo = (target: TelemetryTarget) =>
		agents.flatMap((agent) => planTelemetry(agent, project, terminal, target));
	// Without a token, so that none is created if the plan is refused.
	const trial = planTo(await telemetryTarget(home, terminal.env, true));
	if (values.print !== true) requirePossible(trial);
	return async () => {
		const target = await telemetryTarget(home, terminal.env);
		return { changes: planTo(target), advice: telemetryAdvice(agents, target) };
	};
}

/** Prints the resulting files with hooks, with their names if there are several. */
function printFiles(
	changes: readonly FileChange[],
	{ agents, withPlugin }: InitOptions,
	{ project, terminal }: InitTarget,
): void {
	const own = projectFiles(project)[withPlugin ? 'local' : 'settings'];
	const paths = agents.map((agent) => agentFile(agent, terminal) ?? own);
	for (const path of paths) {
		if (paths.length > 1) terminal.print(`# ${path}`);
		terminal.print((changes.find((change) => change.path === path)?.after ?? '').trimEnd());
	}
}

export const init: Command = {
	usage: 'init [--project DIR] [--agent NAME]... [--plugin | --supervisor] [--telemetry] [--remove] [--print]',
	about: [
		"Registers the hooks in the project's .claude/settings.json, so that every session there is recorded and its calls are",
		'judged. Other entries stay byte for byte, and a backup is written beside the file. A second run changes nothing.',
		'On a machine without Signalbox the entries do nothing, so you can commit the file.',
		'',
		'Also sets gates.routing.onMismatch to "deny" in the project, so that a denied call can be approved. If commands are',
		'excluded, an entry in .claude/settings.local.json blocks them even when the hook fails.',
		'',
		'Other clients have one file for all projects, in their own folder; `signalbox agents` lists the clients. Without',
		'--agent, init registers those that it finds in the project or in your home, otherwise Claude Code.',
	].join('\n'),
	options: {
		project: { type: 'string', value: 'DIR', about: 'project folder (default: the current one)' },
		agent: {
			type: 'string',
			multiple: true,
			value: 'NAME',
			about: 'client to register; may be repeated (default: those found here)',
		},
		plugin: {
			type: 'boolean',
			about: 'use the plugin instead of entries: hooks, /ot:auto, /ot:stop, workflows and their agents',
		},
		supervisor: { type: 'boolean', about: 'also register the supervisor’s hooks; a later init retains them' },
		telemetry: {
			type: 'boolean',
			about: 'also let the clients send tokens, cost and errors to this server; your own settings stay',
		},
		remove: { type: 'boolean', about: 'undo init: remove what it added, telemetry included' },
		print: { type: 'boolean', about: 'print the resulting settings file; write nothing' },
	},
	examples: [
		'signalbox init',
		'signalbox init --project ~/src/shop',
		'signalbox init --agent codex --agent gemini',
		'signalbox init --plugin',
		'signalbox init --supervisor',
		'signalbox init --telemetry',
		'signalbox init --print',
		'signalbox init --remove',
	],
	exits: {
		0: 'done, or nothing to do',
		1: 'refused, nothing written: a file is invalid or not writable, or has hooks or telemetry that are not ours',
	},
	async run(values, _words, terminal) {
		const target = { project: projectOf(values.project, terminal), home: homeOf(terminal), terminal };
		const { project, home } = target;
		const agents = agentsFor(values, target);
		const isNamed = values.agent !== undefined;
		if (values.remove === true && values.print !== true) return removeFrom(target, { agents, isNamed });
		const withPlugin = values.plugin === true;
		const withSupervisor = values.supervisor === true;
		if (withPlugin && withSupervisor) {
			throw new UsageError('The plugin has a Stop hook of its own: use --supervisor without --plugin.');
		}
		const hasFirst = agents.includes(FIRST_AGENT);
		const kind = withPlugin ? 'plugin' : 'entries';
		const asksFirst = hasFirst && values.remove !== true;
		const others = asksFirst ? findOtherRegistrations(project, clientConfigOf(terminal), kind) : [];
		if (others.length > 0) {
			terminal.say(`Nothing was written, because every hook would run twice: ${others.map(inEnglish).join('; ')}.`);
			const removal =
				'Remove it there, or leave the project as it is. `signalbox init --remove` removes what is in this project.';
			terminal.say(forProject(removal, project, terminal.cwd));
			return EXIT.failed;
		}
		const options = { agents, isNamed, withPlugin, withSupervisor, isRemoval: values.remove === true };
		const changes = planFor(target, options);
		if (values.print !== true) requirePossible(changes);
		const sending = await sendingOf(values, agents, target);
		if (values.print) {
			printFiles(changes, options, target);
			return EXIT.done;
		}
		const installed = installHook(writableHomeOf(terminal));
		const isPluginNew = withPlugin && installPlugin(home, holdSecondsFor(home));
		// First, so that on a full disk no project has hooks that `uninstall` would not find.
		noteProject(home, project, true);
		applyChanges(changes);
		if (installed.length > 0) terminal.print(`wrote    ${installed.map((name) => `${home}/bin/${name}`).join(', ')}`);
		if (isPluginNew) terminal.print(`wrote    ${pluginFolder(home)}`);
		const { changes: sent, advice } = (await sending?.()) ?? { changes: [], advice: [] };
		const narrowed = sent.filter(({ path, isSecret }) => isSecret && isReadByOthers(path));
		applyChanges(sent);
		report([...changes, ...sent], terminal);
		explainOnMismatch(project, terminal);
		explainHome(home, terminal);
		warnOfSettings(target);
		for (const words of adviceFor(agents, terminal, registeringFor(home, project))) terminal.say(words);
		for (const { path } of narrowed) terminal.say(`${path} now contains a token, so only you can read it.`);
		for (const words of advice) terminal.say(words);
		const dropped = hasFirst ? await whyNoHookRuns(commandFinder(terminal.env.PATH), terminal.env) : undefined;
		const done = 'Sessions started here from now on are recorded. `signalbox doctor` checks the set-up.';
		if (dropped !== undefined) terminal.say(`${dropped}. Update it first.`);
		else terminal.print(typed(forProject(done, project, terminal.cwd), terminal));
		return EXIT.done;
	},
};
