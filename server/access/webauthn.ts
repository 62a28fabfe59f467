import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { AppError } from '#lib/contract/errors.ts';
import { parsedObject } from '#lib/json/json.ts';

/** Loaded on demand: it takes a quarter of the start, and many servers never use it. */
const library = () => import('@simplewebauthn/server');

export const PASSKEY_HEADER = 'x-signalbox-passkey';

export interface PasskeyOrigin {
	origin: string;
	rpId: string;
}

interface KnownPasskey {
	credentialId: string;
	publicKey: string;
	counter: number;
}

export interface Challenges {
	issue(asker: string, what: unknown): string;
	/** Whether the challenge was issued to this asker for exactly this request, unused and in time. Consumes it. */
	redeem(challenge: string, asker: string, what: unknown): boolean | Promise<boolean>;
}

interface PasskeyStore<Passkey extends KnownPasskey> {
	find(credentialId: string): Passkey | undefined | Promise<Passkey | undefined>;
	/** False if another answer has already used this count: one of the two authenticators is a copy. */
	counted(passkey: Passkey, counter: number): boolean | Promise<boolean>;
}

/** Proofs by passkeys and new passkeys, always with user verification. Every method throws `passkey/refused`, or `passkey/needed` without an answer. */
export function createPasskeyProof<Passkey extends KnownPasskey>(options: {
	passkeys: PasskeyStore<Passkey>;
	challenges: Challenges;
	place: () => PasskeyOrigin;
}) {
	const { passkeys, challenges, place: origin } = options;

	async function redeem(clientDataJson: unknown, asker: string, what: unknown): Promise<string> {
		const challenge = challengeIn(clientDataJson);
		if (!(await challenges.redeem(challenge, asker, what))) throw new AppError('passkey/refused');
		return challenge;
	}

	return {
		/** The browser's options for an authenticator; without `known` any passkey of this host may answer. */
		async ask(asker: string, what: unknown, known: readonly { credentialId: string }[]) {
			const { generateAuthenticationOptions } = await library();
			return generateAuthenticationOptions({
				rpID: origin().rpId,
				challenge: Buffer.from(challenges.issue(asker, what), 'base64url'),
				allowCredentials: known.map(({ credentialId: id }) => ({ id })),
				userVerification: 'required',
			});
		},
		async prove(header: unknown, asker: string, what: unknown): Promise<Passkey> {
			const response = readPasskeyHeader(header);
			if (!response) throw new AppError('passkey/needed');
			const passkey = await passkeys.find(response.id);
			if (!passkey) throw new AppError('passkey/refused');
			const challenge = await redeem(response.response.clientDataJSON, asker, what);
			const counter = await verifyPasskey(origin(), { response, challenge, passkey });
			if (counter === null || !(await passkeys.counted(passkey, counter))) throw new AppError('passkey/refused');
			return passkey;
		},
		async askToEnrol(
			asker: string,
			what: unknown,
			expected: {
				user: { id: Uint8Array<ArrayBuffer>; name: string };
				known: readonly { credentialId: string }[];
				/** Must be discoverable without its id: a person who signs in with it has not said who they are. */
				discoverable?: true;
			},
		) {
			const { user, known, discoverable } = expected;
			const { generateRegistrationOptions } = await library();
			return generateRegistrationOptions({
				rpName: 'Signalbox',
				rpID: origin().rpId,
				userName: user.name,
				userID: user.id,
				challenge: Buffer.from(challenges.issue(asker, what), 'base64url'),
				attestationType: 'none',
				excludeCredentials: known.map(({ credentialId: id }) => ({ id })),
				authenticatorSelection: { residentKey: discoverable ? 'required' : 'preferred', userVerification: 'required' },
			});
		},
		async endEnrolment(response: RegistrationResponseJSON, asker: string, what: unknown) {
			const challenge = await redeem(response.response?.clientDataJSON, asker, what);
			const { verifyRegistrationResponse } = await library();
			const verified = await verifyRegistrationResponse({
				response,
				expectedChallenge: challenge,
				expectedOrigin: origin().origin,
				expectedRPID: origin().rpId,
				requireUserVerification: true,
			}).catch(() => null);
			if (!verified?.verified) throw new AppError('passkey/refused');
			const { credential, credentialDeviceType: deviceType } = verified.registrationInfo;
			const { id: credentialId, counter, transports } = credential;
			const publicKey = Buffer.from(credential.publicKey).toString('base64url');
			return { credentialId, publicKey, counter, deviceType, ...(transports && { transports }) };
		},
	};
}

/** The authenticator's count if the answer fits this challenge, else null. */
export async function verifyPasskey(
	origin: PasskeyOrigin,
	{ response, challenge, passkey }: { response: AuthenticationResponseJSON; challenge: string; passkey: KnownPasskey },
): Promise<number | null> {
	if (!isStrictSignature(response.response.signature)) return null;
	const { credentialId: id, publicKey, counter } = passkey;
	const { verifyAuthenticationResponse } = await library();
	const verified = await verifyAuthenticationResponse({
		response,
		expectedChallenge: challenge,
		expectedOrigin: origin.origin,
		expectedRPID: origin.rpId,
		requireUserVerification: true,
		credential: { id, publicKey: Buffer.from(publicKey, 'base64url'), counter },
	}).catch(() => null);
	return verified?.verified ? verified.authenticationInfo.newCounter : null;
}

/** Parses a passkey's answer; the library checks its content. */
export function readPasskeyHeader(header: unknown): AuthenticationResponseJSON | null {
	if (typeof header !== 'string') return null;
	const value = parsedObject(Buffer.from(header, 'base64url').toString('utf8'));
	const isAnswer = typeof value?.id === 'string' && typeof value.response === 'object' && value.response !== null;
	return isAnswer ? (value as unknown as AuthenticationResponseJSON) : null;
}

/** The challenge that an answer names, before anything of it is verified; empty if unreadable. */
export function challengeIn(clientDataJson: unknown): string {
	if (typeof clientDataJson !== 'string') return '';
	const data = parsedObject(Buffer.from(clientDataJson, 'base64url').toString('utf8'));
	return typeof data?.challenge === 'string' ? data.challenge : '';
}

/** The end of the DER integer at `at`; null unless it is in its shortest form. */
function endOfInteger(bytes: Uint8Array, at: number): number | null {
	const [tag, length = 0, first = 0, second = 0] = bytes.subarray(at);
	if (tag !== 0x02 || length < 1 || length > 33 || first >= 0x80) return null;
	if (first === 0 && length > 1 && second < 0x80) return null;
	return at + 2 + length;
}

/** A tolerant reader accepts several DER spellings of an elliptic-curve signature; others have a fixed length. */
function isStrictSignature(base64url: unknown): boolean {
	if (typeof base64url !== 'string') return false;
	const bytes = Buffer.from(base64url, 'base64url');
	if (bytes.toString('base64url') !== base64url) return false;
	if (bytes.length === 64 || bytes.length > 72) return true;
	if (bytes[0] !== 0x30 || bytes[1] !== bytes.length - 2) return false;
	const middle = endOfInteger(bytes, 2);
	return middle !== null && endOfInteger(bytes, middle) === bytes.length;
}
