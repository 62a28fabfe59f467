import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { makeFolder } from '#hooks-bridge/disk/make-folder.ts';
import type { FeatureSheet } from '#lib/contract/archives/features.ts';
import { AppError } from '#lib/contract/errors.ts';
import { hubNameOf } from '#lib/ids/session-name.ts';
import { sentence } from '#lib/messages/sentence.ts';
import {
	createRecordingFiles,
	type RecordingFiles,
	type RecordingSource,
} from '../../archives/replay/recording-files.ts';
import { createReplayService, type ReplayService } from '../../archives/replay/replay-service.ts';
import { LruMap } from '../../process/lru-map.ts';
import type { HubScope } from '../../timeline/store/hub-store.ts';
import { type Database, type DatabaseOptions, openDatabase } from '../../timeline/store/open-database.ts';
import type { SessionReads } from '../../timeline/store/session-reads.ts';
import type { Ask } from '../database/database.ts';
import { inScope } from '../timelines/session-place.ts';

const QUIET_MS = 60_000;
const MOST_HELD = 10_000;
const PAGE = 500;

interface Stand {
	epoch: string;
	seq: number;
}

export type HubRecordings = ReturnType<typeof openHubRecordings>;

export function openHubRecordings(folder: string, now: () => number) {
	const held = new LruMap<string, Stand & { until: number }>(MOST_HELD);
	let made: { recordingFiles: RecordingFiles; release(): void } | undefined;
	return {
		recordingFiles(): RecordingFiles {
			if (!made) {
				const { path, release } = holdFolder(folder);
				made = { recordingFiles: createRecordingFiles(path), release };
			}
			return made.recordingFiles;
		},
		standOf(name: string, stand: Stand): Stand {
			const known = held.get(name);
			if (known && known.epoch === stand.epoch && known.until > now()) return known;
			const fresh = { ...stand, until: now() + QUIET_MS };
			held.set(name, fresh);
			return fresh;
		},
		stop(): void {
			made?.recordingFiles.close();
			made?.release();
		},
	};
}

interface SessionStand extends Stand {
	session_id: string;
	off: number;
	gone: boolean;
}

interface HubRecordingsOptions {
	ask: Ask;
	scope: HubScope;
	reads: Pick<SessionReads, 'events'>;
	recordings: HubRecordings;
	demand(id: string): Promise<{ edge: number; sheet: FeatureSheet }>;
}

/** Made from the events that the hub has; only sessions that the reader may read are included. */
export function createHubRecordings({ ask, scope, reads, recordings, demand }: HubRecordingsOptions): ReplayService {
	async function standsOf(edge: number, ids: readonly string[]): Promise<Map<string, SessionStand>> {
		const found = await ask<SessionStand>`SELECT DISTINCT ON (s.session_id) s.session_id, s.off, s.seq, s.epoch,
				s.archived_at IS NOT NULL AND s.archive IS NULL AS gone
			FROM sessions s WHERE ${inScope(scope)} AND s.edge = ${edge} AND s.session_id = ANY (${ids})
			ORDER BY s.session_id, s.gen DESC, s.roll DESC`;
		return new Map(found.map((stand) => [stand.session_id, stand]));
	}

	function sourceOf(edge: number, { session_id: sessionId, ...stand }: SessionStand): RecordingSource {
		const name = hubNameOf({ edge, sessionId });
		const { epoch, seq } = recordings.standOf(name, stand);
		return {
			...{ place: [`${edge}`, sessionId], sessionId: name, stamp: `${epoch}.${seq}` },
			async read(add, done) {
				for (let at = 0; at < seq; ) {
					const events = await reads.events(name, { after: at, limit: PAGE });
					for (const event of events) if (event.seq <= seq) add(event);
					const last = events.at(-1)?.seq;
					if (last === undefined) throw new AppError('session/not-found');
					at = last;
					done(Math.min(1, at / seq));
					await turn();
				}
			},
		};
	}

	return createReplayService({
		async all(id) {
			const { edge, sheet } = await demand(id);
			const { sessions } = sheet.manifest;
			const stands = await standsOf(
				edge,
				sessions.map(({ sessionId }) => sessionId),
			);
			return sessions.map(({ sessionId, timelines }) => {
				const name = hubNameOf({ edge, sessionId });
				const stand = stands.get(sessionId);
				const bytes = timelines.at(-1)?.bytes ?? 0;
				if (!stand || stand.gone) {
					const why = stand
						? sentence('The hub does not keep this session any more.')
						: sentence('The hub does not have this session.');
					return { sessionId: name, peek: () => ({ failed: why }), lacks: why };
				}
				return {
					sessionId: name,
					peek: () => recordings.recordingFiles().peek(sourceOf(edge, stand)),
					...(stand.off < bytes && { lacks: sentence('Of this session the hub does not have everything yet.') }),
				};
			});
		},
		async open(id, name) {
			const { edge, sheet } = await demand(id);
			const ids = sheet.feature.sessions.filter((sessionId) => hubNameOf({ edge, sessionId }) === name);
			const [stand] = (await standsOf(edge, ids)).values();
			if (!stand || stand.gone) throw new AppError('session/not-found');
			return recordings.recordingFiles().open(sourceOf(edge, stand));
		},
	});
}

/** The lock ends with its process, also where replicas do not see each other's pids. */
const LOCK = 'held.db';

interface HeldFolder {
	path: string;
	release(): void;
}

export function holdFolder(parent: string): HeldFolder {
	makeFolder(parent);
	for (const name of readdirSync(parent)) removeWhereDead(join(parent, name));
	const path = mkdtempSync(join(parent, 'of-'));
	const lock = takeLock(path, {});
	return {
		path,
		release() {
			lock.close();
			rmSync(path, { recursive: true, force: true });
		},
	};
}

function takeLock(folder: string, options: DatabaseOptions): Database {
	const lock = openDatabase(join(folder, LOCK), options);
	try {
		lock.exec('BEGIN EXCLUSIVE');
		return lock;
	} catch (error) {
		lock.close();
		throw error;
	}
}

/** What cannot be removed now is removed next time. */
function removeWhereDead(path: string): void {
	try {
		const lock = takeLock(path, { fileMustExist: true, timeout: 0 });
		rmSync(path, { recursive: true, force: true });
		lock.close();
	} catch {}
}
