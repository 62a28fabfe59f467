import { AppError } from '#lib/contract/errors.ts';
import { may, scopeOf } from '#lib/hub/may.ts';
import type { Principal } from '../../access/principal.ts';
import { readPasskeyHeader } from '../../access/webauthn.ts';
import type { HubReader } from '../decisions/hub-approvals.ts';

/** What a sign-in of the hub sees and decides of what waits at its machines; `header` is a passkey's answer. Throws `auth/missing` for one of a machine. */
export function readerOf({ hub }: Principal, header: unknown): HubReader {
	if (!hub) throw new AppError('auth/missing');
	const { person, roles } = hub;
	const { teams, projects = [] } = scopeOf(roles, 'read');
	return {
		teams: teams === 'all' ? null : [...teams, ...projects.map(({ team }) => team)],
		sees: (place) => may(roles, 'read', place),
		decides: (place) => may(roles, 'decide', place),
		grants: (place) => may(roles, 'grant', place),
		person,
		answer: readPasskeyHeader(header),
	};
}
