import { AppError } from '#lib/contract/errors.ts';
import type { SignInLine } from '#lib/contract/hub/hub-people.ts';
import { type HubRole, mayAnywhere, readingOnly } from '#lib/hub/may.ts';
import type { Auth } from '../../access/auth.ts';
import type { Credential, SignIn } from '../../access/credentials.ts';
import type { Principal } from '../../access/principal.ts';
import { digestOf } from '../../access/secret.ts';
import { createSignInProof, type RequestProof } from '../../access/sign-in-proof.ts';
import { type FoundSignIn, SIGN_IN_HOURS, type SignInStore } from './sign-in-store.ts';

const LIFE_MS = SIGN_IN_HOURS * 3_600_000;

/** That of a hub. */
export interface HubAuth extends Auth {
	/** Signs in whom `prove` names; that it throws counts as a wrong link does. */
	logInAs(via: SignInLine['via'], prove: () => Promise<number>, name?: string): Promise<SignIn & { lifeMs: number }>;
	/** What those of these sign-ins that count are now, by their hashes. Rejects where the database does not answer. */
	standing(hashes: readonly string[]): Promise<ReadonlyMap<string, readonly HubRole[]>>;
}

/** Who may come in to a hub: the same proofs as at a machine, over sign-ins that all replicas share. */
export function createHubAuth(options: {
	signIns: SignInStore;
	/** Where browsers find the hub. */
	url: URL;
	now: () => number;
	/** Some sign-in has ended. */
	ended: () => void;
}): HubAuth {
	const { signIns, url, now, ended } = options;
	const proofs = createSignInProof({ host: url.hostname, origin: url.origin, now });

	/** Undefined without a bearer token; null for a wrong one. */
	async function findBearer(proof: RequestProof): Promise<Principal | null | undefined> {
		const secret = proofs.bearerIn(proof);
		if (secret === undefined) return undefined;
		const [found] = secret === null ? [] : await signIns.find([digestOf(secret)]);
		return proofs.judgeBearer(found && found.tokenHash === null ? credentialOf(found) : null);
	}

	async function findLogins(proof: RequestProof): Promise<readonly Credential[]> {
		const cookies = proofs.cookiesIn(proof);
		const found = cookies.length === 0 ? [] : await signIns.find(cookies.map(digestOf));
		return proofs.judgeCookies(cookies, found.filter(({ tokenHash }) => tokenHash !== null).map(credentialOf));
	}

	return {
		...proofs.place,
		async authenticate(proof) {
			const bearer = await findBearer(proof);
			return bearer === undefined ? proofs.judge(proof, await findLogins(proof)) : bearer;
		},
		async recognize(proof) {
			const bearer = await findBearer(proof);
			return bearer === undefined ? proofs.judgePage(await findLogins(proof)) : bearer;
		},
		async logIn(secret, name = 'by a link') {
			const used = await signIns.redeemLink(secret);
			if (used) return { ...(await signIns.open(used.person, used.via, name)), lifeMs: LIFE_MS };
			proofs.countFailure('link');
			throw new AppError('auth/link-used');
		},
		async logInAs(via, prove, name = 'by a passkey') {
			const person = await prove().catch((error: unknown) => {
				if (error instanceof AppError) proofs.countFailure('link');
				throw error;
			});
			return { ...(await signIns.open(person, via, name)), lifeMs: LIFE_MS };
		},
		async closeLogin(hash) {
			await signIns.end(hash, null);
			ended();
		},
		async standing(hashes) {
			const found = await signIns.find(hashes);
			return new Map(found.map((one) => [one.hash, credentialOf(one).hub?.roles ?? []]));
		},
		async minted({ hub }) {
			const made = hub ? await signIns.minted(hub.person) : [];
			return made.map(({ at, kind }) => ({ at: at.toISOString(), kind, role: 'operator' as const }));
		},
	};
}

/** A token reads what its person may read, and can do nothing else. */
function credentialOf({ hash, tokenHash, name, person, who, roles: all }: FoundSignIn): Credential {
	const roles = tokenHash === null ? readingOnly(all) : all;
	return {
		...{ hash, name },
		...(tokenHash !== null && { tokenHash }),
		role: mayAnywhere(roles, 'decide') ? 'operator' : 'viewer',
		hub: { person, name: who, roles },
	};
}
