import { randomUUID } from 'node:crypto';
import { withNodePorts } from '#hooks-bridge/node/node-ports.ts';
import { stateFile, supervisorFolderOf } from '#hooks-bridge/supervisor/state-store.ts';
import {
	type SupervisorService,
	type SupervisorStatus,
	supervisorStatus,
	switchSupervisor,
} from '#hooks-bridge/supervisor/switch-supervisor.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { defineCommand, EXIT, type Terminal, UsageError } from '../process/command.ts';
import { reasonOf } from '../process/failure-words.ts';
import { clientConfigOf, homeOf, writableHomeOf } from '../process/home.ts';
import { missingSupervisorHooks } from '../setup/other-registrations.ts';
import { folderOf, sessionOf, titleOf } from '../timeline/find-session.ts';

export const supervisor = defineCommand({
	usage: 'supervisor on | off | status | reset [--session ID] [--project DIR]',
	about: [
		'Reviews every stop of an agent, and every question to you, by a second run of your client that has read the whole',
		'session. Needs the hooks that `signalbox init --supervisor` registers.',
		'  on, off  start or end reviews',
		'  status   print the state and how many reviews were used',
		'  reset    count reviews from 0 again; at the limit the agent may stop',
		'Uses the supervisor of CCC_SUPERVISOR_ID if it is set, otherwise that of the session.',
	].join('\n'),
	options: {
		session: {
			type: 'string',
			value: 'ID',
			about: 'session (default: CCC_SUPERVISOR_ID, else CLAUDE_CODE_SESSION_ID, else the newest live one here)',
		},
		project: { type: 'string', value: 'DIR', about: 'project folder (default: that of --session, else this one)' },
	},
	verbs: { on: 0, off: 0, status: 0, reset: 0 },
	examples: ['signalbox supervisor on', 'signalbox supervisor status', 'signalbox supervisor reset --session 3f2a'],
	exits: { 0: 'done', 1: 'no session was found, or the state file cannot be written' },
	run(values, [verb], terminal) {
		const home = homeOf(terminal);
		return withNodePorts(home, (ports) => {
			const project = ports.projectRootOf(folderOf(values, home, terminal));
			const sessionId = sessionOf(values.session, home, project, terminal);
			// `--session` overrides the environment.
			const env = values.session === undefined ? terminal.env : { ...terminal.env, CCC_SUPERVISOR_ID: undefined };
			const folder = supervisorFolderOf(env, sessionId);
			if (!folder) throw new UsageError('CCC_SUPERVISOR_ID must consist of letters, digits, - and _, at most 128.');
			if (folder.id === HOME_SESSION) {
				throw new Error('No session is live in this project. Start one, or give its id with --session.');
			}
			return act({ sessionId, place: folder, project, ports }, verb, terminal);
		});
	},
});

function act(service: SupervisorService, verb: 'on' | 'off' | 'status' | 'reset', terminal: Terminal): number {
	if (verb === 'status') return show(supervisorStatus(service), service, terminal);
	writableHomeOf(terminal);
	try {
		return show(switchSupervisor(service, verb, randomUUID()), service, terminal);
	} catch (error) {
		throw new Error(`The supervisor's ${stateFile(service.place)} cannot be changed: ${reasonOf(error)}.`);
	}
}

function show({ state, limits }: SupervisorStatus, service: SupervisorService, terminal: Terminal): number {
	const { sessionId, place: folder, project } = service;
	terminal.print(state.enabled ? 'on' : 'off');
	terminal.print(`${state.count} of ${limits.maxIterations} reviews used, each at most ${limits.timeoutSeconds} s`);
	if (sessionId !== HOME_SESSION) {
		const title = titleOf(homeOf(terminal), sessionId);
		terminal.print(`session ${sessionId}${title === undefined ? '' : ` “${title}”`}`);
	}
	terminal.print(stateFile(folder));
	const missing = state.enabled ? missingSupervisorHooks(project, clientConfigOf(terminal), terminal.cwd) : undefined;
	if (missing !== undefined) terminal.say(missing);
	return EXIT.done;
}
