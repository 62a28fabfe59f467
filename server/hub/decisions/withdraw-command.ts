import { DecisionCommand, GrantCommand, type GrantCreation } from '#lib/contract/hub/hub-commands.ts';
import type { Command } from '#lib/contract/hub/hub-wire.ts';
import { may } from '#lib/hub/may.ts';
import { hubNameOf } from '#lib/ids/session-name.ts';
import type { HubCore } from '../core/hub-core.ts';
import { findRoles } from '../people/people-store.ts';
import type { DecisionParts } from './edge-commands.ts';
import { findDeniedCall } from './hub-grants.ts';

const REFUSAL = 'auth/forbidden';

/**
 * Asked before each command is sent. If its person has lost the right to decide or grant, records it as refused and returns true.
 */
export function createWithdrawal(
	{ query, journal, hints }: HubCore,
	{ commands, tickets }: Pick<DecisionParts, 'commands' | 'tickets'>,
) {
	const rolesOf = findRoles(query);
	const callOf = findDeniedCall(query, tickets);

	async function mayStillDecide({ ticket: id, person, said: { remember } }: DecisionCommand): Promise<boolean> {
		const ticket = await tickets.find(id);
		// The machine may have done it already; refusing would lose that answer.
		if (ticket?.record.by) return true;
		if (!ticket) return false;
		const roles = await rolesOf(person);
		return may(roles, 'decide', ticket) && (!remember || may(roles, 'grant', ticket));
	}

	async function mayStillGrant({ edge, said, person }: GrantCreation): Promise<boolean> {
		const { sessionId, ...source } = said;
		const call = await callOf(sessionId === undefined ? source : { sessionId: hubNameOf({ edge, sessionId }) });
		return call !== undefined && may(await rolesOf(person), 'grant', call);
	}

	return async (edge: number, command: Command): Promise<boolean> => {
		const { n, kind } = command;
		const body = kind === 'decision' || kind === 'grant' ? commands.unseal(edge, command) : undefined;
		// The machine itself refuses what this hub has not signed.
		const { data: decision } = DecisionCommand.safeParse(body);
		const { data: grant } = GrantCommand.safeParse(body);
		const created = grant?.action === 'create' ? grant : undefined;
		const checked = decision ?? created;
		if (!checked || (decision && (await mayStillDecide(decision))) || (created && (await mayStillGrant(created))))
			return false;
		const { team } = checked.journal;
		const subject = decision?.ticket ?? created?.said.approvalId ?? created?.said.sessionId ?? '';
		const payload = { edge, command: n, person: checked.person, why: REFUSAL };
		await journal.append(team, { kind: 'hub:withdraw', subject, payload });
		await commands.recordResult(edge, { n, state: 'refused', why: REFUSAL, journal: 0 });
		hints.send(`tickets:${team}`);
		return true;
	};
}

export type Withdrawal = ReturnType<typeof createWithdrawal>;
