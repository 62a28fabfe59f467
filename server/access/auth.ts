import { AppError } from '#lib/contract/errors.ts';
import type { JournalStore } from '../timeline/store/journal-store.ts';
import { type Credential, type Credentials, createCredentials, type SignIn } from './credentials.ts';
import type { Principal } from './principal.ts';
import { createSignInProof, type RequestProof, type SignInProof } from './sign-in-proof.ts';

/** What the gate and the routes of sign-ins ask: over a machine's journal, or at once for all replicas of a hub. */
export interface Auth extends Readonly<SignInProof['place']> {
	/**
	 * The sender, or null without credentials or with wrong ones. A presented bearer token is the only thing that
	 * counts then; a cookie counts with its session token alone. Throws `auth/half` without that, `auth/too-many` for
	 * what was wrong after ten in a minute.
	 */
	authenticate(proof: RequestProof): Principal | null | Promise<Principal | null>;
	/** The same for a page, which a browser asks for with the cookie alone: there is nothing in it of anybody's. */
	recognize(proof: RequestProof): Principal | null | Promise<Principal | null>;
	/** Swaps a link for a sign-in, once. Throws `auth/link-used`; wrong links are counted, too. */
	logIn(secret: string, name?: string): Promise<SignIn & { lifeMs?: number }>;
	/** Ends a sign-in for good and tells everybody who holds something open for it. */
	closeLogin(sessionHash: string): Promise<void>;
	/** Login links and tokens of the last 24 hours, as far as they are the sender's to notice. */
	minted(principal: Principal): ReturnType<Credentials['minted']> | Promise<ReturnType<Credentials['minted']>>;
}

/** Who may come in to a machine's own server, over its journal. The rest is for `createSignInProof`. */
export function createAuth(options: { journal: JournalStore; host: string; origin?: string; now: () => number }) {
	const credentials: Credentials = createCredentials(options);
	const proofs = createSignInProof(options);

	/** Undefined without a bearer token; null for a wrong one. */
	function findBearer(proof: RequestProof): Principal | null | undefined {
		const secret = proofs.bearerIn(proof);
		return secret === undefined
			? undefined
			: proofs.judgeBearer(secret === null ? null : credentials.findToken(secret));
	}

	/** The sign-ins that the request's cookies stand for. */
	function findLogins(proof: RequestProof): readonly Credential[] {
		const cookies = proofs.cookiesIn(proof);
		return proofs.judgeCookies(
			cookies,
			cookies.flatMap((secret) => credentials.findLogin(secret) ?? []),
		);
	}

	return {
		...credentials,
		...proofs.place,

		authenticate(proof: RequestProof): Principal | null {
			const bearer = findBearer(proof);
			return bearer === undefined ? proofs.judge(proof, findLogins(proof)) : bearer;
		},
		recognize(proof: RequestProof): Principal | null {
			const bearer = findBearer(proof);
			return bearer === undefined ? proofs.judgePage(findLogins(proof)) : bearer;
		},

		/** A link to a waiting call that is not one: counted, and after ten in a minute told `auth/too-many`. */
		countWrongLink: () => proofs.countFailure('link'),

		/** As `redeemLink`; wrong links count as failures, and after ten in a minute they are told `auth/too-many`. */
		async logIn(secret: string, name?: string) {
			try {
				return await credentials.redeemLink(secret, name);
			} catch (error) {
				if (error instanceof AppError) proofs.countFailure('link');
				throw error;
			}
		},
	};
}

/** That of a machine's own server. */
export type MachineAuth = ReturnType<typeof createAuth>;
