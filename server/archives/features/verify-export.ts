import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { constants, createGunzip } from 'node:zlib';
import { systemErrorCode } from '#hooks-bridge/disk/system-error-code.ts';
import { ExportHead, ExportLine } from '#lib/contract/archives/features.ts';
import { parsedJson } from '#lib/json/json.ts';
import { reasonOf } from '../../process/failure-words.ts';

/** A line holds at most 1 MiB of a timeline or 32 MiB of a file, in base64. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
/** No home has a larger manifest. */
const MAX_HEAD_BYTES = 4 * 1024 * 1024;
/** The fixed head of an export, without name or time. The last byte is the system's, Unix or macOS. */
const GZIP_HEAD = /^1f8b0800000000000003$|^1f8b0800000000000013$/;
const NEWLINE = 10;
/** Bytes unpacked at once: each piece has a fixed cost. */
const PIECE_BYTES = 256 * 1024;
/** The end of a flushed block, an empty last block, and eight bytes of check. */
const GZIP_END_BYTES = 14;

/** The state of an exported file. `wrong` names the first position that differs from its manifest. */
export type ExportCheck =
	| { ok: true; head: ExportHead; events: number }
	| { ok: false; wrong: string; head?: ExportHead };

/** Receives each valid line of an export, one after another. What it throws is passed to the caller. */
export type ExportSink = (line: ExportHead | ExportLine) => Promise<void>;

/** Checks an exported archive completely; never throws for its content. For a truncated file `wrong` says how far it can be read. */
export async function verifyExport(path: string, sink?: ExportSink): Promise<ExportCheck> {
	const check = createCheck();
	const failed = await readExport(path, check, 'whole', sink);
	if (failed === undefined) return check.end();
	const read = check.count();
	const why = reasonOf(failed);
	if (isTruncated(failed)) {
		// An error may hide complete lines before it: these still count.
		const cut = createCheck();
		const other = await readExport(path, cut, 'cut');
		if (other === undefined && cut.count() > 0) return cut.end();
	}
	return check.wrong(
		read === 0 ? `its first line: this is no exported archive (${why})` : `after line ${read}: ${why}`,
	);
}

const isTruncated = (error: unknown) => systemErrorCode(error) === 'Z_BUF_ERROR';

/** Passes every line to the check; of a truncated file only the complete ones. Returns why it had to end, or undefined. */
async function readExport(
	path: string,
	check: ReturnType<typeof createCheck>,
	extent: 'whole' | 'cut',
	sink?: ExportSink,
): Promise<unknown> {
	let refused: unknown;
	let sunk: Promise<void> | undefined;
	const isWhole = extent === 'whole';
	const gunzip = createGunzip({ chunkSize: PIECE_BYTES, ...(!isWhole && { finishFlush: constants.Z_SYNC_FLUSH }) });
	try {
		await pipeline(
			createReadStream(path, { highWaterMark: PIECE_BYTES }),
			framed(isWhole),
			gunzip,
			async (chunks: AsyncIterable<Buffer>) => {
				for await (const bytes of linesOf(chunks, check.count, isWhole)) {
					const line = check.checkLine(bytes);
					if (line === null) return;
					try {
						sunk = sink?.(line);
						await sunk;
					} catch (error) {
						refused = error;
						throw error;
					}
				}
				if (!isWhole) check.cut();
			},
		);
	} catch (error) {
		// The pipeline ends with the first error, even while a line is being checked.
		await sunk?.catch(() => undefined);
		if (refused !== undefined) throw refused;
		return error;
	}
}

/** Passes a file's bytes on if it begins like an export; rejects at its end if meaningless bits are set. */
const framed = (isWhole: boolean) =>
	async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
		let tail: Buffer | undefined;
		for await (const chunk of chunks) {
			if (!tail && !GZIP_HEAD.test(chunk.toString('hex', 0, 10)))
				throw new Error('its first bytes are not those of one');
			tail = Buffer.concat([tail ?? Buffer.alloc(0), chunk.subarray(-GZIP_END_BYTES)]).subarray(-GZIP_END_BYTES);
			yield chunk;
		}
		const end = tail?.toString('hex') ?? '';
		if (isWhole && end.startsWith('0000ffff') && !end.startsWith('0000ffff0300'))
			throw new Error('its last bytes were changed');
	};

async function* linesOf(chunks: AsyncIterable<Buffer>, count: () => number, isWhole: boolean): AsyncGenerator<Buffer> {
	let kept: Buffer[] = [];
	let size = 0;
	for await (const chunk of chunks) {
		let from = 0;
		for (let end = chunk.indexOf(NEWLINE); end !== -1; from = end + 1, end = chunk.indexOf(NEWLINE, from)) {
			yield Buffer.concat([...kept, chunk.subarray(from, end + 1)]);
			kept = [];
			size = 0;
		}
		kept.push(chunk.subarray(from));
		size += chunk.length - from;
		if (size > (count() === 0 ? MAX_HEAD_BYTES : MAX_LINE_BYTES)) throw new Error('a line that is too long');
	}
	if (size > 0 && isWhole) yield Buffer.concat(kept);
}

