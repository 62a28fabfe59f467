import { readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '#hooks-bridge/disk/make-folder.ts';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import { buildRecording } from '#lib/replay/build-recording.ts';
import { LruMap } from '../../process/lru-map.ts';
import { openRecording, type RecordingFile, writeRecording } from './recording-file.ts';

/** Most bytes that the recordings of one folder may take; beyond it those opened longest ago are deleted and built again when asked for. */
const MAX_BYTES = 2 * 1024 ** 3;
/** Files that are open at once. */
const MAX_OPEN = 8;
const MAX_FAILURES = 100;

/** What a recording is wound from. */
export interface RecordingSource {
	/** Where its file is: a folder and a name in it, both safe to be one. */
	place: readonly [folder: string, name: string];
	/** How the session is called in the recording. */
	sessionId: string;
	/** Names what it is wound from: under another one the recording is wound anew. */
	stamp: string;
	/** Gives all events in their order, and tells the share that has been read, 0 to 1. Others get their turn. */
	read(add: (event: IndexedEvent) => void, tell: (done: number) => void): Promise<void>;
}

/** What is known at once of a recording: the recording, how far it is wound, or why that failed. */
export type Peeked = RecordingFile | { done: number } | { failed: unknown };

/** Recording in a folder, made where they are missing; nothing is lost with them. */
export interface RecordingFiles {
	/** Winds it first where there is none. Rejects with what `read` rejects with. */
	open(source: RecordingSource): Promise<RecordingFile>;
	/** What is known at once; what is not there yet begins to be wound. */
	peek(source: RecordingSource): Peeked;
	/** Lets go of all files. */
	close(): void;
}

interface Winding {
	stamp: string;
	/** The share that has been read, 0 to 1. */
	done: number;
	recording: Promise<RecordingFile>;
}

/** The recordings in the folder `root`, which is made with the first one. */
export function createRecordingFiles(root: string, maxBytes = MAX_BYTES): RecordingFiles {
	const open = new LruMap<string, { stamp: string; recording: RecordingFile }>(MAX_OPEN, ({ recording }) =>
		recording.close(),
	);
	const windings = new Map<string, Winding>();
	/** Called once to whoever looks next; then it is tried again. */
	const failures = new LruMap<string, unknown>(MAX_FAILURES);
	let queue: Promise<unknown> = Promise.resolve();

	function find(name: string, stamp: string): RecordingFile | null {
		const known = open.get(name);
		if (known?.stamp === stamp) return known.recording;
		open.delete(name);
		const path = join(root, name);
		const recording = openRecording(path, stamp);
		if (!recording) return null;
		const now = new Date();
		utimesSync(path, now, now);
		open.set(name, { stamp, recording });
		return recording;
	}

	/** One at a time: each takes its share of the time in which hooks are answered. */
	function begin(name: string, source: RecordingSource): Winding {
		const { stamp } = source;
		const running = windings.get(name);
		if (running?.stamp === stamp) return running;
		const winding: Winding = {
			stamp,
			done: 0,
			recording: queue.then(async () => {
				await wind(name, source, (done) => {
					winding.done = done;
				});
				const recording = find(name, stamp);
				if (!recording) throw new Error('the recording cannot be read back');
				return recording;
			}),
		};
		windings.set(name, winding);
		const end = () => {
			if (windings.get(name) === winding) windings.delete(name);
		};
		queue = winding.recording.then(end, (error: unknown) => {
			end();
			failures.set(name, error);
		});
		return winding;
	}

	async function wind(name: string, { sessionId, stamp, read }: RecordingSource, tell: (done: number) => void) {
		makeFolder(dirname(join(root, name)));
		const half = join(root, `${name}.half`);
		const writer = writeRecording(half);
		try {
			const winding = buildRecording(sessionId, writer);
			await read(winding.add, tell);
			writer.finish(stamp, winding.end());
		} catch (error) {
			writer.drop();
			throw error;
		}
		renameSync(half, join(root, name));
		makeRoom(name);
	}

	/** Removes the recordings that were opened longest ago, never the one that has just been made. A half one is none. */
	function makeRoom(made: string): void {
		const files = listRecordings(root).sort((a, b) => b.openedAt - a.openedAt);
		let sum = 0;
		for (const { name, bytes } of files) {
			sum += bytes;
			if (name === made || sum <= maxBytes) continue;
			open.delete(name);
			rmSync(join(root, name), { force: true });
		}
	}

	return {
		async open(source) {
			const name = nameOf(source);
			return find(name, source.stamp) ?? begin(name, source).recording;
		},
		peek(source) {
			const name = nameOf(source);
			const recording = find(name, source.stamp);
			if (recording) return recording;
			const failed = failures.get(name);
			failures.delete(name);
			return failed === undefined ? { done: begin(name, source).done } : { failed };
		},
		close: () => open.clear(),
	};
}

const nameOf = ({ place: [folder, name] }: RecordingSource) => join(folder, `${name}.reel`);

function listRecordings(root: string) {
	return readdirSync(root, { withFileTypes: true })
		.filter((entry) => entry.isDirectory())
		.flatMap((folder) => readdirSync(join(root, folder.name)).map((file) => join(folder.name, file)))
		.filter((name) => name.endsWith('.reel'))
		.map((name) => {
			const { size, mtimeMs } = statSync(join(root, name));
			return { name, bytes: size, openedAt: mtimeMs };
		});
}
