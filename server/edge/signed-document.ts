import { hash } from 'node:crypto';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { DecisionCommand } from '#lib/contract/hub/hub-decision.ts';
import type { RosterEntry } from '#lib/contract/hub/hub-roster.ts';
import type { RootDocument } from '#lib/contract/hub/hub-wire.ts';
import type { RootSignature } from '#lib/contract/hub/root-signature.ts';
import type { Policy, SignedPolicy } from '#lib/hub/signed-policy.ts';
import { canonicalJson } from '#lib/json/json.ts';
import { isStrictSignature } from '../access/webauthn.ts';
import { isSignatureOf, signBytes } from './hello-proof.ts';

/** What a signature stands for: this kind of document of the hub at this address, and nothing else that is signed. */
const bytesOf = (kind: string, origin: string, document: unknown): Buffer =>
	Buffer.from(`signalbox hub ${kind}\n${origin}\n${canonicalJson(document)}`);
const digestOf = (...document: Parameters<typeof bytesOf>): string => hash('sha256', bytesOf(...document));

/** SHA-256, in hex, of a policy: what a root passkey is asked about, and how an edge knows it again. */
export const policyDigest = (policy: Policy, origin: string): string => digestOf('policy', origin, policy);

/** The same of an entry of a roster. */
export const entryDigest = (entry: RosterEntry, origin: string): string => digestOf('roster entry', origin, entry);

/**
 * SHA-256, in hex, of what a person's passkey is asked about: all that they say of this call, by its own digest, and until
 * when it may be done.
 */
export function decisionDigest(
	{ digest, said, person: { iss, sub }, expires }: Pick<DecisionCommand, 'digest' | 'said' | 'person' | 'expires'>,
	origin: string,
): string {
	return digestOf('decision', origin, { digest, said, person: { iss, sub }, expires });
}

/** Signs a policy with the hub's key. */
export const signPolicy = (policy: Policy, origin: string, privateKey: string): SignedPolicy => ({
	...{ policy, signature: signBytes(bytesOf('policy', origin, policy), privateKey) },
});

/** Whether the hub's key (raw, base64url) stands for the policy. */
export const isSignedPolicy = ({ policy, signature }: SignedPolicy, origin: string, publicKey: string): boolean =>
	isSignatureOf(bytesOf('policy', origin, policy), signature, publicKey);

/**
 * Whether a passkey stands for a digest (hex): its person touched it for exactly this, and was verified by it. How often it
 * was used is not looked at, since an edge does not see every use.
 */
export async function isAnswerTo(
	digest: string,
	answer: RootSignature,
	{ id, cose }: { id: string; cose: string },
	{ origin, rpId }: { origin: string; rpId: string },
): Promise<boolean> {
	if (answer.id !== id || !isStrictSignature(answer.response.signature)) return false;
	const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
	const verified = await verifyAuthenticationResponse({
		response: answer as unknown as AuthenticationResponseJSON,
		expectedChallenge: Buffer.from(digest, 'hex').toString('base64url'),
		...{ expectedOrigin: origin, expectedRPID: rpId, requireUserVerification: true },
		credential: { id, publicKey: Buffer.from(cose, 'base64url'), counter: 0 },
	}).catch(() => null);
	return verified?.verified === true;
}

/** Whether one of the passkeys in the root document of the join code stands for a digest (hex). */
export async function isByRootPasskey(
	signature: RootSignature | undefined,
	digest: string,
	root: RootDocument,
): Promise<boolean> {
	const passkey = root.v === 2 ? root.rootPasskeys.find(({ id }) => id === signature?.id) : undefined;
	return signature && root.v === 2 && passkey ? isAnswerTo(digest, signature, passkey, root) : false;
}
