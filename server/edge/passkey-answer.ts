import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { RootDocument } from '#lib/contract/hub/hub-wire.ts';
import type { RootSignature } from '#lib/contract/hub/root-signature.ts';
import { isStrictSignature } from '../access/strict-signature.ts';

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
