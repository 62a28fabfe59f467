import { fstatSync, readFileSync } from 'node:fs';

/** The largest hook input that is taken: 32 MiB. */
export const MAX_INPUT_BYTES = 32 * 1024 * 1024;

/** What came on stdin, or why it is not complete; `text` then holds what there was. */
export type StdinRead = { ok: true; text: string } | { ok: false; text: string; reason: string };

/** Reads stdin to its end, at most 32 MiB and for at most `deadlineMs`. Never rejects. */
export function readStdin(deadlineMs: number): Promise<StdinRead> {
	const file = readRegularFile();
	if (file) return Promise.resolve(file);
	return new Promise((resolve) => {
		const chunks: Buffer[] = [];
		let length = 0;
		const finish = (reason?: string): void => {
			clearTimeout(timer);
			const text = Buffer.concat(chunks).toString('utf8');
			resolve(reason === undefined ? { ok: true, text } : { ok: false, text, reason });
			if (reason !== undefined) process.stdin.destroy();
		};
		const timer = setTimeout(() => finish('the hook input did not end in time'), deadlineMs);
		process.stdin.on('data', (chunk: Buffer) => {
			chunks.push(chunk);
			length += chunk.length;
			if (length > MAX_INPUT_BYTES) finish('the hook input is larger than 32 MiB');
		});
		process.stdin.on('end', () => finish());
		process.stdin.on('error', () => finish('the hook input could not be read'));
	});
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
