import { withCredentials } from '../access/credentials.ts';
import { defineCommand, EXIT } from '../process/command.ts';
import { findServer, homeOf } from '../process/home.ts';

export const open = defineCommand({
	usage: 'open',
	about: [
		'Prints a new login link for the running server. It works once, within 15 minutes. The server records each link',
		'and shows it on the page for a day.',
	].join('\n'),
	options: {},
	examples: ['signalbox open'],
	exits: { 0: 'the link is on stdout', 1: 'no server runs for this home' },
	async run(_values, _words, terminal) {
		const home = homeOf(terminal);
		const url = await findServer(home);
		if (url === undefined) throw new Error(`No server answers for ${home}. Run \`signalbox start\` first.`);
		const secret = await withCredentials(home, (credentials) => credentials.mintLink());
		terminal.print(`Open ${url}/login#${secret}`);
		return EXIT.done;
	},
});
