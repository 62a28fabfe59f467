import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join as joinPath } from 'node:path';
import { createNodePorts } from '#hooks-bridge/disk/node-ports.ts';
import { findServer, projectOf, writableHomeOf } from '../install/home.ts';
import { type Command, EXIT, type OptionValues, type Terminal, UsageError } from './command.ts';

/** `signalbox join` */
export const join: Command = {
	usage: "join URL 'CODE#ROOT' [--project DIR | --all] [--shape] [--name NAME]",
	about: [
		'Makes this machine an edge of a hub: what agents do here is seen there, too. Only the sessions of one project are',
		'shared, and the hub can watch, nothing else. This machine goes on as before, also while the hub is away. The code',
		'comes from `signalbox hub code`.',
	].join('\n'),
	options: {
		project: { type: 'string', value: 'DIR', about: 'the project that is shared (default: the current one)' },
		all: { type: 'boolean', about: 'share every project of this home' },
		shape: { type: 'boolean', about: 'share no prompts, commands, inputs and outputs; verdicts and names stay' },
		name: { type: 'string', value: 'NAME', about: "how people call this machine (default: its host's name)" },
	},
	words: 2,
	examples: [
		"signalbox join https://hub.example 'CODE#ROOT'",
		"signalbox join https://hub.example 'CODE#ROOT' --all --shape",
	],
	exits: { 0: 'joined', 1: 'the hub does not take the code, or is another one', 2: 'the command line does not fit' },
	async run(values, [url, code], terminal) {
		if (url === undefined || code === undefined) throw new UsageError('Say which hub, and with which code.');
		const home = writableHomeOf(terminal);
		const { joinHub } = await import('../edge/join-hub.ts');
		const { readMembership } = await import('../edge/membership.ts');
		const before = readMembership(home);
		if (before) {
			terminal.say(`This home has joined ${before.url} already. Run \`signalbox leave\` first.`);
			return EXIT.failed;
		}
		const share = shareOf(values, terminal, home);
		const name = typeof values.name === 'string' ? values.name : hostname();
		const { membership } = await joinHub(home, { url, code, name, share });
		await tellJournal(home, 'hub:join', url, { edge: membership.edge, team: membership.team, ...share });
		const { projects, content } = share;
		terminal.print(`Joined ${membership.hub} as ${name}, edge ${membership.edge} of ${membership.team}.`);
		terminal.print(
			`Shared: ${projects === 'all' ? 'every project' : projects.join(', ')}${content === 'shape' ? ', without content' : ''}. The hub can only watch.`,
		);
		if ((await findServer(home)) !== undefined)
			terminal.say('The server that runs pushes from its next start on: stop it, and run `signalbox start`.');
		return EXIT.done;
	},
};

function shareOf(values: OptionValues, terminal: Terminal, home: string) {
	if (values.all === true && values.project !== undefined) throw new UsageError('Give --all or --project, not both.');
	const content = values.shape === true ? ('shape' as const) : ('all' as const);
	if (values.all === true) return { projects: 'all' as const, content };
	const ports = createNodePorts({ home });
	try {
		return { projects: [ports.projectRootOf(projectOf(values.project, terminal))], content };
	} finally {
		ports.close();
	}
}

/** That a home joined or left stands in its journal, whoever did it. */
export async function tellJournal(
	home: string,
	kind: 'hub:join' | 'hub:leave',
	url: string,
	payload: Record<string, unknown>,
): Promise<void> {
	const { openSqliteJournal } = await import('../store/sqlite-journal.ts');
	const journal = await openSqliteJournal(joinPath(home, 'journal.db'));
	try {
		await journal.append({ id: randomUUID(), kind, subject: url, payload });
	} finally {
		await journal.close();
	}
}
