import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { AppError } from '#lib/contract/errors.ts';
import type { JournalStore } from '../store/journal-store.ts';
import { createChallenges } from './challenges.ts';
import { createEnrolmentCode } from './enrolment-code.ts';
import { BASE_HOST } from './own-host.ts';
import { createPasskeyBook } from './passkey-book.ts';
import type { Principal } from './principal.ts';
import { digestOf } from './secret.ts';
import { isStrictSignature } from './strict-signature.ts';

/** A quarter of what a start would cost, and many servers never meet a passkey. */
const webauthn = () => import('@simplewebauthn/server');

/** The header that carries the authenticator's answer, base64url of its JSON. */
export const PASSKEY_HEADER = 'x-signalbox-passkey';

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
	const book = createPasskeyBook(journal);
	const challenges = createChallenges(now);
	const code = createEnrolmentCode(print, now);
	const expectations = () => ({ expectedOrigin: origin(), expectedRPID: BASE_HOST });
	/** Sign-ins with an enrolment under way. */
	const enrolling = new Set<string>();

	function demandBrowser({ via }: Asker): void {
		if (via !== 'browser') throw new AppError('passkey/browser');
	}

	/** The passkey's name. Throws unless the header holds a fresh answer of an enrolled one to exactly this request. */
	async function prove(header: unknown, principal: Asker, request: ProvenRequest): Promise<string> {
		demandBrowser(principal);
		const response = readHeader(header);
		if (!response) throw new AppError('passkey/needed');
		const passkey = book.find(response.id);
		const challenge = challengeIn(response.response.clientDataJSON);
		if (!passkey || !challenges.redeem(challenge, principal.sessionHash, request))
			throw new AppError('passkey/refused');
		if (!isStrictSignature(response.response.signature)) throw new AppError('passkey/refused');
		const { credentialId: id, publicKey, counter } = passkey;
		const { verifyAuthenticationResponse } = await webauthn();
		const verified = await verifyAuthenticationResponse({
			response,
			expectedChallenge: challenge,
			...expectations(),
			requireUserVerification: true,
			credential: { id, publicKey: Buffer.from(publicKey, 'base64url'), counter },
		}).catch(() => null);
		if (!verified?.verified) throw new AppError('passkey/refused');
		book.counted(passkey, verified.authenticationInfo.newCounter);
		return passkey.name;
	}

	return {
		list: book.list,
		forget: book.forget,
		prove,
		/** Shows a code on the server's terminal. Only while there is no passkey: later ones need one of those. */
		showCode(principal: Principal): void {
			demandBrowser(principal);
			if (book.list().length > 0) throw new AppError('passkey/needed');
			code.show();
		},
		/** What the browser needs to ask an authenticator for `request`. */
		async challenge(principal: Asker, request: ProvenRequest) {
			demandBrowser(principal);
			const challenge = challenges.issue(principal.sessionHash, request);
			const { generateAuthenticationOptions } = await webauthn();
			return generateAuthenticationOptions({
				rpID: BASE_HOST,
				challenge: Buffer.from(challenge, 'base64url'),
				allowCredentials: book.list().map(({ credentialId: id }) => ({ id })),
				userVerification: 'required',
			});
		},
		/** Begins an enrolment. `given` is the terminal's code for the first one; a passkey's answer was checked before. */
		async beginEnrolment(principal: Principal, given: string | undefined) {
			demandBrowser(principal);
			const known = book.list();
			if (known.length === 0 && !code.redeem(given ?? '')) throw new AppError('passkey/code');
			enrolling.add(principal.sessionHash);
			const challenge = challenges.issue(principal.sessionHash, ENROLMENT);
			const { generateRegistrationOptions } = await webauthn();
			return generateRegistrationOptions({
				rpName: 'Signalbox',
				rpID: BASE_HOST,
				userName: 'operator',
				userID: Buffer.from(digestOf(BASE_HOST), 'hex'),
				challenge: Buffer.from(challenge, 'base64url'),
				attestationType: 'none',
				excludeCredentials: known.map(({ credentialId: id }) => ({ id })),
				authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
			});
		},
		/** Ends an enrolment that this sign-in began; the passkey counts at once. */
		async endEnrolment(principal: Principal, name: string, response: RegistrationResponseJSON): Promise<void> {
			demandBrowser(principal);
			const challenge = challengeIn(response.response?.clientDataJSON);
			const isBegun = enrolling.delete(principal.sessionHash);
			if (!isBegun || !challenges.redeem(challenge, principal.sessionHash, ENROLMENT))
				throw new AppError('passkey/refused');
			const { verifyRegistrationResponse } = await webauthn();
			const verified = await verifyRegistrationResponse({
				response,
				expectedChallenge: challenge,
				...expectations(),
				requireUserVerification: true,
			}).catch(() => null);
			if (!verified?.verified) throw new AppError('passkey/refused');
			const { credential, credentialDeviceType: deviceType } = verified.registrationInfo;
			const { id: credentialId, counter, transports } = credential;
			const publicKey = Buffer.from(credential.publicKey).toString('base64url');
			const enrolment = { credentialId, publicKey, counter, deviceType, name, ...(transports && { transports }) };
			if (!(await book.enrol(enrolment))) throw new AppError('passkey/refused', 'This passkey is enrolled already.');
		},
	};
}

export type Passkeys = ReturnType<typeof createPasskeys>;

/** The authenticator's answer; its content is checked by the library. */
function readHeader(header: unknown): AuthenticationResponseJSON | null {
	if (typeof header !== 'string') return null;
	try {
		const value: unknown = JSON.parse(Buffer.from(header, 'base64url').toString('utf8'));
		const isAnswer =
			typeof value === 'object' &&
			value !== null &&
			'id' in value &&
			'response' in value &&
			typeof value.id === 'string';
		return isAnswer && typeof value.response === 'object' && value.response !== null
			? (value as AuthenticationResponseJSON)
			: null;
	} catch {
		return null;
	}
}

/** The challenge that the authenticator has answered; empty when there is none. */
function challengeIn(clientDataJson: unknown): string {
	try {
		const data: unknown = JSON.parse(Buffer.from(String(clientDataJson), 'base64url').toString('utf8'));
		return typeof data === 'object' && data !== null && 'challenge' in data ? String(data.challenge) : '';
	} catch {
		return '';
	}
}
