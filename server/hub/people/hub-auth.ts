import { AppError } from '#lib/contract/errors.ts';
import type { SignInLine } from '#lib/contract/hub/hub-people.ts';
import { type HubRole, mayAnywhere, readingOnly } from '#lib/hub/may.ts';
import { type Auth, type CredentialStore, createAuthOver } from '../../access/auth.ts';
import type { Credential, SignIn } from '../../access/credentials.ts';
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
	const open = async (person: number, via: SignInLine['via'], name: string) => ({
		...(await signIns.open(person, via, name)),
		lifeMs: LIFE_MS,
	});
	const store = credentialsOf(signIns, { open, ended });
	const auth = createAuthOver(store, { host: url.hostname, origin: url.origin, now });

	return {
		...auth,
		async logInAs(via, prove, name = 'by a passkey') {
			const person = await prove().catch((error: unknown) => {
				if (error instanceof AppError) auth.countWrongLink();
				throw error;
			});
			return open(person, via, name);
		},
		async standing(hashes) {
			const found = await store.find(hashes);
			return new Map(found.map(({ hash, hub }) => [hash, hub?.roles ?? []]));
		},
	};
}

/** The sign-ins, tokens and links of a hub's people. */
function credentialsOf(
	signIns: SignInStore,
	{
		open,
		ended,
	}: {
		open: (person: number, via: SignInLine['via'], name: string) => Promise<SignIn & { lifeMs: number }>;
		ended: () => void;
	},
): CredentialStore {
	return {
		find: async (hashes) => (await signIns.find(hashes)).map(credentialOf),
		async redeemLink(secret, name = 'by a link') {
			const used = await signIns.redeemLink(secret);
			if (!used) throw new AppError('auth/link-used');
			return open(used.person, used.via, name);
		},
		async closeLogin(hash) {
			await signIns.end(hash, null);
			ended();
		},
		async minted({ hub }) {
			const made = hub ? await signIns.minted(hub.person) : [];
			return made.map(({ at, kind }) => ({ at: at.toISOString(), kind, role: 'operator' as const }));
		},
	};
}

/** A token reads what its person may read, and can do nothing else. */
function credentialOf({ hash, tokenHash, name, person, who, roles: all }: FoundSignIn): Credential {
	const isToken = tokenHash === null;
	const roles = isToken ? readingOnly(all) : all;
	return {
		...{ hash, name, via: isToken ? 'token' : 'browser' },
		...(!isToken && { tokenHash }),
		role: mayAnywhere(roles, 'decide') ? 'operator' : 'viewer',
		hub: { person, name: who, roles },
	};
}
