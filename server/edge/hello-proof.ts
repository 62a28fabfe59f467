import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import type { Hello, RootDocument } from '#lib/contract/hub/hub-wire.ts';
import { canonicalJson } from '#lib/json/json.ts';

/** A key of an edge or a hub: the private half as PEM, the public one raw in base64url. */
export function makeKey(): { privateKey: string; publicKey: string } {
	const { privateKey } = generateKeyPairSync('ed25519');
	const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
	return { privateKey: pem, publicKey: publicKeyOf(pem) };
}

/** The public half of a private key. Throws where it is none of Ed25519. */
export function publicKeyOf(privateKey: string): string {
	const { crv, x } = createPublicKey(createPrivateKey(privateKey)).export({ format: 'jwk' });
	if (crv !== 'Ed25519' || x === undefined) throw new Error('The key is not one of Ed25519.');
	return x;
}

/** The signature (base64url) of a private key (PEM). */
export const signBytes = (bytes: Buffer, privateKey: string): string =>
	sign(null, bytes, createPrivateKey(privateKey)).toString('base64url');

/** Whether the holder of the public key (raw, base64url) has signed this. */
export function isSignatureOf(bytes: Buffer, signature: string, publicKey: string): boolean {
	const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
	return verify(null, bytes, key, Buffer.from(signature, 'base64url'));
}

/** All that a hello says, to which hub, and for which connection: a signature fits nowhere else. */
const saidBy = (hello: Omit<Hello, 'signature'>, origin: string, nonce: string): Buffer =>
	Buffer.from(`signalbox edge hello\n${origin}\n${nonce}\n${canonicalJson(hello)}`);

/** Signs a hello for the hub at `origin` that gave the nonce. */
export const signHello = (
	hello: Omit<Hello, 'signature'>,
	origin: string,
	nonce: string,
	privateKey: string,
): Hello => ({
	...hello,
	signature: signBytes(saidBy(hello, origin, nonce), privateKey),
});

/** Whether the holder of the public key said this hello, here and now. */
export const isSigned = ({ signature, ...hello }: Hello, origin: string, nonce: string, publicKey: string): boolean =>
	isSignatureOf(saidBy(hello, origin, nonce), signature, publicKey);

/** What stands behind the `#` of a join code: the fingerprint of the hub's root document. */
export function rootFingerprint(root: RootDocument): string {
	return createHash('sha256').update(canonicalJson(root)).digest('hex').slice(0, 32);
}
