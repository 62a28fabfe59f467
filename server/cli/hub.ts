import { EdgeLabels } from '#lib/contract/hub/edges.ts';
import { TeamName, TokenName } from '#lib/contract/hub/hub-name.ts';
import { LEAST_DAYS, MOST_DAYS, type TeamDays } from '../hub/jobs/jobs-state.ts';
import { type Command, type OptionValues, portOption, UsageError } from '../process/command.ts';

const MOST_MINUTES = 1440;
const UNITS: Readonly<Record<string, number>> = { m: 1, h: 60, d: 1440 };

export const hub: Command = {
	usage:
		'hub [open|token|migrate|doctor|drain|code|edges|accept|revoke N|rule|ci|policy set FILE|root|keep] [--url URL]',
	about: [
		'Runs one replica of a hub, or manages the hub. Machines join a hub and send it their sessions; people watch them on',
		'its pages. A replica needs a Postgres (SIGNALBOX_DATABASE_URL) whose tables `hub migrate` has created. It speaks http',
		'on loopback, for a proxy with TLS that passes websockets on. Several replicas share one address and key, and notify',
		'each other over SIGNALBOX_REDIS_URL. Stop one with Ctrl+C or `hub drain --port N`.',
		'  open       print a login link for the owner; it works once, within 15 minutes',
		'  token      create a token that lets a tool read everything at the hub',
		'  migrate    create the tables, or update them',
		'  doctor     check the database, the key and the address',
		'  drain      stop a replica of this home in order',
		'  code       create a code with which machines join',
		'  edges      list the machines',
		'  accept N   accept a machine that waits or is quarantined; revoke N removes one for good',
		'  rule       list rules that accept machines without an admin: those with all --labels of --team; rule add, rule remove N',
		'  ci         list repositories whose jobs join by their own identity; ci add github|gitlab, ci remove N',
		'  policy     set FILE: rules that tighten the settings of the machines of --team, as in config.json; show: its versions',
		'             and which machines apply them; remove: withdraw it',
		'  root       list admins’ passkeys; root passkey ID makes one a root passkey, which signs who may decide at machines',
		'             that join from then on; root remove ID undoes that',
		'  keep       show or set how many days the sessions of each team stay in the database before they are packed',
	].join('\n'),
	options: {
		url: { type: 'string', value: 'URL', about: 'address for machines: https, or http on this machine' },
		port: { type: 'string', value: 'N', about: 'port on loopback (default: 7780)' },
		name: { type: 'string', value: 'NAME', about: 'token: its name in lists (default: tool)' },
		days: {
			type: 'string',
			value: 'N',
			about: 'token, policy: days until it expires (default: 90, 30); keep: at least 3',
		},
		team: { type: 'string', value: 'NAME', about: 'code, rule, ci, policy, keep: the team (default: team)' },
		drop: { type: 'boolean', about: 'keep: delete older sessions if there is no object store' },
		uses: {
			type: 'string',
			value: 'N',
			about: 'code: how many machines may join (default: 1); if more than one, an admin accepts each',
		},
		minutes: { type: 'string', value: 'N', about: 'code: minutes until it expires (default: 60)' },
		for: { type: 'string', value: 'TIME', about: 'code: the same as a duration: 30m, 24h or 1d; at most a day' },
		labels: { type: 'string', value: 'K=V,K=V', about: 'code: labels of its machines; rule: labels that it requires' },
		repository: {
			type: 'string',
			value: 'NAME',
			about: 'ci: ORG/NAME, or the number of the repository, which is never given to another one',
		},
		audience: { type: 'string', value: 'NAME', about: "ci: audience of the tokens (default: the hub's address)" },
		issuer: { type: 'string', value: 'URL', about: 'ci: issuer of the tokens (default: github.com or gitlab.com)' },
		version: { type: 'string', value: 'N', about: 'policy: its number; after restoring a database above all before' },
	},
	words: 3,
	examples: [
		'signalbox hub migrate',
		'signalbox hub --url https://hub.example',
		'signalbox hub open',
		'signalbox hub code --url https://hub.example --team shop',
		'signalbox hub code --url https://hub.example --team shop --uses 50 --labels site=berlin,ci --for 24h',
		'signalbox hub rule add --team shop --labels site=berlin',
		'signalbox hub ci add github --repository org/shop --team shop --url https://hub.example',
		'signalbox hub revoke 3',
		'signalbox hub policy set rules.json --team shop --url https://hub.example',
		'signalbox hub root passkey --url https://hub.example -- ID',
		'signalbox hub keep --team shop --days 90',
	],
	exits: { 0: 'done; for a replica: it was stopped', 1: 'failed; the reason is on stderr' },
	async run(values, words, terminal) {
		const [word = 'start', edge, file] = words;
		if (file !== undefined && !['policy', 'root', 'rule', 'ci'].includes(word))
			throw new UsageError(`Unexpected argument ${JSON.stringify(file)}.`);
		const work = await import('./hub/hub-work.ts');
		const { serveHub, openHub, migrate, checkHub, makeCode, listEdges, changeEdge, makeToken } = work;
		switch (word) {
			case 'start':
				return serveHub(terminal, urlOf(values), portOf(values) ?? 7780);
			case 'open':
				return openHub(terminal);
			case 'token':
				return makeToken(terminal, nameOf('name', values.name ?? 'tool', TokenName), numberOf(values, 'days', 90, 366));
			case 'policy':
				return (await import('./hub/policy-work.ts')).changePolicy(terminal, {
					...{ action: edge, file, url: () => urlOf(values), team: teamOf(values) },
					days: values.days === undefined ? undefined : numberOf(values, 'days', 30, 366),
					version: typeof values.version === 'string' ? values.version : undefined,
				});
			case 'root':
				return (await import('./hub/root-work.ts')).changeRoot(terminal, {
					action: edge,
					id: file,
					url: () => urlOf(values),
				});
			case 'migrate':
				return migrate(terminal);
			case 'doctor':
				return checkHub(terminal, typeof values.url === 'string' ? values.url : undefined);
			case 'drain':
				return (await import('./hub/home-replicas.ts')).drainHub(terminal, portOf(values));
			case 'code':
				return makeCode(terminal, {
					url: urlOf(values),
					team: teamOf(values),
					uses: numberOf(values, 'uses', 1, 10_000),
					minutes: values.for === undefined ? numberOf(values, 'minutes', 60, MOST_MINUTES) : spanOf(values),
					labels: labelsOf(values),
				});
			case 'edges':
				return listEdges(terminal);
			case 'accept':
			case 'revoke':
				return changeEdge(terminal, edgeOf(edge), word);
			case 'rule':
				return (await import('./hub/fleet-work.ts')).changeRules(terminal, {
					action: edge,
					id: file,
					team: () => teamOf(values),
					labels: labelsOf(values),
				});
			case 'ci':
				return (await import('./hub/ci-work.ts')).changeCi(terminal, {
					...{ action: edge, word: file, team: () => teamOf(values), url: () => urlOf(values) },
					...{ repository: textOf(values.repository), audience: textOf(values.audience) },
					issuer: textOf(values.issuer),
				});
			case 'keep':
				return (await import('./hub/keep.ts')).keepSessions(terminal, keepOf(values));
			default:
				throw new UsageError(`Unknown command ${JSON.stringify(`hub ${word}`)}.`);
		}
	},
};

