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

/** A running session is copied again this long after an event. */
const QUIET_MS = 60_000;
const ENDING: readonly string[] = ['session:end', 'session:lost', 'specs:archive'];

interface ArchiveCopierOptions {
	ports: FeaturePorts & SyncPorts;
	onBatch: (listener: (batch: TailBatch) => void) => () => void;
	log: Log;
	/** Called with each archive that got something new. */
	onCopy?: (id: string) => Promise<void>;
}

export type ArchiveCopier = ReturnType<typeof createArchiveCopier>;

/** Copies the timelines of archived features until their sessions have ended, and again after a session continued. */
export function createArchiveCopier({ ports, onBatch, log, onCopy }: ArchiveCopierOptions) {
	const known = new Set<string>();
	const bySession = new Map<string, Set<string>>();
	const due = new Set<string>();
	const later = new Map<string, NodeJS.Timeout>();
	let work: Promise<void> | undefined;
	let scan: Promise<void> = Promise.resolve();
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
		startWork();
	}

	function startWork(): void {
		if (work || stopped || due.size === 0) return;
		work = drain().finally(() => {
			work = undefined;
			startWork();
		});
	}

	async function drain(): Promise<void> {
		for (const id of due) {
			if (stopped) return;
			due.delete(id);
			try {
				await search(id);
				const before = readManifest(ports.home, id);
				const manifest = await syncArchive(id, ports);
				watch(id, manifest?.sessions.map(({ sessionId }) => sessionId) ?? []);
				if (!isDeepStrictEqual(manifest, before)) await onCopy?.(id);
			} catch (error) {
				log.error('An archived timeline could not be kept; it is tried again at the next start', error, {
					archive: id,
				});
			}
		}
	}

	/** Finds the sessions of an archive that a hook had no time to search for. */
	async function search(id: string): Promise<void> {
		const origin = readOrigin(ports.home, id);
		if (!origin?.searchDue) return;
		const { root, feature, created = '' } = origin;
		const found = await inTurns(searchSessions({ home: ports.home, root, feature, since: Date.parse(created) }));
		addSessions(id, origin, found, ports);
	}

	/** Finds archives that hooks made; one scan after another. */
	function scanArchives(everything: boolean): void {
		scan = scan.then(async () => {
			try {
				if (everything) recoverArchives(ports);
				for (const id of listArchives(ports.home, ports.now())) {
					if (!stopped && (everything || !known.has(id)) && readManifest(ports.home, id)) added(id);
					await turn();
				}
			} catch (error) {
				log.error('The archives could not be looked through', error);
			}
		});
	}

	function added(id: string): void {
		watch(id, readOrigin(ports.home, id)?.sessions ?? []);
		enqueue(id);
	}

	function onEvents({ sessionId, events }: TailBatch): void {
		const urgent = events.some(({ type }) => ENDING.includes(type));
		if (events.some(({ type }) => type === 'specs:archive')) scanArchives(false);
		for (const id of bySession.get(sessionId) ?? []) {
			if (urgent) enqueue(id);
			else if (!later.has(id)) later.set(id, setTimeout(enqueue, QUIET_MS, id).unref());
		}
	}

	return {
		/** Finishes interrupted work, then copies what is new, one archive after another. */
		start() {
			unsubscribe = onBatch(onEvents);
			scanArchives(true);
		},
		added,
		/** Resolves when nothing is left to copy. */
		async whenSettled() {
			await scan;
			while (due.size > 0 || work !== undefined) await work;
		},
		async stop() {
			stopped = true;
			unsubscribe();
			for (const timer of later.values()) clearTimeout(timer);
			await scan;
			await work;
		},
	};
}
