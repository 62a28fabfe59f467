import { ExportHead, ExportLine } from '../contract/archives/features.ts';
import { parseEvent } from '../contract/events/event.ts';
import type { IndexedEvent } from '../contract/sessions/read-model/session-view.ts';
import { parsedJson } from '../json/json.ts';
import { memoryRecording } from '../replay/memory-recording.ts';
import type { CompleteRecording } from '../replay/recording.ts';
import type { ArchiveStory } from './archive-story.ts';

/** The readable part of an exported file. */
export interface OpenedArchive {
	/** Null if not even its manifest could be read. */
	story: ArchiveStory | null;
	/** The recordings of its sessions; empty if they are too large for memory. */
	recordings: readonly CompleteRecording[];
	/** The first wrong position, in words; null if the file is intact. */
	wrong: string | null;
}

/** Limits of what a page reads; the command line reads more. */
const MAX_HEAD = 4 * 1024 * 1024;
const MAX_LINE = 64 * 1024 * 1024;
const MAX_BYTES = 512 * 1024 * 1024;
const MAX_EVENTS = 200_000;
/** Of timelines; larger ones are listed but not played. */
const MAX_PLAYED = 128 * 1024 * 1024;
const NEWLINE = 10;

const NEWER = 'its first line: it is of a version that this page does not know';
const ALIEN = 'its first line: this is no exported archive';

/**
 * Reads an exported archive from its unpacked bytes, to look at it only: shows everything that can be read, and names the first
 * wrong position. Each piece of a timeline is compared with the manifest by `sha256` (hex). People's decisions cannot be proven
 * here, so they are unverified. Never throws; bounded.
 */
