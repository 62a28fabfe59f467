import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join as joinPath } from 'node:path';
import { createNodePorts } from '#hooks-bridge/node/node-ports.ts';
import { EdgeLevel } from '#lib/contract/approvals/approval-record.ts';
import { printable } from '#lib/text/printable.ts';
import { type Command, EXIT, type OptionValues, type Terminal, UsageError } from '../process/command.ts';
import { findServer, projectOf, writableHomeOf } from '../process/home.ts';
import { howToStop, readHolder } from '../process/server-holder.ts';

export const join: Command = {
	usage:
		"join URL 'CODE#ROOT' | 'URL#ROOT' --ci [--project DIR | --all] [--shape] [--name NAME] [--decide hub|passkey]",
	about: [
		'Makes this machine an edge of a hub: what agents do here is seen there, too. Only the sessions of one project are',
		"shared, and the hub can watch, and send policies that tighten this machine's rules, nothing else, unless --decide",
		'says so. This machine goes on as before, also while the hub is away. The code comes from `signalbox hub code`.',
		'A CI job joins without one, by the token that GitHub Actions or GitLab gives it; the hub has to know its repository',
		'(`signalbox hub ci add`). Its machine is gone from the hub after a day of silence; what it has sent stays.',
	].join('\n'),
	options: {
		project: { type: 'string', value: 'DIR', about: 'the project that is shared (default: the current one)' },
		all: { type: 'boolean', about: 'share every project of this home' },
		shape: { type: 'boolean', about: 'share no prompts, commands, inputs and outputs; verdicts and names stay' },
		decide: {
			type: 'string',
			value: 'HOW',
			about: 'who decides from the hub: hub (its operators, on its word) or passkey (each by theirs)',
		},
		ci: { type: 'boolean', about: 'join as a CI job, by its own identity' },
		audience: {
			type: 'string',
			value: 'NAME',
			about: "--ci: for whom the job's token is (default: the hub's address)",
		},
		name: {
			type: 'string',
			value: 'NAME',
			about: "how people call this machine (default: its host's name, or the job's)",
		},
	},
	words: 2,
	examples: [
		"signalbox join https://hub.example 'CODE#ROOT'",
		"signalbox join https://hub.example 'CODE#ROOT' --all --shape",
		"signalbox join https://hub.example 'CODE#ROOT' --decide hub",
		"signalbox join 'https://hub.example#ROOT' --ci",
	],
	exits: {
		0: 'joined',
		1: 'the hub does not take the code or the job, or is another one',
		2: 'the command line does not fit',
	},
	async run(values, [url, code], terminal) {
		if (url === undefined || (code === undefined) !== (values.ci === true))
			throw new UsageError('Say which hub, and with which code; or --ci instead of a code.');
		const home = writableHomeOf(terminal);
		const { joinHub, joinHubAsJob } = await import('../edge/join-hub.ts');
		const { jobName, readJobToken } = await import('../edge/join-hub.ts');
		const { readMembership } = await import('../edge/membership.ts');
		const before = readMembership(home);
		if (before) {
			terminal.say(`This home has joined ${before.url} already. Run \`signalbox leave\` first.`);
			return EXIT.failed;
		}
		const share = shareOf(values, terminal, home);
		const decide = levelOf(values.decide, share.content);
		const usual = (code === undefined ? jobName(terminal.env) : undefined) ?? hostname();
		const terms = { name: typeof values.name === 'string' ? values.name : usual, share, decide };
		const audience = typeof values.audience === 'string' ? values.audience : undefined;
		const { membership, isPending } = await (code === undefined
			? joinHubAsJob(home, { url, audience, tokenFor: (of) => readJobToken(terminal.env, of), ...terms })
			: joinHub(home, { url, code, ...terms }));
		await tellJournal(home, 'hub:join', membership.url, {
			edge: membership.edge,
			team: membership.team,
			...share,
			decide,
		});
		const { projects, content } = share;
		terminal.print(
			`Joined ${printable(membership.hub)} as ${printable(terms.name)}, edge ${membership.edge} of ${printable(membership.team)}.`,
		);
		terminal.print(
			`Shared: ${projects === 'all' ? 'every project' : projects.join(', ')}${content === 'shape' ? ', without content' : ''}. ${levelWords[decide]}`,
		);
		if (isPending) terminal.say('The hub takes nothing of this machine until one of its admins has taken it in.');
		if ((await findServer(home)) !== undefined)
			terminal.say(
				`The server that runs pushes from its next start on. ${howToStop(readHolder(home)?.pid)} Then run \`signalbox start\`.`,
			);
		return EXIT.done;
	},
};

export const levelWords: Readonly<Record<EdgeLevel, string>> = {
	watch: 'The hub can watch, and send policies that tighten the rules here; it decides nothing.',
	hub: "The hub's operators may decide what waits here: whoever has the hub has that, too.",
	passkey: 'Operators may decide what waits here from the hub, each with a passkey that this machine checks itself.',
};

function levelOf(value: OptionValues[string], content: 'all' | 'shape'): EdgeLevel {
	if (value === undefined) return 'watch';
	const level = EdgeLevel.safeParse(value);
	if (!level.success) throw new UsageError('--decide is followed by hub or passkey.');
	if (content === 'shape' && level.data !== 'watch') {
		throw new UsageError('With --shape nobody at the hub sees what they would decide: leave out one of the two.');
	}
	return level.data;
}

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

export async function tellJournal(
	home: string,
	kind: 'hub:join' | 'hub:leave' | 'hub:level',
	url: string,
	payload: Record<string, unknown>,
): Promise<void> {
	const { openSqliteJournal } = await import('../timeline/store/sqlite-journal.ts');
	const journal = await openSqliteJournal(joinPath(home, 'journal.db'));
	try {
		await journal.append({ id: randomUUID(), kind, subject: url, payload });
	} finally {
		await journal.close();
	}
}
