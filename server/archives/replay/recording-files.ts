import { readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '#hooks-bridge/disk/make-folder.ts';
import { buildRecording } from '#lib/replay/build-recording.ts';
import type { IndexedEvent } from '#lib/session/view.ts';
import { LruMap } from '../../process/lru-map.ts';
import { openRecording, type ReelFile, writeRecording } from './recording-file.ts';

/** All reels of a shelf may take so much of the disk; then those that were opened longest ago are made again when asked for. */
const MAX_BYTES = 2 * 1024 ** 3;
/** Files that are open at once. */
const MAX_OPEN = 8;
const MAX_FAILURES = 100;

/** What a reel is wound from. */
export interface ReelSource {
	/** Its file on the shelf: a folder and a name in it, both safe to be one. */
	place: readonly [folder: string, name: string];
	/** How the session is called in the recording. */
	sessionId: string;
	/** Names what it is wound from: under another one the reel is wound anew. */
	stamp: string;
	/** Gives all events in their order, and tells the share that has been read, 0 to 1. Others get their turn. */
	read(add: (event: IndexedEvent) => void, tell: (done: number) => void): Promise<void>;
}

/** What is known at once of a reel: the reel, how far it is wound, or why that failed. */
export type Peeked = ReelFile | { done: number } | { failed: unknown };

/** Reels in a folder, made where they are missing; nothing is lost with them. */
export interface RecordingFiles {
	/** Winds it first where there is none. Rejects with what `read` rejects with. */
	open(source: ReelSource): Promise<ReelFile>;
	/** What is known at once; what is not there yet begins to be wound. */
	peek(source: ReelSource): Peeked;
	/** Lets go of all files. */
	close(): void;
}

interface Winding {
	stamp: string;
	/** The share that has been read, 0 to 1. */
	done: number;
	reel: Promise<ReelFile>;
}

/** A shelf in the folder `root`, which is made with the first reel. */
export function createRecordingFiles(root: string, maxBytes = MAX_BYTES): RecordingFiles {
	const open = new LruMap<string, { stamp: string; reel: ReelFile }>(MAX_OPEN, ({ reel }) => reel.close());
	const windings = new Map<string, Winding>();
	/** Told once to whoever looks next; then it is tried again. */
	const failures = new LruMap<string, unknown>(MAX_FAILURES);
	let queue: Promise<unknown> = Promise.resolve();

	function find(name: string, stamp: string): ReelFile | null {
		const known = open.get(name);
		if (known?.stamp === stamp) return known.reel;
		open.delete(name);
		const path = join(root, name);
		const reel = openRecording(path, stamp);
		if (!reel) return null;
		const now = new Date();
		utimesSync(path, now, now);
		open.set(name, { stamp, reel });
		return reel;
	}

	/** One at a time: each may keep a whole timeline in memory. */
	function begin(name: string, source: ReelSource): Winding {
		const { stamp } = source;
		const running = windings.get(name);
		if (running?.stamp === stamp) return running;
		const winding: Winding = {
			stamp,
			done: 0,
			reel: queue.then(async () => {
				await wind(name, source, (done) => {
					winding.done = done;
				});
				const reel = find(name, stamp);
				if (!reel) throw new Error(`the reel ${name} cannot be read back`);
				return reel;
			}),
		};
		windings.set(name, winding);
		const end = () => {
			if (windings.get(name) === winding) windings.delete(name);
		};
		queue = winding.reel.then(end, (error: unknown) => {
			end();
			failures.set(name, error);
		});
		return winding;
	}

	async function wind(name: string, { sessionId, stamp, read }: ReelSource, tell: (done: number) => void) {
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

	/** Removes the reels that were opened longest ago, never the one that has just been made. A half one is none. */
	function makeRoom(made: string): void {
		const files = listReels(root).sort((a, b) => b.openedAt - a.openedAt);
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
			return find(name, source.stamp) ?? begin(name, source).reel;
		},
		peek(source) {
			const name = nameOf(source);
			const reel = find(name, source.stamp);
			if (reel) return reel;
			const failed = failures.get(name);
			failures.delete(name);
			return failed === undefined ? { done: begin(name, source).done } : { failed };
		},
		close: () => open.clear(),
	};
}

const nameOf = ({ place: [folder, name] }: ReelSource) => join(folder, `${name}.reel`);

function listReels(root: string) {
	return readdirSync(root, { withFileTypes: true })
		.filter((entry) => entry.isDirectory())
		.flatMap((folder) => readdirSync(join(root, folder.name)).map((file) => join(folder.name, file)))
		.filter((name) => name.endsWith('.reel'))
		.map((name) => {
			const { size, mtimeMs } = statSync(join(root, name));
			return { name, bytes: size, openedAt: mtimeMs };
		});
}
