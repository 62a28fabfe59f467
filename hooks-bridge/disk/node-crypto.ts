import { sha256 } from '#lib/ids/sha256.ts';

type Crypto = typeof import('node:crypto');

let loaded: Crypto | undefined;

/** node:crypto, loaded when it is first needed: it costs a node that starts 4 ms, a seventh of its whole start. */
export function nodeCrypto(): Crypto {
	loaded ??= process.getBuiltinModule('node:crypto');
	return loaded;
}

/** UTF-16 units up to which our own digest is quicker than loading node's. */
const FEW_CHARS = 4096;

/** SHA-256 in hex for a process that digests a few texts, most of them small, and ends. */
export function frugalDigest(text: string): string {
	return loaded || text.length > FEW_CHARS ? nodeCrypto().hash('sha256', text, 'hex') : sha256(text);
}
