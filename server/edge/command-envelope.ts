import * as z from 'zod';
import { isSignatureOf, signBytes } from './hello-proof.ts';

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
	return JSON.stringify({ body: text, sig: signBytes(saidBy(place, text), privateKey) });
}

/** What a command says, if the hub whose public key this is said so to this edge; else undefined. */
export function openCommand(place: CommandAddress, envelope: string, publicKey: string): unknown {
	try {
		const { body, sig } = Envelope.parse(JSON.parse(envelope));
		return isSignatureOf(saidBy(place, body), sig, publicKey) ? JSON.parse(body) : undefined;
	} catch {
		return undefined;
	}
}
