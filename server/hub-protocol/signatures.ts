import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, hash, sign, verify } from 'node:crypto';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import * as z from 'zod';
import type { DecisionCommand, GrantCreation, RootSignature, RosterEntry } from '#lib/contract/hub/hub-commands.ts';
import type { Hello, RootDocument } from '#lib/contract/hub/hub-wire.ts';
import type { Policy, SignedPolicy } from '#lib/hub/policy.ts';
import { canonicalJson } from '#lib/json/json.ts';
import { type PasskeyOrigin, verifyPasskey } from '../access/webauthn.ts';

/** Ed25519: the private key as PEM, the public one base64url. */
export function makeKey(): { privateKey: string; publicKey: string } {
	const { privateKey } = generateKeyPairSync('ed25519');
	const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
	return { privateKey: pem, publicKey: publicKeyOf(pem) };
}

/** Throws if it is no Ed25519 key. */
export function publicKeyOf(privateKey: string): string {
	const { crv, x } = createPublicKey(createPrivateKey(privateKey)).export({ format: 'jwk' });
	if (crv !== 'Ed25519' || x === undefined) throw new Error('The key is not one of Ed25519.');
	return x;
}

const signBytes = (bytes: Buffer, privateKey: string): string =>
	sign(null, bytes, createPrivateKey(privateKey)).toString('base64url');

function isSignatureOf(bytes: Buffer, signature: string, publicKey: string): boolean {
	const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
	return verify(null, bytes, key, Buffer.from(signature, 'base64url'));
}

const helloBytes = (hello: Omit<Hello, 'signature'>, origin: string, nonce: string): Buffer =>
	Buffer.from(`signalbox edge hello\n${origin}\n${nonce}\n${canonicalJson(hello)}`);

/** With the hub's nonce, so that nobody can repeat the hello on another connection. */
export const signHello = (
	hello: Omit<Hello, 'signature'>,
	origin: string,
	nonce: string,
	privateKey: string,
): Hello => ({
	...hello,
	signature: signBytes(helloBytes(hello, origin, nonce), privateKey),
});

export const isSigned = ({ signature, ...hello }: Hello, origin: string, nonce: string, publicKey: string): boolean =>
	isSignatureOf(helloBytes(hello, origin, nonce), signature, publicKey);

/** Travels with the join code, so that the hub cannot replace its root document later. */
export function rootFingerprint(root: RootDocument): string {
	return createHash('sha256').update(canonicalJson(root)).digest('hex').slice(0, 32);
}

/** Part of what is signed, so that a signature fits no other edge, kind or hub. */
export interface CommandAddress {
	origin: string;
	edge: number;
	kind: string;
}

/** `body` is JSON exactly as it was signed. */
const Envelope = z.object({ body: z.string(), sig: z.string().regex(/^[A-Za-z0-9_-]{86}$/) });

const commandBytes = ({ origin, edge, kind }: CommandAddress, body: string): Buffer =>
	Buffer.from(`signalbox hub command\n${origin}\n${edge}\n${kind}\n${body}`);

/** An envelope that no other edge, kind or hub accepts. */
export function sealCommand(address: CommandAddress, body: object, privateKey: string): string {
	const text = JSON.stringify(body);
	return JSON.stringify({ body: text, sig: signBytes(commandBytes(address, text), privateKey) });
}

/** Undefined unless the envelope was signed for exactly this address. */
export function openCommand(address: CommandAddress, envelope: string, publicKey: string): unknown {
	try {
		const { body, sig } = Envelope.parse(JSON.parse(envelope));
		return isSignatureOf(commandBytes(address, body), sig, publicKey) ? JSON.parse(body) : undefined;
	} catch {
		return undefined;
	}
}

/** Part of every signature: the kind of document and the hub's address. */
const bytesOf = (kind: string, origin: string, document: unknown): Buffer =>
	Buffer.from(`signalbox hub ${kind}\n${origin}\n${canonicalJson(document)}`);
const digestOf = (...document: Parameters<typeof bytesOf>): string => hash('sha256', bytesOf(...document));

/** What a root passkey signs to let a policy loosen something. */
export const policyDigest = (policy: Policy, origin: string): string => digestOf('policy', origin, policy);

/** What a root passkey signs to let a person's passkey decide. */
export const entryDigest = (entry: RosterEntry, origin: string): string => digestOf('roster entry', origin, entry);

/** What a person's passkey signs: everything that they say of this call, and until when it is valid. */
export function decisionDigest(
	{ digest, said, person: { iss, sub }, expires }: Pick<DecisionCommand, 'digest' | 'said' | 'person' | 'expires'>,
	origin: string,
): string {
	return digestOf('decision', origin, { digest, said, person: { iss, sub }, expires });
}

/** What a person's passkey signs for a grant, as `decisionDigest` for a decision. */
export function grantDigest(
	{ edge, said, person: { iss, sub }, expires }: Pick<GrantCreation, 'edge' | 'said' | 'person' | 'expires'>,
	origin: string,
): string {
	return digestOf('grant', origin, { edge, said, person: { iss, sub }, expires });
}

export const signPolicy = (policy: Policy, origin: string, privateKey: string): SignedPolicy => ({
	policy,
	signature: signBytes(bytesOf('policy', origin, policy), privateKey),
});

/** By the hub's key, which may only tighten; loosening needs `isByRootPasskey`. */
export const isSignedPolicy = ({ policy, signature }: SignedPolicy, origin: string, publicKey: string): boolean =>
	isSignatureOf(bytesOf('policy', origin, policy), signature, publicKey);

/** The use counter is ignored, since an edge does not see every use. */
export async function isPasskeySignatureOf(
	digest: string,
	answer: RootSignature,
	{ id, cose }: { id: string; cose: string },
	origin: PasskeyOrigin,
): Promise<boolean> {
	if (answer.id !== id) return false;
	const response = answer as unknown as AuthenticationResponseJSON;
	const challenge = Buffer.from(digest, 'hex').toString('base64url');
	const passkey = { credentialId: id, publicKey: cose, counter: 0 };
	return (await verifyPasskey(origin, { response, challenge, passkey })) !== null;
}

/** False as well for a hub without root passkeys. */
export async function isByRootPasskey(
	signature: RootSignature | undefined,
	digest: string,
	root: RootDocument,
): Promise<boolean> {
	const passkey = root.v === 2 ? root.rootPasskeys.find(({ id }) => id === signature?.id) : undefined;
	return signature && root.v === 2 && passkey ? isPasskeySignatureOf(digest, signature, passkey, root) : false;
}