const textOf = (value: OptionValues[string]) => (typeof value === 'string' ? value : undefined);

const portOf = ({ port }: OptionValues) => (typeof port === 'string' ? portOption(port) : undefined);

function urlOf({ url }: OptionValues): string {
	if (typeof url === 'string') return url;
	throw new UsageError('Give the address of the hub: --url https://hub.example');
}

const teamOf = ({ team }: OptionValues): string => nameOf('team', team ?? 'team', TeamName);

function nameOf(option: 'name' | 'team', given: OptionValues[string], contract: typeof TeamName): string {
	const read = contract.safeParse(given);
	if (read.success) return read.data;
	throw new UsageError(
		`--${option} cannot be ${JSON.stringify(given).slice(0, 100)}: ${read.error.issues[0]?.message}.`,
	);
}

function numberOf(values: OptionValues, name: 'uses' | 'minutes' | 'days', usual: number, most: number): number {
	const given = values[name];
	const number = given === undefined ? usual : Number(given);
	if (Number.isInteger(number) && number >= 1 && number <= most) return number;
	throw new UsageError(`--${name} must be a whole number from 1 to ${most}, but it is "${String(given)}".`);
}

function spanOf({ for: given, minutes }: OptionValues): number {
	if (minutes !== undefined) throw new UsageError('Give --for or --minutes, not both.');
	const [, count = '', unit = ''] = /^(\d{1,4})([mhd])$/.exec(String(given)) ?? [];
	const span = Number(count) * (UNITS[unit] ?? 0);
	if (span >= 1 && span <= MOST_MINUTES) return span;
	throw new UsageError(`--for must be a time up to a day, such as 30m, 24h or 1d, but it is ${JSON.stringify(given)}.`);
}

function labelsOf({ labels }: OptionValues): string[] {
	if (labels === undefined) return [];
	const read = EdgeLabels.safeParse(String(labels).split(','));
	if (read.success) return read.data;
	const [issue] = read.error.issues;
	const at = issue?.path[0];
	const which = typeof at === 'number' ? JSON.stringify(String(labels).split(',')[at]).slice(0, 100) : 'that';
	throw new UsageError(`--labels cannot hold ${which}: ${at === undefined ? 'eight at most' : issue?.message}.`);
}

function keepOf({ team, days, drop }: OptionValues): TeamDays | undefined {
	if (team === undefined && days === undefined && drop === undefined) return;
	if (team === undefined) throw new UsageError('Give a team: --team NAME');
	const number = Number(days);
	if (Number.isInteger(number) && number >= LEAST_DAYS && number <= MOST_DAYS)
		return { team: teamOf({ team }), days: number, drop: drop === true };
	throw new UsageError(`--days must be a whole number from ${LEAST_DAYS} to ${MOST_DAYS}, such as 3, 14 or 90.`);
}

function edgeOf(word: string | undefined): number {
	if (word !== undefined && /^[1-9]\d{0,8}$/.test(word)) return Number(word);
	throw new UsageError('Give the number of a machine; `signalbox hub edges` lists them.');
}
