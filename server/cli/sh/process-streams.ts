import { StringDecoder } from 'node:string_decoder';
import { visibleString } from '#lib/text/visible-text.ts';
import { UsageError } from '../../process/command.ts';

const MAX_COMMAND_BYTES = 1024 * 1024;

const decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };

/**
 * Writes a command's output to this process's own streams, and waits where the reader is slow. A pipe gets the bytes as
 * they are; on a terminal, characters that would act instead of being seen are named.
 */
export async function processOutput(chunk: Buffer, name: 'stdout' | 'stderr'): Promise<void> {
	const stream = process[name];
	const shown = stream.isTTY ? visibleString(decoders[name].write(chunk)) : chunk;
	if (stream.write(shown)) return;
	await new Promise<void>((resolve) => {
		const go = (): void => {
			stream.off('drain', go).off('close', go).off('error', go);
			resolve();
		};
		stream.on('drain', go).on('close', go).on('error', go);
	});
}

/** A command from stdin, without its last line break. Throws UsageError when it is longer than 1 MiB. */
export async function readWholeStdin(): Promise<string> {
	const chunks: Buffer[] = [];
	let length = 0;
	for await (const chunk of process.stdin) {
		chunks.push(Buffer.from(chunk));
		length += chunk.length;
		if (length > MAX_COMMAND_BYTES) throw new UsageError('The command on stdin is longer than 1 MiB.');
	}
	return Buffer.concat(chunks)
		.toString('utf8')
		.replace(/\r?\n$/, '');
}
