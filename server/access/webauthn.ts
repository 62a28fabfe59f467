import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { isStrictSignature } from './strict-signature.ts';

/** A quarter of what a start would cost, and many servers never meet a passkey. */
const library = () => import('@simplewebauthn/server');

/** The header that carries the authenticator's answer, base64url of its JSON. */
export const PASSKEY_HEADER = 'x-signalbox-passkey';

/** Where a passkey is good: the origin of the pages, and the domain that it is bound to. */
export interface PasskeyOrigin {
	origin: string;
	rpId: string;
}

/** What of a passkey an answer is held against. */
export interface KnownPasskey {
	credentialId: string;
	/** COSE, base64url. */
	publicKey: string;
	counter: number;
}

/** What the browser needs to ask an authenticator; without `known` any passkey of this place may answer. */
export async function askForPasskey(
	place: PasskeyOrigin,
	challenge: string,
	known: readonly { credentialId: string }[],
) {
	const { generateAuthenticationOptions } = await library();
	return generateAuthenticationOptions({
		rpID: place.rpId,
		challenge: Buffer.from(challenge, 'base64url'),
		allowCredentials: known.map(({ credentialId: id }) => ({ id })),
		userVerification: 'required',
	});
}

/** The authenticator's count after a right answer to this challenge; null for any other answer. */
export async function verifyPasskey(
	place: PasskeyOrigin,
	{ response, challenge, passkey }: { response: AuthenticationResponseJSON; challenge: string; passkey: KnownPasskey },
): Promise<number | null> {
	if (!isStrictSignature(response.response.signature)) return null;
	const { credentialId: id, publicKey, counter } = passkey;
	const { verifyAuthenticationResponse } = await library();
	const verified = await verifyAuthenticationResponse({
		response,
		expectedChallenge: challenge,
		...{ expectedOrigin: place.origin, expectedRPID: place.rpId },
		requireUserVerification: true,
		credential: { id, publicKey: Buffer.from(publicKey, 'base64url'), counter },
	}).catch(() => null);
	return verified?.verified ? verified.authenticationInfo.newCounter : null;
}

/** What the browser needs to make a passkey. */
export async function askForEnrolment(
	place: PasskeyOrigin,
	asked: {
		challenge: string;
		user: { id: Uint8Array<ArrayBuffer>; name: string };
		known: readonly { credentialId: string }[];
		/** It must be found without being named: whoever signs in by it has not said who they are. */
		discoverable?: true;
	},
) {
	const { challenge, user, known, discoverable } = asked;
	const { generateRegistrationOptions } = await library();
	return generateRegistrationOptions({
		rpName: 'Signalbox',
		rpID: place.rpId,
		userName: user.name,
		userID: user.id,
		challenge: Buffer.from(challenge, 'base64url'),
		attestationType: 'none',
		excludeCredentials: known.map(({ credentialId: id }) => ({ id })),
		authenticatorSelection: { residentKey: discoverable ? 'required' : 'preferred', userVerification: 'required' },
	});
}

/** The passkey that was made for this challenge; null for any other answer. */
export async function verifyEnrolment(place: PasskeyOrigin, response: RegistrationResponseJSON, challenge: string) {
	const { verifyRegistrationResponse } = await library();
	const verified = await verifyRegistrationResponse({
		response,
		expectedChallenge: challenge,
		...{ expectedOrigin: place.origin, expectedRPID: place.rpId },
		requireUserVerification: true,
	}).catch(() => null);
	if (!verified?.verified) return null;
	const { credential, credentialDeviceType: deviceType } = verified.registrationInfo;
	const { id: credentialId, counter, transports } = credential;
	const publicKey = Buffer.from(credential.publicKey).toString('base64url');
	return { credentialId, publicKey, counter, deviceType, ...(transports && { transports }) };
}

/** The authenticator's answer; its content is checked by the library. */
export function readPasskeyHeader(header: unknown): AuthenticationResponseJSON | null {
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
export function challengeIn(clientDataJson: unknown): string {
	try {
		const data: unknown = JSON.parse(Buffer.from(String(clientDataJson), 'base64url').toString('utf8'));
		return typeof data === 'object' && data !== null && 'challenge' in data ? String(data.challenge) : '';
	} catch {
		return '';
	}
}
