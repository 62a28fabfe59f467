import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import type { Policy, SignedPolicy } from '#lib/hub/signed-policy.ts';
import { canonicalJson } from '#lib/json/json.ts';

/** What a signature stands for: this policy of the hub at this address, and nothing else that the key signs. */
const bytesOf = (policy: Policy, origin: string): Buffer =>
	Buffer.from(`signalbox hub policy\n${origin}\n${canonicalJson(policy)}`);

/** SHA-256 of what is signed, in hex: what a root passkey is asked about, and how an edge knows a policy again. */
export function policyDigest(policy: Policy, origin: string): string {
	return createHash('sha256').update(bytesOf(policy, origin)).digest('hex');
}

/** Signs a policy with the hub's key. */
export function signPolicy(policy: Policy, origin: string, privateKey: string): SignedPolicy {
	return { policy, signature: sign(null, bytesOf(policy, origin), createPrivateKey(privateKey)).toString('base64url') };
}

/** Whether the hub's key (raw, base64url) stands for the policy. */
export function isSignedPolicy({ policy, signature }: SignedPolicy, origin: string, publicKey: string): boolean {
	const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
	return verify(null, bytesOf(policy, origin), key, Buffer.from(signature, 'base64url'));
}
