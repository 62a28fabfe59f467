import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { AppError } from '#lib/contract/errors.ts';
import type { JournalStore } from '../timeline/store/journal-store.ts';
import { createChallenges } from './challenges.ts';
import { createEnrolmentCode } from './enrolment-code.ts';
import { BASE_HOST } from './own-host.ts';
import { createPasskeyRegistry } from './passkey-registry.ts';
import type { Principal } from './principal.ts';
import { digestOf } from './secret.ts';
import { createPasskeyProof, readPasskeyHeader } from './webauthn.ts';

/** The exact request that a passkey stands for. */
export interface ProvenRequest {
	path: string;
	/** The parsed body. */
	body: unknown;
}

/** Whom a challenge is for: a sign-in, or a link that stands for none yet. */
type Asker = Pick<Principal, 'via' | 'sessionHash'>;

const ENROLMENT = { path: '/api/passkeys', body: null };

/**
 * Passkeys over the journal. The challenge is the hash of the exact request, one-time and bound to the sign-in; user
 * verification is always asked for. All methods throw AppError `passkey/...`.
 */
export function createPasskeys(options: {
	journal: JournalStore;
	/** Where the pages come from, e.g. `http://LABEL.signalbox.localhost:7777`. */
	origin: () => string;
	/** Writes a line on the server's own terminal; false where it has none. */
	print: (line: string) => boolean;
	now: () => number;
}) {
	const { journal, origin, print, now } = options;
	const registry = createPasskeyRegistry(journal);
	const code = createEnrolmentCode(print, now);
	const proof = createPasskeyProof({
		passkeys: registry,
		challenges: createChallenges(now),
		place: () => ({ origin: origin(), rpId: BASE_HOST }),
	});
	/** Sign-ins with an enrolment under way. */
	const enrolling = new Set<string>();

	function demandBrowser({ via }: Asker): void {
		if (via !== 'browser') throw new AppError('passkey/browser');
	}

	/** The passkey's name. Throws unless the header holds a fresh answer of an enrolled one to exactly this request. */
	async function prove(header: unknown, principal: Asker, request: ProvenRequest): Promise<string> {
		demandBrowser(principal);
		const response = readPasskeyHeader(header);
		if (!response) throw new AppError('passkey/needed');
		return (await proof.prove(response, principal.sessionHash, request)).name;
	}

	return {
		list: registry.list,
		forget: registry.forget,
		prove,
		/** Shows a code on the server's terminal. Only while there is no passkey: later ones need one of those. */
		showCode(principal: Principal): void {
			demandBrowser(principal);
			if (registry.list().length > 0) throw new AppError('passkey/needed');
			code.show();
		},
		/** What the browser needs to ask an authenticator for `request`. */
		async challenge(principal: Asker, request: ProvenRequest) {
			demandBrowser(principal);
			return proof.ask(principal.sessionHash, request, registry.list());
		},
		/** Begins an enrolment. `given` is the terminal's code for the first one; a passkey's answer was checked before. */
		async beginEnrolment(principal: Principal, given: string | undefined) {
			demandBrowser(principal);
			const known = registry.list();
			if (known.length === 0 && !code.redeem(given ?? '')) throw new AppError('passkey/code');
			enrolling.add(principal.sessionHash);
			const user = { id: new Uint8Array(Buffer.from(digestOf(BASE_HOST), 'hex')), name: 'operator' };
			return proof.askToEnrol(principal.sessionHash, ENROLMENT, { user, known });
		},
		/** Ends an enrolment that this sign-in began; the passkey counts at once. */
		async endEnrolment(principal: Principal, name: string, response: RegistrationResponseJSON): Promise<void> {
			demandBrowser(principal);
			if (!enrolling.delete(principal.sessionHash)) throw new AppError('passkey/refused');
			const made = await proof.endEnrolment(response, principal.sessionHash, ENROLMENT);
			if (!(await registry.enrol({ ...made, name })))
				throw new AppError('passkey/refused', 'This passkey is enrolled already.');
		},
	};
}

export type Passkeys = ReturnType<typeof createPasskeys>;
