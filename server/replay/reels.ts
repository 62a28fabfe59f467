import { readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '#hooks-bridge/disk/make-folder.ts';
import { archivePath } from '#hooks-bridge/features/archive-claim.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { ManifestSession } from '#lib/contract/features.ts';
import { windReel } from '#lib/replay/wind-reel.ts';
import { readManifest, type SyncWorld } from '../features/archive-sync.ts';
import { inTurns } from '../features/in-turns.ts';
import { keptEvents, unpackAsFar } from '../features/kept-events.ts';
import { fileStamp } from '../file-stamp.ts';
import type { Log } from '../log.ts';
import { LruMap } from '../lru-map.ts';
import { openReel, type ReelFile, writeReel } from './reel-file.ts';

/** All reels of a home may take so much of the disk; then those that were opened longest ago are made again when asked for. */
const MAX_BYTES = 2 * 1024 ** 3;
/** Files that are open at once. */
const MAX_OPEN = 8;
const MAX_FAILURES = 100;

export interface ReelsOptions {
	world: SyncWorld;
	log: Log;
	/** Bytes; tests take less. */
	maxBytes?: number;
}

/** The reels of archived sessions: derived from the archives, kept beside the index, and made again where they are gone. */
export interface Reels {
	/** The reel of a kept session, wound first where there is none. Rejects with `session/not-found`, `archive/damaged`. */
	open(id: string, sessionId: string): Promise<ReelFile>;
	/** What is known at once; undefined while it is wound, which this begins. */
	peek(id: string, sessionId: string): ReelFile | { done: number } | { failed: unknown };
	/** Winds all sessions of an archive that have ended, one after another; a failure is logged. */
	prepare(id: string): Promise<void>;
	/** Lets go of all files. */
	close(): void;
}

interface Winding {
	stamp: string;
	/** The share that has been read, 0 to 1. */
	done: number;
	reel: Promise<ReelFile>;
}

/** Where they lie: in a folder for each archive, by its id. */
export const reelsFolder = (home: string) => join(home, 'reels');

/** Opens the reels of a home; nothing is read before one is asked for. */
export function createReels({ world, log, maxBytes = MAX_BYTES }: ReelsOptions): Reels {
	const root = reelsFolder(world.home);
	const open = new LruMap<string, { stamp: string; reel: ReelFile }>(MAX_OPEN, ({ reel }) => reel.close());
	const windings = new Map<string, Winding>();
	/** Told once to whoever looks next; then it is tried again. */
	const failures = new LruMap<string, unknown>(MAX_FAILURES);
	let queue: Promise<unknown> = Promise.resolve();

	function demand(id: string, sessionId: string) {
		const manifest = readManifest(world.home, id);
		const session = manifest?.sessions.find((kept) => kept.sessionId === sessionId);
		if (!manifest || !session) throw new AppError('session/not-found');
		// A file that was changed or broken since is not what the reel was wound from.
		const stamp = session.timelines.map(({ file, sha256 }) => [
			sha256,
			fileStamp(join(archivePath(world.home, id), file)),
		]);
		return { session, birth: manifest.archivedAt, stamp: stamp.join() };
	}

	function find(id: string, sessionId: string, stamp: string): ReelFile | null {
		const name = nameOf(id, sessionId);
		const known = open.get(name);
		if (known?.stamp === stamp) return known.reel;
		open.delete(name);
		const path = join(root, name);
		const reel = openReel(path, stamp);
		if (!reel) return null;
		const now = new Date();
		utimesSync(path, now, now);
		open.set(name, { stamp, reel });
		return reel;
	}

	/** One at a time: each keeps a whole timeline in memory. */
	function begin(id: string, sessionId: string): Winding {
		const { session, birth, stamp } = demand(id, sessionId);
		const name = nameOf(id, sessionId);
		const running = windings.get(name);
		if (running?.stamp === stamp) return running;
		const winding: Winding = {
			stamp,
			done: 0,
			reel: queue.then(async () => {
				await wind(name, { id, session, birth, stamp }, (done) => {
					winding.done = done;
				});
				const reel = find(id, sessionId, stamp);
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

	async function wind(name: string, of: WindJob, tell: (done: number) => void): Promise<void> {
		const { id, session, birth, stamp } = of;
		const { sessionId } = session;
		const timelines = await unpackAsFar(archivePath(world.home, id), session);
		const lengths = session.timelines.map(({ bytes }) => bytes);
		const source = { sessionId, proofOf: world.proofOf, birth, lengths };
		makeFolder(join(root, id));
		const half = join(root, `${name}.half`);
		const writer = writeReel(half);
		try {
			const winding = windReel(sessionId, writer);
			const bytes = timelines.reduce((sum, { length }) => sum + length, 0);
			await inTurns(
				(function* () {
					let read = 0;
					for (const { event, from, to } of keptEvents(timelines, source)) {
						winding.add(event);
						read += to - from;
						tell(Math.min(1, read / bytes));
						yield;
					}
				})(),
			);
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

	async function openWound(id: string, sessionId: string): Promise<ReelFile> {
		const { stamp } = demand(id, sessionId);
		return find(id, sessionId, stamp) ?? begin(id, sessionId).reel;
	}

	return {
		open: openWound,
		peek(id, sessionId) {
			const { stamp } = demand(id, sessionId);
			const reel = find(id, sessionId, stamp);
			if (reel) return reel;
			const name = nameOf(id, sessionId);
			const failed = failures.get(name);
			failures.delete(name);
			return failed === undefined ? { done: begin(id, sessionId).done } : { failed };
		},
		async prepare(id) {
			for (const { sessionId, ended } of readManifest(world.home, id)?.sessions ?? []) {
				if (!ended) continue;
				try {
					await openWound(id, sessionId);
				} catch (error) {
					log.error('A recording could not be prepared; it is tried again when it is opened', error, { archive: id });
				}
			}
		},
		close: () => open.clear(),
	};
}

interface WindJob {
	id: string;
	session: ManifestSession;
	birth: string;
	stamp: string;
}

const nameOf = (id: string, sessionId: string) => join(id, `${sessionId}.reel`);

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
