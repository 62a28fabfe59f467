import { setImmediate as turn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { listArchives, readOrigin } from '#hooks-bridge/features/archive-claim.ts';
import { addSessions, recoverArchives } from '#hooks-bridge/features/archive-feature.ts';
import type { FeaturePorts } from '#hooks-bridge/features/feature-ports.ts';
import { searchSessions } from '#hooks-bridge/features/feature-sessions.ts';
import type { Log } from '../../process/log.ts';
import type { TailBatch } from '../../timeline/tail/session-reader.ts';
import { readManifest, type SyncPorts, syncArchive } from './archive-sync.ts';
import { inTurns } from './in-turns.ts';

/** A session that goes on is copied again this long after it said something. */
const QUIET_MS = 60_000;
const ENDING: readonly string[] = ['session:end', 'session:lost', 'specs:archive'];

export interface ArchiveCopierOptions {
	world: FeaturePorts & SyncPorts;
	onBatch: (listener: (batch: TailBatch) => void) => () => void;
	log: Log;
	/** Called with each archive of which something new was kept. */
	onKept?: (id: string) => Promise<void>;
}

/** Keeps the timelines of archived features: copies them until their sessions have really ended, and again after. */
export interface ArchiveCopier {
	/** Ends what died in between, then copies what is new since the last run, one archive after another. */
	start(): void;
	/** Looks at an archive again: it has just been made. */
	added(id: string): void;
	/** Resolves when nothing is left to copy now. */
	whenSettled(): Promise<void>;
	stop(): Promise<void>;
}

/** Builds the copier; nothing is read before `start`. */
export function createArchiveCopier({ world, onBatch, log, onKept }: ArchiveCopierOptions): ArchiveCopier {
	const known = new Set<string>();
	const bySession = new Map<string, Set<string>>();
	const due = new Set<string>();
	const later = new Map<string, NodeJS.Timeout>();
	let work: Promise<void> | undefined;
	let looking: Promise<void> = Promise.resolve();
	let stopped = false;
	let unsubscribe = (): void => undefined;

	function watch(id: string, sessionIds: readonly string[]): void {
		known.add(id);
		for (const sessionId of sessionIds) {
			const ids = bySession.get(sessionId) ?? new Set();
			bySession.set(sessionId, ids.add(id));
		}
	}

	function enqueue(id: string): void {
		clearTimeout(later.get(id));
		later.delete(id);
		due.add(id);
		kick();
	}

	function kick(): void {
		if (work || stopped || due.size === 0) return;
		work = drain().finally(() => {
			work = undefined;
			kick();
		});
	}

	async function drain(): Promise<void> {
		for (const id of due) {
			if (stopped) return;
			due.delete(id);
			try {
				await search(id);
				const before = readManifest(world.home, id);
				const manifest = await syncArchive(id, world);
				watch(id, manifest?.sessions.map(({ sessionId }) => sessionId) ?? []);
				if (!isDeepStrictEqual(manifest, before)) await onKept?.(id);
			} catch (error) {
				log.error('An archived timeline could not be kept; it is tried again at the next start', error, {
					archive: id,
				});
			}
		}
	}

	/** Finds the sessions of an archive that a hook had no time to look for. */
	async function search(id: string): Promise<void> {
		const origin = readOrigin(world.home, id);
		if (!origin?.searchDue) return;
		const { root, feature, created = '' } = origin;
		const found = await inTurns(searchSessions({ home: world.home, root, feature, since: Date.parse(created) }));
		addSessions(id, origin, found, world);
	}

	/** Also finds archives that hooks made. One look after another. */
	function look(everything: boolean): void {
		looking = looking.then(async () => {
			try {
				if (everything) recoverArchives(world);
				for (const id of listArchives(world.home, world.now())) {
					if (!stopped && (everything || !known.has(id)) && readManifest(world.home, id)) added(id);
					await turn();
				}
			} catch (error) {
				log.error('The archives could not be looked through', error);
			}
		});
	}

	function added(id: string): void {
		watch(id, readOrigin(world.home, id)?.sessions ?? []);
		enqueue(id);
	}

	function heard({ sessionId, events }: TailBatch): void {
		const urgent = events.some(({ type }) => ENDING.includes(type));
		if (events.some(({ type }) => type === 'specs:archive')) look(false);
		for (const id of bySession.get(sessionId) ?? []) {
			if (urgent) enqueue(id);
			else if (!later.has(id)) later.set(id, setTimeout(enqueue, QUIET_MS, id).unref());
		}
	}

	return {
		start() {
			unsubscribe = onBatch(heard);
			look(true);
		},
		added,
		async whenSettled() {
			await looking;
			while (due.size > 0 || work !== undefined) await work;
		},
		async stop() {
			stopped = true;
			unsubscribe();
			for (const timer of later.values()) clearTimeout(timer);
			await looking;
			await work;
		},
	};
}
