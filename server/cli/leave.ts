import { type Command, EXIT } from '../process/command.ts';
import { findServer, writableHomeOf } from '../process/home.ts';
import { recordJoin } from './join.ts';

export const leave: Command = {
	usage: 'leave',
	about: [
		'Removes this machine from its hub, whether the hub answers or not. Nothing more is sent; the hub retains what it has.',
		'To join again, the machine needs a new code.',
	].join('\n'),
	options: {},
	examples: ['signalbox leave'],
	exits: { 0: 'this machine belongs to no hub', 1: 'this home had joined no hub, or the files cannot be removed' },
	async run(_values, _words, terminal) {
		const home = writableHomeOf(terminal);
		const { dropMembership, readMembership } = await import('../edge/membership.ts');
		const membership = readSafely(() => readMembership(home));
		if (membership === undefined) throw new Error('This home has joined no hub.');
		dropMembership(home);
		if (membership !== null) await recordJoin(home, 'hub:leave', membership.url, { edge: membership.edge });
		terminal.print('This machine belongs to no hub.');
		if ((await findServer(home)) !== undefined)
			terminal.say('The running server continues to send until it is stopped.');
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
