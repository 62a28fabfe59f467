import { printable } from '#lib/text/printable.ts';
import { type Command, EXIT, numberOption } from '../process/command.ts';
import { findServer, homeOf } from '../process/home.ts';

export const push: Command = {
	usage: 'push [--wait S]',
	about: [
		'Waits until the hub has everything that this machine shares, such as at the end of a job whose machine goes away.',
		'Where no server runs here, it pushes by itself.',
	].join('\n'),
	options: { wait: { type: 'string', value: 'S', about: 'seconds, at most (default: 30)' } },
	examples: ['signalbox push --wait 30'],
	exits: {
		0: 'the hub has everything',
		1: 'it does not yet, this home has joined none, or nobody there has taken it in',
		2: 'the command line does not fit',
	},
	async run({ wait }, _words, terminal) {
		const seconds = typeof wait === 'string' ? numberOption('wait', wait, 1, 3600) : 30;
		const home = homeOf(terminal);
		const { readMembership } = await import('../edge/membership.ts');
		const membership = readMembership(home);
		if (!membership) {
			terminal.say('This home has joined no hub. `signalbox join` does that.');
			return EXIT.failed;
		}
		const { pushUntil, watchUntil } = await import('../edge/push-until.ts');
		const isServed = (await findServer(home)) !== undefined;
		const { isDone, state } = await (isServed ? watchUntil(home, seconds) : pushUntil(home, membership, seconds));
		if (isDone) {
			terminal.print(`${printable(membership.hub)} has everything.`);
			return EXIT.done;
		}
		if (state?.state === 'pending') {
			terminal.say(
				`${printable(membership.hub)} has nothing of this machine yet: it waits until an admin there takes it in.`,
			);
			return EXIT.failed;
		}
		const left =
			state && Number.isFinite(state.behind) ? `${state.behind} bytes are left` : 'it is not known how much is left';
		terminal.say(
			`The hub does not have everything yet: ${left}${state?.reason ? ` (${printable(state.reason)})` : ''}.`,
		);
		return EXIT.failed;
	},
};
