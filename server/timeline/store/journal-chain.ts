import { createHmac, hash, randomBytes } from 'node:crypto';
import { canonicalJson } from '#lib/json/json.ts';

/** The hash before the first row. */
export const GENESIS = '0'.repeat(64);

/** The part of a row that its hash covers; the payload only by its digest, so that fields of it can be removed later. */
export interface ChainedRow {
	n: number;
	id: string;
	ts: string;
	kind: string;
	subject: string;
	sessionId: string | null;
	payloadHash: string;
	/** Names the key that signs the hash. */
	signer: string;
}

/** A row's hash: SHA-256 over the previous hash and all fields of the row, in canonical JSON. */
export function rowHash(previous: string, row: ChainedRow): string {
	const { n, id, ts, kind, subject, sessionId, payloadHash, signer } = row;
	const text = JSON.stringify;
	// Written by hand in the order of the keys, since a long journal is hashed again at each check.
	const canonical =
		`{"id":${text(id)},"kind":${text(kind)},"n":${text(n)},"payloadHash":${text(payloadHash)},"sessionId":` +
		`${text(sessionId)},"signer":${text(signer)},"subject":${text(subject)},"ts":${text(ts)}}`;
	return hash('sha256', `${previous}\n${canonical}`);
}

/** A payload as it is stored: each field with its own salt, or only its digest once it was redacted. */
export type SealedPayload = Record<string, { salt: string; value: unknown } | { digest: string }>;

/** Salts each field, so that each can be proven separately. */
export function sealPayload(payload: Readonly<Record<string, unknown>>): SealedPayload {
	const fields = Object.entries(payload).filter(([, value]) => value !== undefined);
	return Object.fromEntries(fields.map(([name, value]) => [name, { salt: randomBytes(16).toString('hex'), value }]));
}

/** The part of a row's hash that covers its payload; the same before and after a redaction. */
export function payloadHash(sealed: SealedPayload): string {
	const digests = Object.fromEntries(Object.entries(sealed).map(([name, field]) => [name, digestOf(field)]));
	return hash('sha256', canonicalJson(digests));
}

function digestOf(field: SealedPayload[string]): string {
	if ('digest' in field) return field.digest;
	return createHmac('sha256', field.salt).update(canonicalJson(field.value)).digest('hex');
}

/** The original payload, and the names of its redacted fields. */
export function openPayload(sealed: SealedPayload): { payload: Record<string, unknown>; redacted: string[] } {
	const entries = Object.entries(sealed);
	return {
		payload: Object.fromEntries(entries.flatMap(([name, field]) => ('value' in field ? [[name, field.value]] : []))),
		redacted: entries.flatMap(([name, field]) => ('digest' in field ? [name] : [])),
	};
}

/** Removes fields for good: without its salt a value cannot even be guessed. Null if none of the fields was left. */
export function redactPayload(sealed: SealedPayload, fields: readonly string[]): SealedPayload | null {
	const entries = Object.entries(sealed);
	const taken = entries.filter(([name, field]) => fields.includes(name) && 'value' in field);
	if (taken.length === 0) return null;
	const digests = Object.fromEntries(taken.map(([name, field]) => [name, { digest: digestOf(field) }]));
	return { ...sealed, ...digests };
}
