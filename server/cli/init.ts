import { doorPath } from '#hooks-bridge/disk/overtone-home.ts';
import { printable } from '#lib/text/printable.ts';
import { whyNoHookRuns } from '../doctor/check-client.ts';
import { commandFinder } from '../doctor/check-machine.ts';
import { tooLongFor } from '../door/socket-path.ts';
import { closedEntries } from '../install/closed-entry.ts';
import { applyChanges, type FileChange } from '../install/file-change.ts';
import { forProject } from '../install/for-project.ts';
import { holdSecondsFor } from '../install/hold-seconds.ts';
import { clientConfigOf, homeOf, projectOf, writableHomeOf } from '../install/home.ts';
import { hookEntries } from '../install/hook-entries.ts';
import { installHook } from '../install/install-hook.ts';
import { installPlugin, pluginFolder } from '../install/install-plugin.ts';
import { findOtherRegistrations } from '../install/other-registrations.ts';
import { hasSupervisor, planInit, planPlugin, planRemoval, projectFiles } from '../install/plan-init.ts';
import { onMismatchIn } from '../install/project-config.ts';
import { readIfThere } from '../install/read-text.ts';
import { refusesStops } from '../install/refuses-stops.ts';
import { shellWord } from '../program-name.ts';
import { type Command, EXIT, type Terminal, typed, UsageError } from './command.ts';

function report(changes: readonly FileChange[], terminal: Terminal): void {
	const made = changes.filter(({ before, after }) => before !== after);
	for (const { path, before, after } of made) {
		const verb = after === undefined ? 'removed' : before === undefined ? 'wrote' : 'changed';
		terminal.print(`${verb.padEnd(8)} ${path}`);
	}
	if (made.length === 0) terminal.print('Nothing to change.');
}

function explainOnMismatch(project: string, terminal: Terminal): void {
	const { config } = projectFiles(project);
	const value = onMismatchIn(readIfThere(config) ?? '', config);
	if (value === 'deny') return;
	terminal.say(
		`${config} keeps gates.routing.onMismatch at ${printable(JSON.stringify(value))}: with "stop" a denial that nobody approves in time ends the agent's turn; with "deny" the model reads the reason and goes on.`,
	);
}

function explainHome(home: string, terminal: Terminal): void {
	if (!terminal.env.OVERTONE_HOME) return;
	terminal.say(`Start the agent with OVERTONE_HOME=${shellWord(home)} as well, or its hooks will not find this home.`);
	const tooLong = tooLongFor(doorPath(home));
	if (tooLong !== null) terminal.say(`No server can start there: ${tooLong}. Set OVERTONE_HOME to a shorter folder.`);
}

interface Wish {
	withPlugin: boolean;
	withSupervisor: boolean;
	isRemoval: boolean;
}

function planFor(project: string, home: string, { withPlugin, withSupervisor, isRemoval }: Wish): FileChange[] {
	const isSupervised = withSupervisor || hasSupervisor(project);
	const holdSeconds = holdSecondsFor(home, project);
	const wanted = hookEntries(holdSeconds, isSupervised);
	const closed = closedEntries(home, projectFiles(project).config, holdSeconds);
	if (isRemoval) return planRemoval(project, wanted, pluginFolder(home), closed);
	if (withPlugin) return planPlugin(project, pluginFolder(home), closed);
	return planInit(project, wanted, closed, isSupervised || refusesStops(home, project));
}

function removeFrom(project: string, home: string, terminal: Terminal): number {
	const changes = planFor(project, home, { withPlugin: false, withSupervisor: false, isRemoval: true });
	applyChanges(changes);
	report(changes, terminal);
	return EXIT.done;
}

/** `signalbox init` */
export const init: Command = {
	usage: 'init [--project DIR] [--plugin | --supervisor] [--remove] [--print]',
	about: [
		"Registers the hooks in the project's .claude/settings.json, so that every session there is recorded and gated.",
		'Other entries stay byte for byte as they are; a backup is kept beside the file; running it again changes nothing.',
		'On a machine without Signalbox the entries do nothing, so the file may be committed.',
		'gates.routing.onMismatch becomes "deny" for the project, so that the agent reads a denial and you can approve it.',
		'With --supervisor stops and questions can be reviewed; `signalbox supervisor on` then begins it for a session.',
		'Where commands are excluded, an entry in settings.local.json blocks them also when the hook fails.',
		'With --plugin the hooks come from a plugin instead, together with /ot:auto, /ot:stop, the workflows and their agents.',
	].join('\n'),
	options: {
		project: { type: 'string', value: 'DIR', about: 'the project (default: this folder)' },
		plugin: { type: 'boolean', about: 'enable the plugin in .claude/settings.local.json, in place of the entries' },
		supervisor: { type: 'boolean', about: 'register the hooks of the supervisor as well; a later init keeps them' },
		remove: { type: 'boolean', about: 'take everything back' },
		print: { type: 'boolean', about: 'print the resulting settings file and write nothing' },
	},
	examples: [
		'signalbox init',
		'signalbox init --project ~/src/shop',
		'signalbox init --plugin',
		'signalbox init --supervisor',
		'signalbox init --print',
		'signalbox init --remove',
	],
	exits: {
		0: 'done, or nothing to do',
		1: 'refused: a file is not valid, or the same hooks are registered elsewhere; nothing was written',
		2: 'the command line does not fit',
	},
	async run(values, _words, terminal) {
		const project = projectOf(values.project, terminal);
		const home = homeOf(terminal);
		if (values.remove === true && values.print !== true) return removeFrom(project, home, terminal);
		const withPlugin = values.plugin === true;
		const withSupervisor = values.supervisor === true;
		if (withPlugin && withSupervisor) {
			throw new UsageError('The plugin has a Stop hook of its own: use --supervisor without --plugin.');
		}
		const kind = withPlugin ? 'plugin' : 'entries';
		const others = values.remove ? [] : findOtherRegistrations(project, clientConfigOf(terminal), kind);
		if (others.length > 0) {
			terminal.say(`Nothing was written, because every hook would run twice: ${others.join('; ')}.`);
			const removal =
				'Remove it there, or leave the project as it is. `signalbox init --remove` takes out what is in this project.';
			terminal.say(forProject(removal, project, terminal.cwd));
			return EXIT.failed;
		}
		const changes = planFor(project, home, { withPlugin, withSupervisor, isRemoval: values.remove === true });
		if (values.print) {
			const shown = projectFiles(project)[withPlugin ? 'local' : 'settings'];
			terminal.print((changes.find(({ path }) => path === shown)?.after ?? '').trimEnd());
			return EXIT.done;
		}
		const installed = installHook(writableHomeOf(terminal));
		const isPluginNew = withPlugin && installPlugin(home, holdSecondsFor(home));
		applyChanges(changes);
		if (installed.length > 0) terminal.print(`wrote    ${installed.map((name) => `${home}/bin/${name}`).join(', ')}`);
		if (isPluginNew) terminal.print(`wrote    ${pluginFolder(home)}`);
		report(changes, terminal);
		explainOnMismatch(project, terminal);
		explainHome(home, terminal);
		const dropped = await whyNoHookRuns(commandFinder(terminal.env.PATH), terminal.env);
		const done = 'Sessions started here from now on are recorded. `signalbox doctor` checks the set-up.';
		if (dropped !== undefined) terminal.say(`${dropped}. Update it first.`);
		else terminal.print(typed(forProject(done, project, terminal.cwd), terminal));
		return EXIT.done;
	},
};
