import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { archivePath, listArchives, readOrigin } from '#hooks-bridge/features/archive-claim.ts';
import { addSessions, archiveFeature, recoverArchives } from '#hooks-bridge/features/archive-feature.ts';
import type { FeatureChange, HomePorts } from '#hooks-bridge/features/feature-change.ts';
import { featureId } from '#hooks-bridge/features/feature-id.ts';
import { searchSessions } from '#hooks-bridge/features/feature-sessions.ts';
import { pauseFeature, recordMoved, resumeFeature } from '#hooks-bridge/features/move-feature.ts';
import { newFeature } from '#hooks-bridge/features/open-feature.ts';
import { type FoundFeature, listMarkdown, readDocument } from '#hooks-bridge/features/read-features.ts';
import type { Ports } from '#hooks-bridge/ports/ports.ts';
import type {
	FeatureAction,
	FeatureDetail,
	FeatureRecord,
	NewFeatureBody,
	ReadableFormat,
	RedactionCounts,
} from '#lib/contract/archives/features.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { Decider } from '#lib/contract/events/catalogue/approval.ts';
import { runsOfFeature, usageOfSessions } from '#lib/features/feature-work.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { workflows } from '#lib/workflow/registry.ts';
import { inTurns } from '../../process/in-turns.ts';
import type { Log } from '../../process/log.ts';
import { LruMap } from '../../process/lru-map.ts';
import type { JournalStore } from '../../timeline/store/journal-store.ts';
import type { TailBatch } from '../../timeline/tail/session-reader.ts';
import type { Tail } from '../../timeline/tail/tail.ts';
import { proofIn } from '../../timeline/tail/timeline-file.ts';
import { readManifest, type SyncPorts, syncArchive } from './archive-sync.ts';
import { readArchivedFile } from './archived-files.ts';
import type { ExportJob } from './export-archive.ts';
import { exportForPeople, previewRedaction } from './export-for-people.ts';
import { type CatalogEntry, createFeatureCatalog, type FeatureCatalog } from './feature-catalog.ts';
import { featureText, MAX_HANDOFFS } from './feature-text.ts';

/** A page asks at each change, and a search reads every timeline since the feature was created. */
const SEARCH_LIFE_MS = 30_000;
const MAX_SEARCHES = 200;

interface FeatureServiceOptions {
	ports: HomePorts & SyncPorts;
	catalog: FeatureCatalog;
	copier: Pick<ArchiveCopier, 'added'>;
	journal: Pick<JournalStore, 'append' | 'bySubject'>;
}

export type FeatureService = ReturnType<typeof createFeatureService>;

