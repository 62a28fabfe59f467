import { closeSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AbortLine, Transcripts } from '#hooks-bridge/agents/agent-adapter.ts';
import { gatherAnswers, type PlacedLine } from '#lib/usage/gather-answers.ts';
import { readLines, tailDigest } from '../tail/timeline-file.ts';
import {
	beginsWithHint,
	cursorAt,
	openTranscript,
	resumeAt,
	type TranscriptCursor,
	type TranscriptFile,
} from './transcript-file.ts';

/** How far a transcript was read, with the answer that may not be whole yet. */
export interface TranscriptReading extends TranscriptCursor {
	held?: PlacedLine | undefined;
}

/** Which file is read, and from where. */
export interface TranscriptWish {
	path: string;
	/** Nothing outside this folder is read. */
	root: string;
	transcripts: Pick<Transcripts, 'hint' | 'readAnswer' | 'aborts'>;
	/** Where the last reading ended; without one `from` says how much is known already. */
	reading?: TranscriptReading | undefined;
	from: number;
	/** Nothing more is to come: what is held counts as it is. */
	isOver: boolean;
	/** Takes what one piece of the file held. */
	take: (answers: readonly PlacedLine[]) => void;
	/** Takes that a person stopped a turn. */
	takeAbort: (abort: AbortLine) => void;
	/** Something that a person should know, once for a session. */
	tell: (why: string) => void;
}

/**
 * Reads what is new in a transcript, a piece in each turn of the event loop. Gives where the next reading goes on;
 * undefined where there is no file that may be read. Rejects with what the disk says.
 */
export async function readTranscript(wish: TranscriptWish): Promise<TranscriptReading | undefined> {
	const file = openTranscript(wish.path, wish.root);
	if (file === null) return undefined;
	if ('refused' in file) {
		wish.tell(`The transcript is not read, so tokens are not counted: ${file.refused}`);
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
			if (abort) wish.takeAbort(abort);
		},
		tooLong(offset) {
			// Most lines of such a size hold an image or a tool's output.
			if (beginsWithHint(fd, offset, hint))
				wish.tell('A line of the transcript is too long; its tokens are not counted');
		},
	});
	const { whole, held } = gatherAnswers(reading.held, lines);
	const isLast = !more && wish.isOver && held;
	wish.take(isLast ? [...whole, held] : whole);
	const { device, inode } = file;
	const digest = tailDigest(fd, position.offset);
	return { reading: { device, inode, ...position, digest, held: isLast ? undefined : held }, more };
}
