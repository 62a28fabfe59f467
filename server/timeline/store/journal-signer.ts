import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createDurably, isBlank } from '#hooks-bridge/disk/write-durably.ts';

/**
 * Opens or creates `journal.key` (0600), synced before anything is signed. Whoever may write the home can sign too: a signature
 * proves which home wrote a row, not that nobody rewrote it (docs/threat-model.md).
 */
export function openJournalSigner(journalPath: string) {
	const path = keyPath(journalPath);
	const key = readKey(path) ?? makeKey(path);
	const publicKey = createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();
	return {
		/** The first 16 hex digits of the public key's SHA-256. */
		name: signerName(publicKey),
		/** The public key, PEM. */
		publicKey,
		/** Base64. */
		sign: (hash: string) => sign(null, Buffer.from(hash, 'hex'), key).toString('base64'),
	};
}

export type JournalSigner = ReturnType<typeof openJournalSigner>;

/** The path of a journal's key. */
export function keyPath(journalPath: string): string {
	return join(dirname(journalPath), 'journal.key');
}

/** The name of a public key (PEM). */
export function signerName(publicKey: string): string {
	return createHash('sha256').update(publicKey).digest('hex').slice(0, 16);
}

/** Null if it is missing or empty. Throws with advice if something else is in its place. */
function readKey(path: string): KeyObject | null {
	const stat = statSync(path, { throwIfNoEntry: false });
	if (!stat) return null;
	// Reading a pipe would block.
	if (!stat.isFile()) throw new Error(`${path} is no file: move it away, and a new key is made.`);
	if (isBlank(path)) return null;
	const pem = readFileSync(path, 'utf8');
	try {
		const key = createPrivateKey(pem);
		if (key.asymmetricKeyType === 'ed25519') return key;
	} catch {}
	throw new Error(`${path} holds no key of a journal: put it back from a copy, or move it away for a new one.`);
}

/** If two processes create one at once, both use the first one's. */
function makeKey(path: string): KeyObject {
	const { privateKey } = generateKeyPairSync('ed25519');
	if (createDurably(path, privateKey.export({ type: 'pkcs8', format: 'pem' }))) return privateKey;
	const theirs = readKey(path);
	if (!theirs) throw new Error(`The key ${path} can neither be read nor made: look at the rights of its folder.`);
	return theirs;
}
