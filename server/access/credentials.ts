import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import { makeFolder } from '#hooks-bridge/disk/write-files.ts';
import { Role } from '#lib/contract/access/access.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { JournalKind, JournalStore } from '../timeline/store/journal-store.ts';
import { digestOf, mintSecret, type Principal } from './principal.ts';

export const LINK_LIFE_MS = 15 * 60_000;
export const SIGN_IN_LIFE_MS = 30 * 24 * 3_600_000;
const SHOWN_FOR_MS = 24 * 3_600_000;
const MAX_SIGN_INS = 2000;

const Payload = z.object({
	role: Role,
	expiresAt: z.string().optional(),
	approval: z.string().optional(),
	name: z.string().optional(),
	/** SHA-256 of the session token that a sign-in's requests carry beside its cookie. */
	tokenHash: z.string().optional(),
});
type Payload = z.infer<typeof Payload>;

/** A valid sign-in or bearer token: what it may do. `hash` is the SHA-256 of its secret. */
export interface Credential extends Omit<Payload, 'expiresAt'> {
	via: Principal['via'];
	hash: string;
	hub?: Principal['hub'];
}

/** The two secrets of a new sign-in: one for the browser's cookies, one for its storage. */
export interface SignIn {
	cookie: string;
	sessionToken: string;
}

/**
 * Tokens, one-time links and sign-ins. The journal holds only SHA-256 of each secret and is read for every answer, so that a
 * token made by another process counts at once.
 */
export function createCredentials({ journal, now }: { journal: JournalStore; now: () => number }) {
	const closeListeners = new Set<(sessionHash: string) => void>();
	const after = (ms: number) => new Date(now() + ms).toISOString();

	async function mint(kind: JournalKind, payload: Payload): Promise<string> {
		const secret = mintSecret();
		await journal.append({ id: randomUUID(), kind, subject: digestOf(secret), payload });
		return secret;
	}

	/** The record of this digest; null if unknown, of another kind, ended or expired. */
	function read(hash: string, opened: JournalKind, ended: JournalKind) {
		const history = journal.bySubject(hash);
		const row = history.find(({ kind }) => kind === opened);
		const payload = Payload.safeParse(row?.payload);
		if (!payload.success || history.some(({ kind }) => kind === ended)) return null;
		const { expiresAt, ...found } = payload.data;
		return expiresAt !== undefined && !(Date.parse(expiresAt) > now()) ? null : { ...found, hash };
	}

	function findByHash(hash: string): Credential | null {
		const signIn = read(hash, 'login:open', 'login:close');
		if (signIn) return { ...signIn, via: 'browser' };
		const token = read(hash, 'token:mint', 'token:revoke');
		return token && { ...token, via: 'token' };
	}

	/** Both secrets are random: neither can be computed from the other. */
	async function openSignIn(payload: Payload): Promise<SignIn> {
		const sessionToken = mintSecret();
		return { cookie: await mint('login:open', { ...payload, tokenHash: digestOf(sessionToken) }), sessionToken };
	}

	async function closeSignIn(sessionHash: string): Promise<void> {
		await journal.append({ id: randomUUID(), kind: 'login:close', subject: sessionHash, payload: {} }, ['login:close']);
		for (const listener of closeListeners) listener(sessionHash);
	}

	return {
		/** A bearer token without expiry; shown once, revoked by a `token:revoke` row. */
		mintToken: (role: Role, name?: string) => mint('token:mint', { role, ...(name && { name }) }),
		mintLink: (role: Role = 'operator') => mint('link:mint', { role, expiresAt: after(LINK_LIFE_MS) }),
		find: async (hashes: readonly string[]) => hashes.flatMap((hash) => findByHash(hash) ?? []),
		isValid: (hash: string) => findByHash(hash) !== null,
		closeSignIn,

		/** Swaps a link for a sign-in of 30 days. Throws `auth/link-used`; of several at once exactly one wins. */
		async redeemLink(secret: string, name?: string): Promise<SignIn> {
			const link = read(digestOf(secret), 'link:mint', 'link:use');
			const used = link && { id: randomUUID(), kind: 'link:use' as const, subject: link.hash, payload: {} };
			if (!used || !(await journal.append(used, ['link:use']))) throw new AppError('auth/link-used');
			return openSignIn({ role: link.role, expiresAt: after(SIGN_IN_LIFE_MS), ...(name !== undefined && { name }) });
		},

		/** A sign-in that reads, and decides the one call `approval`, for `lifeMs`. The caller has checked a passkey. */
		async openSignInFor(approval: string, lifeMs: number): Promise<SignIn> {
			const payload = { role: 'viewer' as const, approval, expiresAt: after(lifeMs), name: 'by a one-time link' };
			const signIn = await openSignIn(payload);
			// If this row cannot be written, `expiresAt` still ends the sign-in.
			setTimeout(() => void closeSignIn(digestOf(signIn.cookie)).catch(() => undefined), lifeMs).unref();
			return signIn;
		},

		/** Ends sign-ins of earlier versions, which were a cookie alone, so that they are not listed. */
		async closeOldSignIns(): Promise<void> {
			const open = journal.openRows('login:open', 'login:close', MAX_SIGN_INS);
			for (const { subject, payload } of open) if (payload.tokenHash === undefined) await closeSignIn(subject);
		},
		onSignInClosed(listener: (sessionHash: string) => void): () => void {
			closeListeners.add(listener);
			return () => closeListeners.delete(listener);
		},

		/** Login links, operator tokens and passkeys made in the last 24 hours, so that a person notices a foreign one. */
		async minted() {
			const sinceMs = now() - SHOWN_FOR_MS;
			const rows = journal.byKind(['link:mint', 'token:mint', 'passkey:enrol'], { sinceMs, limit: 100 });
			return rows
				.filter(({ kind, payload }) => kind !== 'token:mint' || payload.role === 'operator')
				.map(({ ts, kind }) => ({ at: ts, kind, role: 'operator' as const }));
		},
	};
}

export type Credentials = ReturnType<typeof createCredentials>;

/** Runs `work` on the credentials of a home, whether its server runs or not: both read the same journal. */
export async function withCredentials<T>(home: string, work: (credentials: Credentials) => Promise<T>): Promise<T> {
	const { openSqliteJournal } = await import('../timeline/store/sqlite-journal.ts');
	makeFolder(home);
	const journal = await openSqliteJournal(join(home, 'journal.db'));
	try {
		return await work(createCredentials({ journal, now: Date.now }));
	} finally {
		await journal.close();
	}
}
