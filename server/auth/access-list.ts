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

const KINDS = {
	'login:open': { kind: 'sign-in', end: 'login:close' },
	'token:mint': { kind: 'token', end: 'token:revoke' },
	'passkey:enrol': { kind: 'passkey', end: 'passkey:revoke' },
} as const satisfies Partial<Record<JournalKind, { kind: AccessEntry['kind']; end: JournalKind }>>;

const Payload = z.object({
	role: Role.default('operator'),
	expiresAt: z.string().optional(),
	name: z.string().optional(),
});
const REACH = 500;

export function createAccessList(options: {
	journal: JournalStore;
	now: () => number;
	/** Its sockets must be cut. */
	revoked: (subject: string) => void;
}): AccessList {
	const { journal, now, revoked } = options;

	const entries = () =>
		journal
			.byKind(['login:open', 'token:mint', 'passkey:enrol'], { limit: REACH })
			.flatMap(({ subject, kind, ts, payload }) => {
				const read = Payload.safeParse(payload);
				const sort = KINDS[kind as keyof typeof KINDS];
				const isEnded = journal.bySubject(subject).some((row) => row.kind === sort.end);
				if (!read.success || isEnded) return [];
				const { role, expiresAt: until, name } = read.data;
				if (until !== undefined && Date.parse(until) <= now()) return [];
				const id = accessIdOf(subject);
				const entry = { id, kind: sort.kind, role, since: ts, ...(until && { until }), ...(name && { name }) };
				return [{ entry, subject, end: sort.end }];
			});

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
