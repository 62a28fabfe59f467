import { sha256 } from '#lib/ids/sha256.ts';

type Crypto = typeof import('node:crypto');

let loaded: Crypto | undefined;

/** node:crypto, loaded on first use: loading it costs 4 ms, a seventh of node's whole start. */
export function nodeCrypto(): Crypto {
	loaded ??= process.getBuiltinModule('node:crypto');
	return loaded;
}

/** Up to so many UTF-16 units our own digest is quicker than loading node's. */
const FEW_CHARS = 4096;

/** SHA-256 in hex for a process that digests a few texts, most of them small, and then ends. */
export function frugalDigest(text: string): string {
	return loaded || text.length > FEW_CHARS ? nodeCrypto().hash('sha256', text, 'hex') : sha256(text);
}
