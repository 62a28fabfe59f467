import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { RootSignature } from '#lib/contract/hub-policy.ts';
import type { RootDocument } from '#lib/contract/hub-wire.ts';
import { isStrictSignature } from '../auth/strict-signature.ts';

/**
 * Whether one of the passkeys in the root document of the join code stands for a digest (hex): a person touched it for
 * exactly this. How often it was used is not looked at, since an edge does not see every use.
 */
export async function isByRootPasskey(
	signature: RootSignature | undefined,
	digest: string,
	root: RootDocument,
): Promise<boolean> {
	const passkey = root.v === 2 ? root.rootPasskeys.find(({ id }) => id === signature?.id) : undefined;
	if (!signature || root.v !== 2 || !passkey || !isStrictSignature(signature.response.signature)) return false;
	const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
	const verified = await verifyAuthenticationResponse({
		response: signature as unknown as AuthenticationResponseJSON,
		expectedChallenge: Buffer.from(digest, 'hex').toString('base64url'),
		...{ expectedOrigin: root.origin, expectedRPID: root.rpId, requireUserVerification: true },
		credential: { id: passkey.id, publicKey: Buffer.from(passkey.cose, 'base64url'), counter: 0 },
	}).catch(() => null);
	return verified?.verified === true;
}
