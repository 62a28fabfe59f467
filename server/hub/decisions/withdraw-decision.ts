import { DecisionCommand } from '#lib/contract/hub/hub-decision.ts';
import type { Command } from '#lib/contract/hub/hub-wire.ts';
import { may } from '#lib/hub/may.ts';
import type { Ask } from '../database/database.ts';
import type { HubIdentity } from '../database/hub-key.ts';
import type { Hints } from '../hints/hints.ts';
import type { CommandStore } from '../machines/command-store.ts';
import { findRoles } from '../people/role-rows.ts';
import { createHubJournal } from '../timelines/hub-journal.ts';
import type { TicketStore } from './ticket-store.ts';

/** In the words of a refusal that the person themselves would get now. */
const WHY = 'auth/forbidden';

/**
 * What a command has to pass each time before it is sent: a decision of somebody who has been switched off, or may not decide
 * there any more, is settled as refused instead, in the journal of its team too. Gives whether it was.
 */
export function createWithdrawal(options: {
	ask: Ask;
	commands: Pick<CommandStore, 'open' | 'settle'>;
	tickets: Pick<TicketStore, 'find'>;
	identity: HubIdentity;
	hints: Pick<Hints, 'tell'>;
	/** Milliseconds since the epoch. */
	now: () => number;
}) {
	const { ask, commands, tickets, identity, hints, now } = options;
	const journal = createHubJournal(ask, identity.privateKey, now);
	const rolesOf = findRoles(ask);

	async function mayStill({ ticket: id, person, said: { remember } }: DecisionCommand): Promise<boolean> {
		const ticket = await tickets.find(id);
		// It lets nothing run any more, and the machine may have done it without the hub having heard so.
		if (ticket?.record.by) return true;
		if (!ticket) return false;
		const roles = await rolesOf(person);
		return may(roles, 'decide', ticket) && (!remember || may(roles, 'grant', ticket));
	}

	return async (edge: number, command: Command): Promise<boolean> => {
		const { n, kind } = command;
		if (kind !== 'decision') return false;
		const { data: said } = DecisionCommand.safeParse(commands.open(edge, command));
		// What this hub has not said is the machine's to refuse.
		if (!said || (await mayStill(said))) return false;
		const { team } = said.journal;
		const payload = { edge, command: n, person: said.person, why: WHY };
		await journal.append(team, { kind: 'hub:withdraw', subject: said.ticket, payload });
		await commands.settle(edge, { n, state: 'refused', why: WHY, journal: 0 });
		hints.tell(`tickets:${team}`);
		return true;
	};
}

export type Withdrawal = ReturnType<typeof createWithdrawal>;
