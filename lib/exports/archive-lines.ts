import type { ExportHead, ExportLine } from '../contract/archives/features.ts';

/** The first line is the manifest; each further one holds at most 1 MiB of a timeline or 32 MiB of a file, in base64. */
const MOST_HEAD_BYTES = 4 * 1024 * 1024;
const MOST_LINE_BYTES = 64 * 1024 * 1024;
const NEWLINE = 10;

/**
 * Cuts the unpacked bytes of an exported archive into lines, each with its newline. `hasLast`: bytes after the last newline
 * are a line, too. Throws for a line that is too long.
 */
export async function* archiveLines(
	chunks: AsyncIterable<Uint8Array>,
	{ hasLast }: { hasLast: boolean },
): AsyncGenerator<Uint8Array> {
	let kept: Uint8Array[] = [];
	let size = 0;
	let most = MOST_HEAD_BYTES;
	for await (const chunk of chunks) {
		let from = 0;
		for (let end = chunk.indexOf(NEWLINE); end !== -1; from = end + 1, end = chunk.indexOf(NEWLINE, from)) {
			yield joined([...kept, chunk.subarray(from, end + 1)]);
			kept = [];
			size = 0;
			most = MOST_LINE_BYTES;
		}
		kept.push(chunk.subarray(from));
		size += chunk.length - from;
		if (size > most) throw new Error('a line that is too long');
	}
	if (size > 0 && hasLast) yield joined(kept);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
	const [only] = parts;
	if (parts.length === 1 && only) return only;
	const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
	let at = 0;
	for (const part of parts) {
		whole.set(part, at);
		at += part.length;
	}
	return whole;
}

/** What checking needs of Node or a browser. */
export interface PieceReader {
	sha256(bytes: Uint8Array): string | Promise<string>;
	decode(base64: string): Uint8Array;
}

/** The pieces that a manifest announces, by their names for people, and which of them have not come yet. */
export class ArchivePieces {
	readonly #due = new Map<string, string>();
	readonly #documents: ReadonlyMap<string, string>;

	constructor({ redacted, manifest }: ExportHead) {
		this.#documents = new Map(manifest.documents.map(({ name, sha256 }) => [`document ${name}`, sha256]));
		if (redacted) return;
		for (const { sessionId, timelines, files } of manifest.sessions) {
			for (const { file, ranges } of timelines)
				for (const range of ranges) this.#due.set(timelineName({ file, ...range }), range.sha256);
			for (const { name, sha256 } of files) this.#due.set(`file ${sessionId}/${name}`, sha256);
		}
	}

	/** Compares a piece with the manifest. Gives its name if it is wrong, or null. */
	async findWrong(line: ExportLine, { sha256, decode }: PieceReader): Promise<string | null> {
		const piece = pieceOf(line);
		if (!piece) return null;
		const { name, data, length } = piece;
		const expected = this.#due.get(name) ?? this.#documents.get(name);
		this.#due.delete(name);
		const bytes = decode(data);
		if (length !== undefined && bytes.length !== length) return name;
		if (expected === undefined) return `${name}: not in the manifest`;
		return (await sha256(bytes)) === expected ? null : name;
	}

	/** The first piece that has not come. A document may be missing: its project may have lost it. */
	missing(): string | undefined {
		return this.#due.keys().next().value;
	}
}

const timelineName = ({ file, from, to }: { file: string; from: number; to: number }) =>
	`timeline ${file}, bytes ${from} to ${to}`;

function pieceOf(line: ExportLine): { name: string; data: string; length?: number } | null {
	if ('timeline' in line) {
		const { from, to, data } = line.timeline;
		return { name: timelineName(line.timeline), data, length: to - from };
	}
	if ('file' in line) return { name: `file ${line.file.sessionId}/${line.file.name}`, data: line.file.data };
	return 'document' in line ? { name: `document ${line.document.name}`, data: line.document.data } : null;
}
