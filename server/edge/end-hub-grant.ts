import { AppError } from '#lib/contract/errors.ts';
import { GrantCommand } from '#lib/contract/hub/hub-grants.ts';
import type { GrantService } from '../approvals/grants/grant-service.ts';
import { deciderAt } from './hub-decider.ts';
import { type CommandHandler, refusal } from './take-commands.ts';

/**
 * Takes back a grant for a person at the hub that it came from. It lets less run than before, so the hub's word is enough,
 * whatever the machine's owner lets it decide.
 */
export function createGrantEnding(options: {
	edge: number;
	/** Of the hub. */
	origin: string;
	grants: Pick<GrantService, 'get' | 'revoke'>;
	/** The newest row of the journal about a subject; 0: there is none. */
	rowOf: (subject: string) => number;
}): CommandHandler {
	const { edge, origin, grants, rowOf } = options;
	return async (body, n) => {
		const read = GrantCommand.safeParse(body);
		if (!read.success || read.data.edge !== edge) return refusal('grant/form');
		const { grant: id, person, reason } = read.data;
		const grant = grants.get(id);
		if (!grant) return refusal('grant/not-found');
		if (grant.by.hub?.origin !== origin) return refusal('grant/of-machine');
		const by = deciderAt(origin, person, { level: 'hub' }, n);
		try {
			await grants.revoke(id, reason === undefined ? {} : { reason }, by);
		} catch (error) {
			// What is over already is as the hub wants it.
			if (!(error instanceof AppError) || error.code !== 'grant/ended') throw error;
		}
		return { state: 'done', journal: rowOf(id) };
	};
}
