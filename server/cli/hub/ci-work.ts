import * as z from 'zod';
import { printable } from '#lib/text/printable.ts';
import { isLoopback } from '../../edge/join-hub.ts';
import { CI_MAKERS, type CiMaker, type CiRule, createCiRules } from '../../hub/edges/ci-join.ts';
import { rootFingerprint } from '../../hub-protocol/signatures.ts';
import { EXIT, Refusal, type Terminal, UsageError } from '../../process/command.ts';
import { shellWord } from '../../process/program-name.ts';
import { databaseOf, withDatabase, withJournal } from './hub-database.ts';
import { type HubArgs, teamOf, textOf, urlOf } from './hub-options.ts';
import { identityOf } from './hub-work.ts';

const Maker = z.enum(['github', 'gitlab']);
const Repository = z.string().regex(/^(?:\d{1,18}|[\w.-]{1,100}(?:\/[\w.-]{1,100}){1,20})$/);
const Audience = z.string().regex(/^[\x21-\x7e]{1,300}$/);

export async function changeCi(terminal: Terminal, request: HubArgs): Promise<number> {
	const { action = 'show', word } = request;
	if (action === 'add') return addRule(terminal, request);
	if (action !== 'show' && action !== 'remove')
		throw new UsageError('Use `hub ci`, `hub ci add github`, `hub ci add gitlab` or `hub ci remove N`.');
	if (action === 'remove' && !/^[1-9]\d{0,8}$/.test(word ?? ''))
		throw new UsageError('Give the number of a rule; `signalbox hub ci` lists them.');
	if (action === 'show') return showRules(terminal);
	return withJournal(terminal, async (query, journal) => {
		const rules = createCiRules(query);
		const rule = (await rules.list()).find(({ id }) => id === Number(word));
		if (!rule) throw new Refusal(`There is no rule ${word}. \`signalbox hub ci\` lists them.`);
		await journal.append(rule.teamId, { kind: 'ci:remove', subject: `ci:${rule.id}`, payload: payloadOf(rule) });
		await rules.remove(rule.id);
		terminal.say(
			'Jobs can no longer join by this rule. Machines that have joined stay: see `signalbox hub edges` and `hub revoke N`.',
		);
		return EXIT.done;
	});
}

const payloadOf = ({ maker, issuer, audience, repository }: Omit<CiRule, 'id' | 'teamId' | 'team'>) => ({
	by: 'machine',
	maker,
	issuer,
	audience,
	repository,
});

async function showRules(terminal: Terminal): Promise<number> {
	const rules = await withDatabase(databaseOf(terminal), ({ query }) => createCiRules(query).list());
	for (const { id, team, maker, issuer, audience, repository } of rules)
		terminal.print(`${id}\t${printable(team)}\t${maker}\t${repository}\t${audience}\t${issuer}`);
	return EXIT.done;
}

async function addRule(terminal: Terminal, { word, values }: HubArgs): Promise<number> {
	const [repository, audience, issuer] = [values.repository, values.audience, values.issuer].map(textOf);
	const maker = Maker.safeParse(word).data;
	if (!maker) throw new UsageError('Give the issuer of the tokens: `hub ci add github` or `hub ci add gitlab`.');
	if (!Repository.safeParse(repository).success)
		throw new UsageError('Give a repository: --repository ORG/NAME, or its number.');
	const { root } = await identityOf(terminal, urlOf(values));
	const rule = {
		team: teamOf(values),
		maker,
		repository: repository ?? '',
		issuer: issuerOf(maker, issuer),
		audience: audienceOf(audience ?? root.origin),
	};
	await withJournal(terminal, async (query, journal) => {
		const { id, teamId } = await createCiRules(query).add(rule);
		await journal.append(teamId, { kind: 'ci:add', subject: `ci:${id}`, payload: payloadOf(rule) });
	});
	terminal.say(
		`Jobs of ${rule.repository} join ${printable(rule.team)} by tokens of ${rule.issuer} for ${rule.audience}.`,
	);
	if (rule.repository.includes('/'))
		terminal.say(
			`Whoever takes over that path can join, too; the number of the repository (\`${CI_MAKERS[maker].number}\`) is never given to another one.`,
		);
	terminal.say('Every job of the repository can join with this line, whoever wrote the job. Add it to the pipeline:');
	const named = rule.audience === root.origin ? '' : ` --audience ${shellWord(rule.audience)}`;
	terminal.print(`signalbox join ${shellWord(`${root.origin}#${rootFingerprint(root)}`)} --ci${named}`);
	return EXIT.done;
}

function audienceOf(audience: string): string {
	if (Audience.safeParse(audience).success) return audience;
	throw new UsageError('--audience must be one word, such as https://hub.example.');
}

function issuerOf(maker: CiMaker, issuer: string | undefined): string {
	if (issuer === undefined) return CI_MAKERS[maker].issuer;
	const { protocol, hostname, search, hash } = URL.canParse(issuer) ? new URL(issuer) : new URL('none:');
	const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
	if (isSafe && search === '' && hash === '' && Audience.safeParse(issuer).success) return issuer;
	throw new UsageError('--issuer must be the address that the tokens name as `iss`, such as https://gitlab.example.');
}
