import { Role } from '#lib/contract/access/access.ts';
import { withCredentials } from '../access/credentials.ts';
import { defineCommand, EXIT, UsageError } from '../process/command.ts';
import { writableHomeOf } from '../process/home.ts';

export const token = defineCommand({
	usage: 'token create --role viewer|operator|edge [--name NAME]',
	about: [
		'Creates a bearer token for scripts and prints it, alone on stdout; it is shown only once. Needs no server.',
		'A viewer reads, an operator also decides approvals, an edge only records events. A new operator token is shown on the',
		'page for a day.',
	].join('\n'),
	options: {
		role: { type: 'string', value: 'ROLE', oneOf: Role.options, about: 'viewer, operator or edge' },
		name: { type: 'string', value: 'NAME', about: 'its name on the Access page' },
	},
	verbs: { create: 0 },
	examples: [
		'signalbox token create --role viewer',
		'TOKEN=$(signalbox token create --role operator)',
		'curl -H "Authorization: Bearer $TOKEN" http://127.0.0.1:7777/api/sessions',
	],
	exits: { 0: 'the token is on stdout', 1: 'the journal cannot be written' },
	async run({ role, name }, _words, terminal) {
		if (role === undefined) throw new UsageError('Give a role: --role viewer, --role operator or --role edge.');
		terminal.print(
			await withCredentials(writableHomeOf(terminal), (credentials) => credentials.mintToken(role, name?.slice(0, 80))),
		);
		return EXIT.done;
	},
});
