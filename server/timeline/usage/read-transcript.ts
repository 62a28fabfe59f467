import { closeSync, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AbortLine, Transcripts } from '#hooks-bridge/agents/agent-adapter.ts';
import { isInside } from '#hooks-bridge/disk/bounded-read.ts';
import { systemErrorCode } from '#hooks-bridge/disk/system-error-code.ts';
import { gatherAnswers, type PlacedLine } from '#lib/usage/model-answer.ts';
import { READ_FLAGS, readLines, tailDigest } from '../tail/timeline-file.ts';

/** How far a transcript was read, with an answer that may be incomplete. */
export interface TranscriptReading extends TranscriptCursor {
	held?: PlacedLine | undefined;
}

interface TranscriptWish {
	path: string;
	/** No file outside is read. */
	root: string;
	transcripts: Pick<Transcripts, 'hint' | 'readAnswer' | 'aborts'>;
	/** Where the last reading ended; else `from` comes from the timeline. */
	reading?: TranscriptReading | undefined;
	from: number;
	/** No more lines come: the held answer is final. */
	isOver: boolean;
	onAnswers: (answers: readonly PlacedLine[]) => void;
	/** A person stopped a turn. */
	onAbort: (abort: AbortLine) => void;
	warn: (why: string) => void;
}

/** Reads what is new, one piece a turn. Returns where to continue; undefined if no file may be read. */
export async function readTranscript(wish: TranscriptWish): Promise<TranscriptReading | undefined> {
	const file = openTranscript(wish.path, wish.root);
	if (file === null) return undefined;
	if ('refused' in file) {
		wish.warn(`The transcript is not read, so tokens are not counted: ${file.refused}`);
		return undefined;
	}
	try {
		let reading: TranscriptReading = wish.reading
			? resumeAt(file, wish.reading)
			: { ...cursorAt(file, wish.from), held: undefined };
		for (;;) {
			const next = readPiece(file, reading, wish);
			reading = next.reading;
			if (!next.more) return reading;
			await nextTurn();
		}
	} finally {
		closeSync(file.fd);
	}
}

function readPiece(file: TranscriptFile, reading: TranscriptReading, wish: TranscriptWish) {
	const { fd } = file;
	const { hint, readAnswer, aborts } = wish.transcripts;
	const lines: PlacedLine[] = [];
	const { position, more } = readLines(fd, reading, {
		line(line, offset) {
			const answer = line.includes(hint) ? readAnswer(line.toString('utf8')) : null;
			if (answer) lines.push({ ...answer, readTo: offset + line.length + 1 });
			const abort = aborts && line.includes(aborts.hint) ? aborts.read(line.toString('utf8')) : null;
			if (abort) wish.onAbort(abort);
		},
		tooLong(offset) {
			// Most lines of such a size hold an image or a tool's output.
			if (beginsWithHint(fd, offset, hint))
				wish.warn('A line of the transcript is too long; its tokens are not counted');
		},
	});
	const { whole, held } = gatherAnswers(reading.held, lines);
	const isLast = !more && wish.isOver && held;
	wish.onAnswers(isLast ? [...whole, held] : whole);
	const { device, inode } = file;
	const digest = tailDigest(fd, position.offset);
	return { reading: { device, inode, ...position, digest, held: isLast ? undefined : held }, more };
}

const MAX_BYTES = 1024 * 1024 * 1024;
const NEWLINE = 10;

interface TranscriptFile {
	fd: number;
	device: number;
	inode: number;
	size: number;
}

interface Refusal {
	refused: string;
}

interface TranscriptCursor extends Omit<TranscriptFile, 'fd' | 'size'> {
	offset: number;
	scanned: number;
	digest: string;
}

/** Opens a plain file of this user below `root`, not through a link: its path comes from the agent. */
function openTranscript(path: string, root: string): TranscriptFile | Refusal | null {
	let fd: number | undefined;
	try {
		const stat = lstatSync(path, { throwIfNoEntry: false });
		if (!stat) return null;
		if (!stat.isFile()) return { refused: 'it is a link or no plain file' };
		if (!isInside(path, root)) return { refused: 'it leads out of the client’s folder through a link' };
		fd = openSync(path, READ_FLAGS);
		const { dev: device, ino: inode, size, uid } = fstatSync(fd);
		if (device !== stat.dev || inode !== stat.ino) return closeRefused(fd, 'it was replaced while it was opened');
		if (uid !== process.getuid?.()) return closeRefused(fd, 'it belongs to another user');
		if (size > MAX_BYTES) return closeRefused(fd, 'it is larger than 1 GiB');
		return { fd, device, inode, size };
	} catch (error) {
		const code = systemErrorCode(error) ?? 'error';
		return code === 'ENOENT' || code === 'ENOTDIR' ? null : closeRefused(fd, `it cannot be read (${code})`);
	}
}

function closeRefused(fd: number | undefined, refused: string): Refusal {
	if (fd !== undefined) closeSync(fd);
	return { refused };
}

/** At the cursor, if this is the same file and was not rewritten; else at the start. */
function resumeAt(file: TranscriptFile, cursor: TranscriptCursor | undefined): TranscriptCursor {
	const { fd, device, inode, size } = file;
	const isSame =
		cursor &&
		cursor.device === device &&
		cursor.inode === inode &&
		cursor.scanned <= size &&
		tailDigest(fd, cursor.offset) === cursor.digest;
	return isSame ? cursor : cursorAt(file, 0);
}

/** At `offset` if a line ends there, else at the start. */
function cursorAt({ fd, device, inode, size }: TranscriptFile, offset: number): TranscriptCursor {
	const isLineEnd = offset > 0 && offset <= size && byteAt(fd, offset - 1) === NEWLINE;
	const at = isLineEnd ? offset : 0;
	return { device, inode, offset: at, scanned: at, digest: tailDigest(fd, at) };
}

function byteAt(fd: number, position: number): number | undefined {
	const byte = Buffer.alloc(1);
	return readSync(fd, byte, 0, 1, position) === 1 ? byte[0] : undefined;
}

function beginsWithHint(fd: number, offset: number, hint: string): boolean {
	const head = Buffer.alloc(4096);
	return head.subarray(0, readSync(fd, head, 0, head.length, offset)).includes(hint);
}
