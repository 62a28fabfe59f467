import { type Command, EXIT } from '../process/command.ts';
import { findServer, writableHomeOf } from '../process/home.ts';
import { tellJournal } from './join.ts';

export const leave: Command = {
	usage: 'leave',
	about: [
		'Takes this machine out of the hub that it has joined, whether the hub answers or not. Nothing is sent any more; what',
		'the hub has, it keeps. To come back it needs a new code.',
	].join('\n'),
	options: {},
	examples: ['signalbox leave'],
	exits: {
		0: 'this machine belongs to no hub',
		1: 'it had joined none, or the files cannot be removed',
		2: 'the command line does not fit',
	},
	async run(_values, _words, terminal) {
		const home = writableHomeOf(terminal);
		const { dropMembership, readMembership } = await import('../edge/membership.ts');
		const membership = readSafely(() => readMembership(home));
		if (membership === undefined) {
			terminal.say('This home has joined no hub.');
			return EXIT.failed;
		}
		dropMembership(home);
		if (membership !== null) await tellJournal(home, 'hub:leave', membership.url, { edge: membership.edge });
		terminal.print('This machine belongs to no hub.');
		if ((await findServer(home)) !== undefined)
			terminal.say('The server that runs goes on pushing until it is stopped.');
		return EXIT.done;
	},
};

/** Null if the file cannot be read: the machine can leave anyway. */
function readSafely<T>(read: () => T): T | null {
	try {
		return read();
	} catch {
		return null;
	}
}