function createCheck() {
	const digest = createHash('sha256');
	const due = new Map<string, string>();
	let head: ExportHead | undefined;
	let count = 0;
	let events = 0;
	let timelineBytes = 0;
	let failure: string | undefined;
	let ended = false;

	function fail(wrong: string): false {
		failure ??= wrong;
		return false;
	}

	function expectPieces({ redacted, manifest }: ExportHead): void {
		if (redacted) return;
		for (const { sessionId, timelines, files } of manifest.sessions) {
			for (const { file, ranges } of timelines) {
				for (const { from, to, sha256 } of ranges) due.set(`timeline ${file}, bytes ${from} to ${to}`, sha256);
			}
			for (const { name, sha256 } of files) due.set(`file ${sessionId}/${name}`, sha256);
		}
	}

	function piece(name: string, data: string, sha256: string | undefined, length?: number): boolean {
		due.delete(name);
		const bytes = Buffer.from(data, 'base64');
		if (length !== undefined && bytes.length !== length) return fail(name);
		const actual = createHash('sha256').update(bytes).digest('hex');
		return actual === sha256 || fail(sha256 === undefined ? `${name}: not in the manifest` : name);
	}

	function checkContent(line: ExportLine): boolean {
		if ('timeline' in line) {
			const { file, from, to, data } = line.timeline;
			const name = `timeline ${file}, bytes ${from} to ${to}`;
			timelineBytes += to - from;
			return piece(name, data, due.get(name), to - from);
		}
		if ('file' in line) {
			const name = `file ${line.file.sessionId}/${line.file.name}`;
			return piece(name, line.file.data, due.get(name));
		}
		if ('document' in line) {
			const known = head?.manifest.documents.find(({ name }) => name === line.document.name);
			return piece(`document ${line.document.name}`, line.document.data, known?.sha256);
		}
		if ('event' in line) events += 1;
		return true;
	}

	function checkEnd({ end }: Extract<ExportLine, { end: unknown }>): boolean {
		ended = true;
		const first = due.keys().next().value;
		if (first !== undefined) return fail(`${first}: missing`);
		return (
			(end.lines === count && end.sha256 === digest.digest('hex')) || fail('the end: lines were changed or removed')
		);
	}

	function refuse(wrong: string): null {
		fail(wrong);
		return null;
	}

	function counted<Line>(bytes: Buffer, line: Line): Line {
		digest.update(bytes);
		count += 1;
		return line;
	}

	return {
		count: () => count,
		/** The line if it is valid; null if nothing more must be read. */
		checkLine(bytes: Buffer): ExportHead | ExportLine | null {
			if (ended) return refuse('the end: something comes after it');
			const value = parsedJson(bytes.toString('utf8'));
			if (!head) {
				head = ExportHead.safeParse(value).data;
				if (!head) return refuse(`line 1: ${whyNoHead(value)}`);
				expectPieces(head);
				return counted(bytes, head);
			}
			const line = ExportLine.safeParse(value).data;
			if (!line) return refuse(`line ${count + 1}: not a line of an archive`);
			if ('end' in line) return checkEnd(line) ? line : null;
			return checkContent(line) ? counted(bytes, line) : null;
		},
		cut(): void {
			const timelines = head?.manifest.sessions.flatMap((session) => session.timelines) ?? [];
			const all = timelines.reduce((sum, { bytes }) => sum + bytes, 0);
			const far = head?.redacted ? `${events} events` : `${timelineBytes} of ${all} bytes of timelines`;
			fail(`after line ${count}, where the file was cut: ${far} can be read`);
		},
		wrong: (wrong: string): ExportCheck => ({ ok: false, wrong: failure ?? wrong, ...(head && { head }) }),
		end(): ExportCheck {
			if (failure === undefined && !ended) this.cut();
			if (failure !== undefined || !head)
				return { ok: false, wrong: failure ?? 'line 1: no manifest', ...(head && { head }) };
			return { ok: true, head, events };
		},
	};
}

function whyNoHead(value: unknown): string {
	const isOurs = typeof value === 'object' && value !== null && 'signalbox' in value && value.signalbox === 'archive';
	if (!isOurs || !('version' in value) || typeof value.version !== 'number' || value.version <= 1)
		return 'no manifest of an archive';
	return `an archive of version ${value.version}, which this signalbox does not know; take a newer one`;
}
