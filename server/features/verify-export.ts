import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { ExportHead, ExportLine } from '#lib/contract/features.ts';
import { reasonOf } from '../failure-words.ts';

/** A line holds at most 1 MiB of a timeline or 32 MiB of a file, in base64. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
const NEWLINE = 10;

/** How an exported file is. `wrong` names the first place that is not as its manifest says. */
export type ExportCheck =
	| { ok: true; head: ExportHead; events: number }
	| { ok: false; wrong: string; head?: ExportHead };

/** Checks an exported archive from its first byte to its last; total for whatever the file holds. */
export async function verifyExport(path: string): Promise<ExportCheck> {
	const check = createCheck();
	try {
		await pipeline(createReadStream(path), createGunzip(), async (chunks: AsyncIterable<Buffer>) => {
			for await (const line of linesOf(chunks)) if (!check.take(line)) return;
		});
	} catch (error) {
		const why = reasonOf(error);
		const read = check.count();
		return check.wrong(
			read === 0 ? `its first line: this is no exported archive (${why})` : `after line ${read}: ${why}`,
		);
	}
	return check.end();
}

async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
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
		if (size > MAX_LINE_BYTES) throw new Error('a line that is too long');
	}
	if (size > 0) yield Buffer.concat(kept);
}

function createCheck() {
	const digest = createHash('sha256');
	const due = new Map<string, string>();
	let head: ExportHead | undefined;
	let count = 0;
	let events = 0;
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

	function piece(name: string, data: string, sha256: string | undefined): boolean {
		due.delete(name);
		const actual = createHash('sha256').update(Buffer.from(data, 'base64')).digest('hex');
		return actual === sha256 || fail(sha256 === undefined ? `${name}: not in the manifest` : name);
	}

	function takeLine(line: ExportLine): boolean {
		if ('timeline' in line) {
			const { file, from, to, data } = line.timeline;
			const name = `timeline ${file}, bytes ${from} to ${to}`;
			return piece(name, data, due.get(name));
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

	function takeEnd({ end }: Extract<ExportLine, { end: unknown }>): boolean {
		ended = true;
		const first = due.keys().next().value;
		if (first !== undefined) return fail(`${first}: missing`);
		return (
			(end.lines === count && end.sha256 === digest.digest('hex')) || fail('the end: lines were changed or removed')
		);
	}

	return {
		count: () => count,
		/** False when nothing more needs to be read. */
		take(bytes: Buffer): boolean {
			if (ended) return fail('the end: something comes after it');
			const value = parse(bytes);
			if (!head) {
				head = ExportHead.safeParse(value).data;
				if (!head) return fail('line 1: no manifest of an archive');
				expectPieces(head);
			} else {
				const line = ExportLine.safeParse(value).data;
				if (!line) return fail(`line ${count + 1}: not a line of an archive`);
				if ('end' in line) return takeEnd(line);
				if (!takeLine(line)) return false;
			}
			digest.update(bytes);
			count += 1;
			return true;
		},
		wrong: (wrong: string): ExportCheck => ({ ok: false, wrong: failure ?? wrong, ...(head && { head }) }),
		end(): ExportCheck {
			if (failure === undefined && !ended) failure = 'the end: it is missing, the file was cut';
			if (failure !== undefined || !head)
				return { ok: false, wrong: failure ?? 'line 1: no manifest', ...(head && { head }) };
			return { ok: true, head, events };
		},
	};
}

function parse(bytes: Buffer): unknown {
	try {
		return JSON.parse(bytes.toString('utf8'));
	} catch {
		return undefined;
	}
}
