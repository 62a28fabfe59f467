import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { type AccessEntry, type EndedAccess, Role } from '#lib/contract/access/access.ts';
import { AppError } from '#lib/contract/errors.ts';
import { AccessId } from '#lib/contract/ids.ts';
import type { JournalKind, JournalRow, JournalStore } from '../timeline/store/journal-store.ts';
import { accessIdOf, type Principal } from './principal.ts';

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
const End = z.object({ by: z.object({ via: z.enum(['browser', 'token']), session: AccessId }).optional() });
/** For each kind separately, so that many sign-ins do not hide a valid token. */
const REACH = 2000;

/** Who may sign in or decide, and how to end that. `revoked` closes the sockets of a credential. */
export function createAccessList(options: {
	journal: JournalStore;
	now: () => number;
	/** When a credential was last used (ms). */
	lastUsed: (subject: string) => number | undefined;
	revoked: (subject: string) => void;
}) {
	const { journal, now, lastUsed, revoked } = options;

	const entries = () =>
		WAYS.flatMap(({ kind, begin, end }) =>
			journal.openRows(begin, end, REACH).flatMap(({ n, subject, ts, payload }) => {
				const read = Payload.safeParse(payload);
				if (!read.success) return [];
				const { role, expiresAt: until, name } = read.data;
				if (until !== undefined && Date.parse(until) <= now()) return [];
				const id = accessIdOf(subject);
				const entry = { id, kind, role, since: ts, ...(until && { until }), ...(name && { name }) };
				return [{ n, entry, subject, end }];
			}),
		).sort((one, other) => one.n - other.n);

	/** Null while it is valid, and for entries that never let anybody in. */
	const endedOf = (history: readonly JournalRow[]): EndedAccess | null => {
		for (const { kind, begin, end } of WAYS) {
			const opened = history.find((row) => row.kind === begin);
			const read = Payload.safeParse(opened?.payload);
			if (!opened || !read.success) continue;
			const { role, expiresAt, name } = read.data;
			const closed = history.find((row) => row.kind === end);
			const isPast = expiresAt !== undefined && Date.parse(expiresAt) <= now();
			const endedAt = closed?.ts ?? (isPast ? expiresAt : undefined);
			if (endedAt === undefined) return null;
			const by = End.safeParse(closed?.payload).data?.by;
			return {
				id: accessIdOf(opened.subject),
				kind,
				role,
				since: opened.ts,
				endedAt,
				...(name && { name }),
				...(by && { by: { role: 'operator' as const, via: by.via, access: by.session } }),
			};
		}
		return null;
	};

	return {
		/** Entries whose id begins with `idStart` and that have ended: a decision may name one. Newest first. */
		ended(idStart: string): EndedAccess[] {
			const rows = journal.bySubjectStart(idStart);
			const subjects = [...new Set(rows.map(({ subject }) => subject))];
			return subjects.flatMap((one) => endedOf(rows.filter(({ subject }) => subject === one)) ?? []).reverse();
		},
		list: ({ sessionHash }: Principal): AccessEntry[] =>
			entries()
				.map(({ entry, subject }) => {
					const used = lastUsed(subject);
					const usedAt = used === undefined ? undefined : new Date(used).toISOString();
					return { ...entry, ...(usedAt && { usedAt }), mine: subject === sessionHash };
				})
				.reverse(),
		/** Throws `access/not-found`. Also ends everything that the entry had opened. */
		async revoke(id: string, { via, sessionHash }: Principal): Promise<void> {
			const found = entries().find(({ entry }) => entry.id === id);
			if (!found) throw new AppError('access/not-found');
			const payload = { by: { via, session: accessIdOf(sessionHash) } };
			await journal.append({ id: randomUUID(), kind: found.end, subject: found.subject, payload }, [found.end]);
			revoked(found.subject);
		},
	};
}

export type AccessList = ReturnType<typeof createAccessList>;
