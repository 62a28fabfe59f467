const BLOCK_BYTES = 64;

/** The first 32 bits of the fractional parts of the roots of the first primes: the constants of FIPS 180-4. */
function rootBits(count: number, root: (prime: number) => number): Int32Array {
	const words = new Int32Array(count);
	for (let found = 0, candidate = 2; found < count; candidate += 1) {
		if (isPrime(candidate)) words[found++] = (root(candidate) % 1) * 2 ** 32;
	}
	return words;
}

function isPrime(candidate: number): boolean {
	for (let divisor = 2; divisor * divisor <= candidate; divisor += 1) if (candidate % divisor === 0) return false;
	return true;
}

const START = rootBits(8, Math.sqrt);
const ROUNDS = rootBits(BLOCK_BYTES, Math.cbrt);

const rotated = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

/**
 * SHA-256 of a text's UTF-8, in hex. For a process that needs only a few small digests: loading the platform's own takes longer
 * than this. All others use the platform's, which is faster from the second text on.
 */
export function sha256(text: string): string {
	const message = new TextEncoder().encode(text);
	const padded = new Uint8Array(Math.ceil((message.length + 9) / BLOCK_BYTES) * BLOCK_BYTES);
	padded.set(message);
	padded[message.length] = 0x80;
	const bytes = new DataView(padded.buffer);
	bytes.setUint32(padded.length - 8, message.length / 2 ** 29);
	bytes.setUint32(padded.length - 4, message.length * 8);
	const state = START.slice();
	const schedule = new Int32Array(BLOCK_BYTES);
	for (let index = 0; index < padded.length; index += BLOCK_BYTES) {
		for (let n = 0; n < 16; n += 1) schedule[n] = bytes.getInt32(index + n * 4);
		mixBlock(state, schedule);
	}
	return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

/** One block. `schedule` has its 16 words and is extended to 64; letters as in the standard. */
function mixBlock(state: Int32Array, schedule: Int32Array): void {
	for (let n = 16; n < BLOCK_BYTES; n += 1) {
		const early = schedule[n - 15] ?? 0;
		const late = schedule[n - 2] ?? 0;
		const small = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
		const large = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
		schedule[n] = (schedule[n - 16] ?? 0) + small + (schedule[n - 7] ?? 0) + large;
	}
	let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
	for (let n = 0; n < BLOCK_BYTES; n += 1) {
		const chosen = (e & f) ^ (~e & g);
		const first =
			(h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + chosen + (ROUNDS[n] ?? 0) + (schedule[n] ?? 0)) | 0;
		const majority = (a & b) ^ (a & c) ^ (b & c);
		const second = ((rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + majority) | 0;
		h = g;
		g = f;
		f = e;
		e = (d + first) | 0;
		d = c;
		c = b;
		b = a;
		a = (first + second) | 0;
	}
	for (const [n, value] of [a, b, c, d, e, f, g, h].entries()) state[n] = (state[n] ?? 0) + value;
}
