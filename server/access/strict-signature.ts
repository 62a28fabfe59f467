/** The integer at `at` in its shortest form: where it ends, or null. */
function endOfInteger(bytes: Uint8Array, at: number): number | null {
	const [tag, length = 0, first = 0, second = 0] = bytes.subarray(at);
	if (tag !== 0x02 || length < 1 || length > 33 || first >= 0x80) return null;
	if (first === 0 && length > 1 && second < 0x80) return null;
	return at + 2 + length;
}

/**
 * Whether an authenticator's signature is written in the one way in which it may be. An elliptic-curve signature is two
 * integers in DER, and a tolerant reader would take several spellings of the same one; others (EdDSA, RSA) have a fixed
 * length and nothing to spell.
 */
export function isStrictSignature(base64url: unknown): boolean {
	if (typeof base64url !== 'string') return false;
	const bytes = Buffer.from(base64url, 'base64url');
	if (bytes.toString('base64url') !== base64url) return false;
	if (bytes.length === 64 || bytes.length > 72) return true;
	if (bytes[0] !== 0x30 || bytes[1] !== bytes.length - 2) return false;
	const middle = endOfInteger(bytes, 2);
	return middle !== null && endOfInteger(bytes, middle) === bytes.length;
}
