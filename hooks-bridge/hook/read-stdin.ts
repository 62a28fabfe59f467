import { fstatSync, readFileSync } from 'node:fs';

/** The largest hook input that is taken: 32 MiB. */
export const MAX_INPUT_BYTES = 32 * 1024 * 1024;

const LATE = 'the hook input did not end in time';
const LARGE = 'the hook input is larger than 32 MiB';

/** What came on stdin, or why it is not complete; `text` then holds what there was. */
export type StdinRead = { ok: true; text: string } | { ok: false; text: string; reason: string };

/**
 * Reads stdin to its end, at most 32 MiB and for at most `deadlineMs`. With `isEnded` another program sees to its end, and
 * says by a zero byte that it did not come. Never rejects.
 */
export function readStdin(deadlineMs: number, isEnded: boolean): Promise<StdinRead> {
	const whole = isEnded ? readEnded() : readRegularFile();
	if (whole) return Promise.resolve(whole);
	return new Promise((resolve) => {
		const chunks: Buffer[] = [];
		let length = 0;
		const finish = (reason?: string): void => {
			clearTimeout(timer);
			const text = Buffer.concat(chunks).toString('utf8');
			resolve(reason === undefined ? { ok: true, text } : { ok: false, text, reason });
			if (reason !== undefined) process.stdin.destroy();
		};
		const timer = setTimeout(() => finish(LATE), deadlineMs);
		process.stdin.on('data', (chunk: Buffer) => {
			chunks.push(chunk);
			length += chunk.length;
			if (length > MAX_INPUT_BYTES) finish(LARGE);
		});
		process.stdin.on('end', () => finish());
		process.stdin.on('error', () => finish('the hook input could not be read'));
	});
}

/** Waits for the end, since it comes; undefined where stdin cannot be read so. */
function readEnded(): StdinRead | undefined {
	try {
		const bytes = readFileSync(0);
		const isLate = bytes.at(-1) === 0;
		const text = bytes.toString('utf8', 0, bytes.length - (isLate ? 1 : 0));
		if (isLate) return { ok: false, text, reason: LATE };
		return bytes.length > MAX_INPUT_BYTES ? { ok: false, text, reason: LARGE } : { ok: true, text };
	} catch {
		return undefined;
	}
}

/** A file ends by itself; loading the streams that wait for a client costs 3 ms. */
function readRegularFile(): StdinRead | undefined {
	try {
		const stat = fstatSync(0);
		if (!stat.isFile() || stat.size > MAX_INPUT_BYTES) return undefined;
		return { ok: true, text: readFileSync(0, 'utf8') };
	} catch {
		return undefined;
	}
}
