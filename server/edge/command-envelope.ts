import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import * as z from 'zod';

/** For whom and what a command is: the signature of one fits no other edge, kind or hub. */
export interface CommandAddress {
	/** Of the hub. */
	origin: string;
	edge: number;
	kind: string;
}

/** `body` is JSON as it was signed; it is not written anew on its way. */
const Envelope = z.object({ body: z.string(), sig: z.string().regex(/^[A-Za-z0-9_-]{86}$/) });

const saidBy = ({ origin, edge, kind }: CommandAddress, body: string): Buffer =>
	Buffer.from(`signalbox hub command\n${origin}\n${edge}\n${kind}\n${body}`);

/** A command's envelope: what it says, signed by the hub's private key (PEM). */
export function sealCommand(place: CommandAddress, body: object, privateKey: string): string {
	const text = JSON.stringify(body);
	const sig = sign(null, saidBy(place, text), createPrivateKey(privateKey)).toString('base64url');
	return JSON.stringify({ body: text, sig });
}

/** What a command says, if the hub whose public key this is said so to this edge; else undefined. */
export function openCommand(place: CommandAddress, envelope: string, publicKey: string): unknown {
	try {
		const { body, sig } = Envelope.parse(JSON.parse(envelope));
		const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
		const isOurs = verify(null, saidBy(place, body), key, Buffer.from(sig, 'base64url'));
		return isOurs ? JSON.parse(body) : undefined;
	} catch {
		return undefined;
	}
}
