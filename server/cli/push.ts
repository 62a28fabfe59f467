import { printable } from '#lib/text/printable.ts';
import { type Command, EXIT, numberOption } from '../process/command.ts';
import { findServer, homeOf } from '../process/home.ts';

export const push: Command = {
	usage: 'push [--wait S]',
	about: [
		'Waits until the hub has everything that this machine shares, for example at the end of a CI job. If no server runs',
		'here, it sends everything itself.',
	].join('\n'),
	options: { wait: { type: 'string', value: 'S', about: 'seconds to wait at most (default: 30)' } },
	examples: ['signalbox push --wait 30'],
	exits: { 0: 'the hub has everything', 1: 'not yet, this home has joined no hub, or nobody has accepted it there' },
	async run({ wait }, _words, terminal) {
		const seconds = typeof wait === 'string' ? numberOption('wait', wait, 1, 3600) : 30;
		const home = homeOf(terminal);
		const { readMembership } = await import('../edge/membership.ts');
		const membership = readMembership(home);
		if (!membership) throw new Error('This home has joined no hub. Run `signalbox join` first.');
		const { pushUntil, watchUntil } = await import('../edge/push-until.ts');
		const isServed = (await findServer(home)) !== undefined;
		const { isDone, state } = await (isServed ? watchUntil(home, seconds) : pushUntil(home, membership, seconds));
		if (isDone) {
			terminal.print(`${printable(membership.hub)} has everything.`);
			return EXIT.done;
		}
		if (state?.state === 'pending')
			throw new Error(
				`${printable(membership.hub)} has accepted nothing from this machine yet: an admin there must accept it first.`,
			);
		const left =
			state && Number.isFinite(state.behind) ? `${state.behind} bytes are left` : 'it is not known how much is left';
		throw new Error(
			`The hub does not have everything yet: ${left}${state?.reason ? ` (${printable(state.reason)})` : ''}.`,
		);
	},
};
