import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { AccessEntry } from '#lib/contract/access.ts';
import { AppError } from '#lib/contract/errors.ts';
import { Role } from '#lib/contract/http.ts';
import type { JournalKind, JournalStore } from '../store/journal-store.ts';
import { accessIdOf, type Principal } from './principal.ts';

/** Who can come in or decide, and taking that away. */
export interface AccessList {
	/** The newest first. */
	list(principal: Principal): AccessEntry[];
	/** Throws `access/not-found`. Tells everybody who holds something open for it. */
	revoke(id: string, principal: Principal): Promise<void>;
}

/** How each way in begins and ends in the journal. */
const WAYS = [
	{ kind: 'sign-in', begin: 'login:open', end: 'login:close' },
	{ kind: 'token', begin: 'token:mint', end: 'token:revoke' },
	{ kind: 'passkey', begin: 'passkey:enrol', end: 'passkey:revoke' },
] as const satisfies readonly { kind: AccessEntry['kind']; begin: JournalKind; end: JournalKind }[];

const Payload = z.object({
	role: Role.default('operator'),
	expiresAt: z.string().optional(),
	name: z.string().optional(),
});
/** Of each way by itself, so that no number of sign-ins hides a token that still stands. */
const REACH = 2000;

export function createAccessList(options: {
	journal: JournalStore;
	now: () => number;
	/** Its sockets must be cut. */
	revoked: (subject: string) => void;
}): AccessList {
	const { journal, now, revoked } = options;

	const entries = () =>
		WAYS.flatMap(({ kind, begin, end }) =>
			journal.standing(begin, end, REACH).flatMap(({ n, subject, ts, payload }) => {
				const read = Payload.safeParse(payload);
				if (!read.success) return [];
				const { role, expiresAt: until, name } = read.data;
				if (until !== undefined && Date.parse(until) <= now()) return [];
				const id = accessIdOf(subject);
				const entry = { id, kind, role, since: ts, ...(until && { until }), ...(name && { name }) };
				return [{ n, entry, subject, end }];
			}),
		).sort((one, other) => one.n - other.n);

	return {
		list: ({ sessionHash }) =>
			entries()
				.map(({ entry, subject }) => ({ ...entry, mine: subject === sessionHash }))
				.reverse(),
		async revoke(id, { via, sessionHash }) {
			const found = entries().find(({ entry }) => entry.id === id);
			if (!found) throw new AppError('access/not-found');
			const payload = { by: { via, session: accessIdOf(sessionHash) } };
			await journal.append({ id: randomUUID(), kind: found.end, subject: found.subject, payload }, [found.end]);
			revoked(found.subject);
		},
	};
}
