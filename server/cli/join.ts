import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join as joinPath } from 'node:path';
import { withNodePorts } from '#hooks-bridge/node/node-ports.ts';
import { EdgeLevel } from '#lib/contract/approvals/approval-record.ts';
import { printable } from '#lib/text/printable.ts';
import { defineCommand, EXIT, type OptionValues, type Terminal, UsageError } from '../process/command.ts';
import { findServer, projectOf, writableHomeOf } from '../process/home.ts';
import { howToStop, readHolder } from '../process/server-holder.ts';

export const join = defineCommand({
	usage:
		"join URL 'CODE#ROOT' | 'URL#ROOT' --ci [--project DIR | --all] [--shape] [--name NAME] [--decide hub|passkey]",
	about: [
		'Joins this machine to a hub, which then shows the sessions of one project. The hub can watch, and send policies that',
		"tighten this machine's rules; it decides nothing unless you give --decide. This machine works as before, also while",
		'the hub is down. The code comes from `signalbox hub code`.',
		'A CI job joins without a code, by the identity token that GitHub Actions or GitLab gives it; the hub must know its',
		'repository (`signalbox hub ci add`). Its machine leaves the hub after a day of silence; what it has sent stays.',
	].join('\n'),
	options: {
		project: { type: 'string', value: 'DIR', about: 'project to share (default: the current one)' },
		all: { type: 'boolean', about: 'share every project of this home' },
		shape: { type: 'boolean', about: 'share names and verdicts only: no prompts, commands, inputs or outputs' },
		decide: {
			type: 'string',
			value: 'HOW',
			about: 'who may decide from the hub: hub (its operators) or passkey (operators with a passkey)',
		},
		ci: { type: 'boolean', about: 'join as a CI job, by its identity token' },
		audience: { type: 'string', value: 'NAME', about: "--ci: audience of the token (default: the hub's address)" },
		name: {
			type: 'string',
			value: 'NAME',
			about: 'name of this machine at the hub (default: its host name, or that of the job)',
		},
	},
	words: 2,
	examples: [
		"signalbox join https://hub.example 'CODE#ROOT'",
		"signalbox join https://hub.example 'CODE#ROOT' --all --shape",
		"signalbox join https://hub.example 'CODE#ROOT' --decide hub",
		"signalbox join 'https://hub.example#ROOT' --ci",
	],
	exits: { 0: 'joined', 1: 'the hub refused the code or the job, or is another hub' },
	async run(values, [url, code], terminal) {
		if (url === undefined || (code === undefined) !== (values.ci === true))
			throw new UsageError('Give the address of a hub and a code, or --ci instead of a code.');
		const home = writableHomeOf(terminal);
		const { joinHub, joinHubAsJob, jobName, readJobToken } = await import('../edge/join-hub.ts');
		const { readMembership } = await import('../edge/membership.ts');
		const before = readMembership(home);
		if (before) throw new Error(`This home has joined ${before.url} already. Run \`signalbox leave\` first.`);
		const share = shareOf(values, terminal, home);
		const decide = levelOf(values.decide, share.content);
		const usual = (code === undefined ? jobName(terminal.env) : undefined) ?? hostname();
		const terms = { name: values.name ?? usual, share, decide };
		const tokenFor = (of: string) => readJobToken(terminal.env, of);
		const { membership, isPending } = await (code === undefined
			? joinHubAsJob(home, { url, audience: values.audience, tokenFor, ...terms })
			: joinHub(home, { url, code, ...terms }));
		await recordJoin(home, 'hub:join', membership.url, {
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
		if (isPending) terminal.say('The hub accepts nothing from this machine until an admin has accepted it.');
		if ((await findServer(home)) !== undefined)
			terminal.say(
				`The running server sends nothing until it is restarted. ${howToStop(readHolder(home)?.pid)} Then run \`signalbox start\`.`,
			);
		return EXIT.done;
	},
});

export const levelWords: Readonly<Record<EdgeLevel, string>> = {
	watch: 'The hub can watch, and send policies that tighten the rules here; it decides nothing.',
	hub: 'Operators of the hub may decide what waits here, and so may anybody who controls the hub.',
	passkey: 'Operators of the hub may decide what waits here, each with a passkey that this machine checks itself.',
};

function levelOf(value: OptionValues[string], content: 'all' | 'shape'): EdgeLevel {
	if (value === undefined) return 'watch';
	const level = EdgeLevel.safeParse(value);
	if (!level.success) throw new UsageError('--decide must be hub or passkey.');
	if (content === 'shape' && level.data !== 'watch') {
		throw new UsageError('With --shape nobody at the hub could see what they decide: leave out --shape or --decide.');
	}
	return level.data;
}

function shareOf(values: OptionValues, terminal: Terminal, home: string) {
	if (values.all === true && values.project !== undefined) throw new UsageError('Give --all or --project, not both.');
	const content = values.shape === true ? ('shape' as const) : ('all' as const);
	if (values.all === true) return { projects: 'all' as const, content };
	const project = projectOf(values.project, terminal);
	return { projects: [withNodePorts(home, (ports) => ports.projectRootOf(project))], content };
}

export async function recordJoin(
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
