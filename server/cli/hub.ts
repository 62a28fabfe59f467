import { type Command, UsageError } from '../process/command.ts';

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
		const [command = 'start', action, word] = words;
		if (word !== undefined && !['policy', 'root', 'rule', 'ci'].includes(command))
			throw new UsageError(`Unexpected argument ${JSON.stringify(word)}.`);
		const work = await import('./hub/hub-work.ts');
		const { urlOf, portOf, teamDaysOf, edgeOf, textOf } = await import('./hub/hub-options.ts');
		const request = { action, word, values };
		switch (command) {
			case 'start':
				return work.serveHub(terminal, urlOf(values), portOf(values) ?? 7780);
			case 'open':
				return work.openHub(terminal);
			case 'token':
				return work.makeToken(terminal, values);
			case 'policy':
				return (await import('./hub/policy-work.ts')).changePolicy(terminal, request);
			case 'root':
				return (await import('./hub/root-work.ts')).changeRoot(terminal, request);
			case 'migrate':
				return work.migrate(terminal);
			case 'doctor':
				return work.checkHub(terminal, textOf(values.url));
			case 'drain':
				return (await import('./hub/home-replicas.ts')).drainHub(terminal, portOf(values));
			case 'code':
				return work.makeCode(terminal, values);
			case 'edges':
				return work.listEdges(terminal);
			case 'accept':
			case 'revoke':
				return work.changeEdge(terminal, edgeOf(action), command);
			case 'rule':
				return (await import('./hub/fleet-work.ts')).changeRules(terminal, request);
			case 'ci':
				return (await import('./hub/ci-work.ts')).changeCi(terminal, request);
			case 'keep':
				return (await import('./hub/keep.ts')).keepSessions(terminal, teamDaysOf(values));
			default:
				throw new UsageError(`Unknown command ${JSON.stringify(`hub ${command}`)}.`);
		}
	},
};
