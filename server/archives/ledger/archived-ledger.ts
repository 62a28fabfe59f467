import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { archivePath, listArchives } from '#hooks-bridge/features/archive-claim.ts';
import type { DecisionRecord } from '#lib/contract/archives/decisions.ts';
import type { Manifest, ManifestSession } from '#lib/contract/archives/features.ts';
import { ledgerCollector } from '#lib/ledger/ledger-collector.ts';
import { fileStamp } from '../../process/file-stamp.ts';
import type { Log } from '../../process/log.ts';
import { LruMap } from '../../process/lru-map.ts';
import { readManifest, type SyncPorts } from '../features/archive-sync.ts';
import { archiveEvents } from '../features/archived-events.ts';

const MAX_SESSIONS = 1000;
const MAX_EVENTS = 200_000;
/** Beyond every row number of the index, so that archived lines come first at one instant. */
const PLACE_BASE = 4e15;

/** A line of a session that only an archive holds, with its place among those of the index. */
export interface ArchivedLine {
	record: DecisionRecord;
	place: string;
}

export type ArchivedLedger = ReturnType<typeof createArchivedLedger>;

type Source = SyncPorts & { log: Log; now: () => number };

/**
 * Decisions of sessions that only archives hold. Sessions are folded one by one at the first request and kept in memory; an
 * unreadable one is logged and has none.
 */
export function createArchivedLedger({ log, now, ...ports }: Source) {
	const manifests = new LruMap<string, { stamp: string; manifest: Manifest | null }>(MAX_SESSIONS);
	const known = new LruMap<string, readonly ArchivedLine[]>(MAX_SESSIONS);
	const reading = new Map<string, Promise<void>>();
	let queue: Promise<unknown> = Promise.resolve();

	function manifestOf(id: string): Manifest | null {
		const stamp = fileStamp(join(archivePath(ports.home, id), 'manifest.json'));
		const found = manifests.get(id);
		if (found?.stamp === stamp) return found.manifest;
		const manifest = readManifest(ports.home, id);
		manifests.set(id, { stamp, manifest });
		return manifest;
	}

	async function readOne(key: string, manifest: Manifest, session: ManifestSession): Promise<void> {
		try {
			known.set(key, await linesOf(manifest, session, ports));
		} catch (error) {
			known.set(key, []);
			log.error('What was decided in an archive cannot be read', error, { archive: manifest.id });
		}
	}

	function begin(key: string, manifest: Manifest, session: ManifestSession): void {
		if (reading.has(key)) return;
		const work = queue.then(() => readOne(key, manifest, session));
		reading.set(key, work);
		queue = work.finally(() => reading.delete(key));
	}

	return {
		/** Newest first, from the archives read so far; `unread` sessions are still being read. */
		async read(
			isHere: (sessionId: string) => Promise<boolean>,
		): Promise<{ lines: readonly ArchivedLine[]; unread: number }> {
			const lines: ArchivedLine[] = [];
			const seen = new Set<string>();
			let unread = 0;
			const found = listArchives(ports.home, now()).flatMap((id) => manifestOf(id) ?? []);
			for (const manifest of found.sort((one, other) => (one.archivedAt < other.archivedAt ? 1 : -1))) {
				for (const session of manifest.sessions) {
					// If two archives contain a session, the later one has more of it.
					if (seen.has(session.sessionId) || (await isHere(session.sessionId))) continue;
					seen.add(session.sessionId);
					const key = [manifest.id, session.sessionId, ...session.timelines.map(({ sha256 }) => sha256)].join(' ');
					const own = known.get(key);
					if (own) lines.push(...own);
					else begin(key, manifest, session);
					unread += own ? 0 : 1;
				}
			}
			return { lines: lines.sort(newestFirst), unread };
		},
	};
}

async function linesOf(manifest: Manifest, session: ManifestSession, ports: SyncPorts): Promise<ArchivedLine[]> {
	const collector = ledgerCollector(session.sessionId);
	let count = 0;
	for await (const { event } of archiveEvents(ports, manifest, session)) {
		collector.add(event);
		count += 1;
		if (count === MAX_EVENTS) break;
	}
	return collector.lines().map((line) => ({ record: { ...line, archive: manifest.id }, place: linePosition(line) }));
}

const linePosition = ({ sessionId, rowKey, at }: DecisionRecord) =>
	`${Date.parse(at)}-${PLACE_BASE + createHash('sha256').update(`${sessionId} ${rowKey}`).digest().readUIntBE(0, 6)}`;

/** Whether the place `a` comes before `b` in a list that begins with the newest. */
export function isNewer(a: string, b: string): boolean {
	const [at = 0, row = 0] = a.split('-').map(Number);
	const [otherAt = 0, otherRow = 0] = b.split('-').map(Number);
	return at > otherAt || (at === otherAt && row > otherRow);
}

const newestFirst = (one: ArchivedLine, other: ArchivedLine) =>
	one.place === other.place ? 0 : isNewer(one.place, other.place) ? -1 : 1;
