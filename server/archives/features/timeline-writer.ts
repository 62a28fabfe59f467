import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Manifest, ManifestTimeline } from '#lib/contract/archives/features.ts';
import { AppError } from '#lib/contract/errors.ts';

/** A piece of a timeline as an export has it. */
interface Piece {
	file: string;
	from: number;
	data: string;
}

interface OpenTimeline {
	timeline: ManifestTimeline;
	/** Bytes so far. */
	at: number;
	digest: ReturnType<typeof createHash>;
	source: PassThrough;
	written: Promise<void>;
	/** Settles once the disk has nothing more to do with the file, which may come after `written`. */
	closed: Promise<unknown>;
}

/**
 * Writes kept timelines, compressed, from their pieces, which come one after another. `take` and `end` reject with
 * `request/invalid` where they do not make up what the manifest says.
 */
export function createTimelineWriter(folder: string, manifest: Manifest) {
	const known = new Map(manifest.sessions.flatMap(({ timelines }) => timelines).map((each) => [each.file, each]));
	let current: OpenTimeline | undefined;

	function begin(file: string): OpenTimeline {
		const timeline = known.get(file);
		if (!timeline) throw refused(file, 'comes twice');
		known.delete(file);
		const source = new PassThrough();
		const out = createWriteStream(join(folder, file), { flags: 'wx', mode: 0o600 });
		const closed = once(out, 'close');
		const written = pipeline(source, createGzip(), out);
		for (const promise of [closed, written]) promise.catch(() => undefined);
		return { timeline, at: 0, digest: createHash('sha256'), source, written, closed };
	}

	async function finish(): Promise<void> {
		if (!current) return;
		const { timeline, at, digest, source, written } = current;
		current = undefined;
		source.end();
		await written;
		if (at !== timeline.bytes || digest.digest('hex') !== timeline.sha256) throw refused(timeline.file, 'is not whole');
		const file = await open(join(folder, timeline.file));
		await file.sync().finally(() => file.close());
	}

	return {
		async take({ file, from, data }: Piece): Promise<void> {
			if (from === 0) {
				await finish();
				current = begin(file);
			}
			if (current?.timeline.file !== file || current.at !== from) throw refused(file, 'is out of order');
			const bytes = Buffer.from(data, 'base64');
			current.at += bytes.length;
			current.digest.update(bytes);
			if (current.source.write(bytes)) return;
			const { source, written } = current;
			await Promise.race([new Promise((resolve) => source.once('drain', resolve)), written]);
		},
		/** Resolves when all timelines of the manifest are on the disk. */
		async end(): Promise<void> {
			await finish();
			for (const { file, bytes } of known.values()) {
				if (bytes > 0) throw refused(file, 'is missing');
				current = begin(file);
				await finish();
			}
		},
		/** Lets go of what is open; of a whole import nothing is. */
		async close(): Promise<void> {
			current?.source.destroy();
			await Promise.allSettled([current?.written, current?.closed]);
		},
	};
}

const refused = (file: string, why: string) =>
	new AppError('request/invalid', `It is wrong at timeline ${file}, which ${why}. Nothing was imported.`);