/** What people may see of features and do with them. Every function throws AppError `feature/...`. */
function createFeatureService({ ports, catalog, copier, journal }: FeatureServiceOptions) {
	const searches = new LruMap<string, { until: number; sessions: Promise<string[]> }>(MAX_SEARCHES);

	function demand(id: string, orArchived = false): CatalogEntry {
		const entry = catalog.find(id, orArchived);
		if (!entry) throw new AppError('feature/not-found');
		return entry;
	}

	function demandArchive(id: string, redacted: boolean): ExportJob {
		const origin = readOrigin(ports.home, id);
		const manifest = readManifest(ports.home, id);
		if (!origin || !manifest) throw new AppError('feature/not-found');
		return { origin, manifest, redacted };
	}

	function removedAt(id: string) {
		const row = journal.bySubject(`archive:${id}`).findLast(({ kind }) => kind === 'archive:prune');
		return row && { removedAt: row.ts };
	}

	async function searchSessionsOf(root: string, { path, feature, header }: FoundFeature): Promise<string[]> {
		const key = `${root}/${path}`;
		const known = searches.get(key);
		if (known && known.until > ports.now()) return known.sessions;
		const sessions = inTurns(
			searchSessions({ home: ports.home, root, feature, since: Date.parse(header.created ?? '') }),
		);
		searches.set(key, { until: ports.now() + SEARCH_LIFE_MS, sessions });
		return sessions;
	}

	return {
		list: () => catalog.list(),
		projects: () => catalog.projects(),

		/** Creates a feature as `signalbox feature new` does, bound to no session; the journal records the request first. */
		async create({ project, name, workflow, backlog }: NewFeatureBody, by: Decider): Promise<FeatureRecord> {
			const root = catalog.rootOf(project);
			if (root === undefined) throw new AppError('feature/project');
			const subject = `feature:${featureId(root, name)}`;
			const payload = { setting: 'feature', action: 'new', feature: name, project: root, by };
			await journal.append({ id: randomUUID(), kind: 'setting:change', subject, payload });
			// One box is for all stages of a name.
			const tasks = workflow && [...new Set(workflows[workflow].stages)];
			const start = { workflow, tasks, sessionId: HOME_SESSION, state: backlog ? 'backlog' : 'in-progress' } as const;
			return demand(featureId(root, must(newFeature(root, name, ports, start)).feature)).record;
		},

		/** One feature; its id from before it was archived finds its last archive. Searched sessions are cached for 30 s. */
		async detail(id: string): Promise<FeatureDetail> {
			const { project, found, record } = demand(id, true);
			const isArchived = found.state === 'archived';
			const sessions = isArchived ? record.sessions : await searchSessionsOf(project.root, found);
			const views = isArchived ? [] : project.views.filter(({ sessionId }) => sessions.includes(sessionId));
			const usage = usageOfSessions(views);
			const feature = { ...record, sessions, ...(usage && { usage }) };
			const documents = listMarkdown(project.root, found).map((name) => {
				const read = readDocument(project.root, found, name);
				return featureText(name, read.ok ? read.text : null);
			});
			const manifest = readManifest(ports.home, record.id);
			const handoffs = (manifest?.sessions ?? []).flatMap(({ sessionId, files }) =>
				files.filter(({ name }) => name.startsWith('handoffs/')).map((file) => ({ sessionId, file })),
			);
			const texts = handoffs.slice(0, MAX_HANDOFFS).map(async ({ sessionId, file }) => {
				const name = file.name.slice('handoffs/'.length);
				const bytes = await readArchivedFile(archivePath(ports.home, record.id), sessionId, file).catch(() => null);
				return { sessionId, ...featureText(name, bytes?.toString('utf8') ?? null) };
			});
			const runs = runsOfFeature(views, record.name);
			const more = {
				...(readOrigin(ports.home, record.id)?.imported && { imported: true as const }),
				...(isArchived && !manifest && removedAt(record.id)),
			};
			return { feature, runs, documents, manifest, handoffs: await Promise.all(texts), ...more };
		},

		/** An archived handoff or large value by its path below the session's folder. */
		async file(id: string, sessionId: string, name: string): Promise<Buffer> {
			const session = readManifest(ports.home, id)?.sessions.find((kept) => kept.sessionId === sessionId);
			const file = session?.files.find((kept) => kept.name === name);
			if (!file) throw new AppError('file/not-found');
			// A large value is named by its digest.
			if (name.startsWith('blobs/') && name !== `blobs/${file.sha256}`) throw new AppError('file/changed');
			return readArchivedFile(archivePath(ports.home, id), sessionId, file);
		},

		/** An archived feature as a text for people. */
		exported: async (id: string, format: ReadableFormat, redacted: boolean): Promise<string> =>
			exportForPeople(format, demandArchive(id, redacted), ports),
		/** Counts what a redacted export leaves out. */
		redaction: async (id: string): Promise<RedactionCounts> => previewRedaction(demandArchive(id, true), ports),

		/** Pauses, resumes or archives a feature; the journal records the request before the folder moves. */
		async act(id: string, action: FeatureAction, by: Decider): Promise<FeatureRecord> {
			const { project, found } = demand(id);
			const payload = { setting: 'feature', action, feature: found.feature, project: project.root, by };
			await journal.append({ id: randomUUID(), kind: 'setting:change', subject: `feature:${id}`, payload });
			const folder = await act(action, project.root, found);
			return demand(featureId(project.root, folder)).record;
		},
	};

	async function act(action: FeatureAction, root: string, { feature, state, header }: FoundFeature): Promise<string> {
		if (state === 'archived') throw new AppError('feature/state', 'An archived feature stays as it is.');
		const since = Date.parse(header.created ?? '');
		const sessions = await inTurns(searchSessions({ home: ports.home, root, feature, since }));
		switch (action) {
			case 'pause':
				return must(recordMoved('specs:pause', root, pauseFeature(root, feature), sessions, ports)).feature;
			case 'resume':
				return must(recordMoved('specs:resume', root, resumeFeature(root, feature), sessions, ports)).feature;
			case 'archive': {
				const archived = must(archiveFeature(root, feature, { ...ports, found: sessions }));
				copier.added(archived.id);
				return archived.folder;
			}
		}
	}
}

/** Throws a refusal as an AppError. */
function must<T>(outcome: FeatureChange<T>): T {
	if (outcome.ok) return outcome;
	throw new AppError(outcome.code, outcome.detail);
}

interface FeaturesOptions {
	/** The state root, absolute. */
	home: string;
	tail: Pick<Tail, 'views' | 'onBatch'>;
	ports: Pick<Ports, 'append' | 'projectRootOf'>;
	journal: Pick<JournalStore, 'append' | 'bySubject' | 'find'>;
	/** Milliseconds since the epoch. */
	now: () => number;
	log: Log;
	onCopy?: (id: string) => Promise<void>;
}

/** The features of a server: the service for people, and the copier of archived timelines. */
export function createFeatures(options: FeaturesOptions) {
	const { home, tail, ports, journal, now, log, onCopy } = options;
	const append: Ports['append'] = (sessionId, events) => ports.append(sessionId, events);
	const archivePorts = { home, now, append, proofOf: proofIn(journal) };
	const copier = createArchiveCopier({
		ports: archivePorts,
		onBatch: tail.onBatch,
		log,
		...(onCopy && { onCopy }),
	});
	const catalog = createFeatureCatalog({ home, views: tail.views, ports, now });
	return { service: createFeatureService({ ports: archivePorts, catalog, copier, journal }), copier };
}

/** A running session is copied again this long after an event. */
const QUIET_MS = 60_000;
const ENDING: readonly string[] = ['session:end', 'session:lost', 'specs:archive'];

interface ArchiveCopierOptions {
	ports: HomePorts & SyncPorts;
	onBatch: (listener: (batch: TailBatch) => void) => () => void;
	log: Log;
	/** Called with each archive that got something new. */
	onCopy?: (id: string) => Promise<void>;
}

type ArchiveCopier = ReturnType<typeof createArchiveCopier>;

/** Copies the timelines of archived features until their sessions have ended, and again after a session continued. */
function createArchiveCopier({ ports, onBatch, log, onCopy }: ArchiveCopierOptions) {
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