export async function readArchiveFile(
	chunks: AsyncIterable<Uint8Array>,
	sha256: (bytes: Uint8Array) => Promise<string>,
): Promise<OpenedArchive> {
	const reader = createReader(sha256);
	let wrong: string | null = null;
	try {
		for await (const line of linesOf(chunks, reader.isBegun)) {
			wrong = await reader.addLine(line);
			if (wrong !== null) break;
		}
	} catch (error) {
		wrong = reader.isBegun() ? `after line ${reader.count()}: ${reasonOf(error)}` : ALIEN;
	}
	wrong ??= reader.isEnded() ? null : reader.isBegun() ? 'its end: it is missing, the file was cut' : ALIEN;
	const { story, recordings } = reader.end();
	return { story: story && wrong !== null ? { ...story, missing: wrong } : story, recordings, wrong };
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

async function* linesOf(chunks: AsyncIterable<Uint8Array>, isBegun: () => boolean): AsyncGenerator<Uint8Array> {
	let rest: Uint8Array[] = [];
	let size = 0;
	let all = 0;
	for await (const chunk of chunks) {
		all += chunk.length;
		if (all > MAX_BYTES) throw new Error('it is larger than a page can hold; `signalbox archive import` takes it');
		let from = 0;
		for (let end = chunk.indexOf(NEWLINE); end !== -1; from = end + 1, end = chunk.indexOf(NEWLINE, from)) {
			yield joined([...rest, chunk.subarray(from, end)]);
			rest = [];
			size = 0;
		}
		rest.push(chunk.subarray(from));
		size += chunk.length - from;
		if (size > (isBegun() ? MAX_LINE : MAX_HEAD)) throw new Error('a line is too long');
	}
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
	const [only] = parts;
	if (parts.length === 1 && only) return only;
	const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
	let offset = 0;
	for (const part of parts) {
		whole.set(part, offset);
		offset += part.length;
	}
	return whole;
}

function createReader(sha256: (bytes: Uint8Array) => Promise<string>) {
	const decoder = new TextDecoder();
	let head: ExportHead | undefined;
	let count = 0;
	let events = 0;
	let bytesRead = 0;
	let isEnded = false;
	const due = new Map<string, string>();
	const documents: { name: string; text: string }[] = [];
	const sessions = new Map<string, ReturnType<typeof createSession>>();

	const sessionOf = (sessionId: string) => {
		const found = sessions.get(sessionId) ?? createSession(sessionId);
		sessions.set(sessionId, found);
		return found;
	};

	function begin(value: unknown): string | null {
		head = ExportHead.safeParse(value).data;
		if (!head) return isNewer(value) ? NEWER : ALIEN;
		for (const { timelines } of head.manifest.sessions)
			for (const { file, ranges } of timelines)
				for (const { from, to, sha256: digest } of ranges) due.set(`${file} ${from} ${to}`, digest);
		return null;
	}

	async function addTimeline({ sessionId, file, from, to, data }: TimelinePiece): Promise<string | null> {
		const bytes = bytesOf(data);
		const location = `timeline ${file}, bytes ${from} to ${to}`;
		if ((await sha256(bytes)) !== due.get(`${file} ${from} ${to}`)) return location;
		bytesRead += bytes.length;
		const session = sessionOf(sessionId);
		const more = session.bytes(bytes, file);
		if (bytesRead > MAX_PLAYED) for (const each of sessions.values()) each.letGo();
		return add(more);
	}

	function add(more: number): string | null {
		events += more;
		return events > MAX_EVENTS ? `line ${count + 1}: it has more events than a page shows` : null;
	}

	return {
		isBegun: () => head !== undefined,
		isEnded: () => isEnded,
		count: () => count,
		async addLine(bytes: Uint8Array): Promise<string | null> {
			if (isEnded) return 'its end: something comes after it';
			const value = parsedJson(decoder.decode(bytes));
			count += 1;
			if (!head) return begin(value);
			const line = ExportLine.safeParse(value).data;
			if (!line) return `line ${count}: it is none of an archive`;
			if ('timeline' in line) return addTimeline(line.timeline);
			if ('event' in line) return add(sessionOf(line.event.sessionId).event(line.event));
			if ('document' in line) {
				const { name, data } = line.document;
				documents.push({ name, text: decoder.decode(bytesOf(data)) });
			}
			if ('end' in line) isEnded = true;
			return null;
		},
		end(): Pick<OpenedArchive, 'story' | 'recordings'> {
			if (!head) return { story: null, recordings: [] };
			const { manifest, outcome, redacted } = head;
			const ended = Array.from(sessions.values(), (each) => each.end());
			return {
				story: { manifest, outcome, redacted, documents, sessions: ended.map(({ recording, ...session }) => session) },
				recordings: ended.flatMap(({ recording }) => recording ?? []),
			};
		},
	};
}

type TimelinePiece = Extract<ExportLine, { timeline: unknown }>['timeline'];

const isNewer = (value: unknown) =>
	typeof value === 'object' && value !== null && 'version' in value && Number(value.version) > 1;

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

/** One session's lines, whose pieces may cut a line anywhere. */
function createSession(sessionId: string) {
	const folded = memoryRecording(sessionId);
	const decoder = new TextDecoder();
	const seen = new Set<string>();
	let file = '';
	let rest = '';

	function event(value: unknown): number {
		if (typeof value !== 'object' || value === null) return 0;
		const line = { id: `${sessionId} ${seen.size + 1}`, ...value, sessionId };
		const parsed = parseEvent(line);
		if (!parsed || seen.has(parsed.id)) return 0;
		seen.add(parsed.id);
		const isDecision = /^(?:approval|grant|alarm|note):/.test(parsed.type);
		folded.add({ ...parsed, seq: seen.size, ...(isDecision && { unverified: true as const }) } as IndexedEvent);
		return 1;
	}

	return {
		event,
		/** Adds the next piece of a timeline; returns the number of its events. */
		bytes(piece: Uint8Array, of: string): number {
			if (of !== file) rest = '';
			file = of;
			const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
			rest = lines.pop() ?? '';
			return lines.reduce((sum, line) => sum + event(parsedJson(line)), 0);
		},
		letGo: folded.letGo,
		end: folded.end,
	};
}
