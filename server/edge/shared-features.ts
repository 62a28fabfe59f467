import { hash } from 'node:crypto';
import { basename, join } from 'node:path';
import { readBoundedBytes } from '#hooks-bridge/disk/bounded-read.ts';
import { type ArchiveOrigin, archivePath, listArchives, readOrigin } from '#hooks-bridge/features/archive-claim.ts';
import { stateFolder } from '#hooks-bridge/features/feature-folders.ts';
import { isShown, readFeatureIn } from '#hooks-bridge/features/read-features.ts';
import { FIRST_AGENT } from '#lib/agents/agent-table.ts';
import {
	type FeatureOutcome,
	FeatureSheet,
	filesOf,
	MAX_FEATURE_BYTES,
	MAX_FEATURE_FILE,
	MAX_FEATURE_FILES,
	type Manifest,
} from '#lib/contract/archives/features.ts';
import { readManifest, readOutcome } from '../archives/features/archive-sync.ts';
import { readArchivedFile } from '../archives/features/archived-files.ts';
import { featureWithoutContent } from '../archives/features/feature-text.ts';
import { fileStamp } from '../process/file-stamp.ts';
import { inTurns } from '../process/in-turns.ts';
import type { Log } from '../process/log.ts';
import { LruMap } from '../process/lru-map.ts';
import type { Membership } from './membership.ts';
import type { SharedSessions } from './shared-sessions.ts';

const MAX_SHEETS = 4;

interface CachedSheet {
	stamp: string;
	digest: string;
	text: Buffer;
	sheet: FeatureSheet;
	origin: ArchiveOrigin;
}

/** Only what a sheet names leaves the machine. */
export function createSharedFeatures(
	home: string,
	{ content }: Membership['share'],
	shared: Pick<SharedSessions, 'isSharedProject' | 'isShared' | 'makeOf'>,
	now: () => number,
	log: Pick<Log, 'warn'>,
) {
	const digests = new Map<string, { stamp: string; digest: string | undefined }>();
	const made = new LruMap<string, CachedSheet>(MAX_SHEETS);

	const stampOf = (id: string) =>
		['manifest.json', 'outcome.json', 'origin.json'].map((name) => fileStamp(join(archivePath(home, id), name))).join();

	function cachedSheet(id: string): CachedSheet | undefined {
		const stamp = stampOf(id);
		const known = made.get(id);
		if (known?.stamp === stamp) return known;
		const origin = readOrigin(home, id);
		const manifest = readManifest(home, id);
		// An unfinished archive is announced later; one from elsewhere, by its own machine.
		if (!origin || !manifest || origin.by || origin.imported || !shared.isSharedProject(origin.root)) return;
		const sheet = content === 'shape' ? withoutContent(sheetOf(id, origin, manifest)) : sheetOf(id, origin, manifest);
		const text = Buffer.from(JSON.stringify(sheet));
		const why = whyNotValid(sheet, text);
		if (why !== undefined) {
			log.warn('edge: an archived feature is not announced to the hub', { archive: id, reason: why });
			return;
		}
		const fresh = { stamp, digest: hash('sha256', text), text, sheet, origin };
		made.set(id, fresh);
		return fresh;
	}

	function sheetOf(id: string, origin: ArchiveOrigin, manifest: Manifest): FeatureSheet {
		const { header, tasks } = readFeatureIn(origin.root, 'archived', origin.folder);
		const own = manifest.sessions.filter(({ sessionId }) => shared.isShared(sessionId));
		const ids = own.map(({ sessionId }) => sessionId);
		const outcome = readOutcome(home, id);
		const travels = choose(manifest, own);
		const sessions = own.map(({ timelines, files, ...session }) => ({
			...session,
			timelines: timelines.map((timeline) => ({ ...timeline, ranges: [] })),
			files: files.filter(travels),
		}));
		const documents = manifest.documents.filter(travels);
		return {
			v: 1,
			feature: {
				id,
				project: basename(origin.root),
				name: origin.feature,
				state: 'archived',
				tasks,
				...(header.workflow && { workflow: header.workflow }),
				...(header.created && { created: header.created }),
				archivedAt: header.archivedAt ?? origin.folder.slice(0, 10),
				sessions: ids,
				makes: [...new Set(ids.map((session) => shared.makeOf(session) ?? FIRST_AGENT))].sort(),
				...(outcome && { outcome: countedIn(outcome, new Set(ids)) }),
			},
			manifest: { ...manifest, documents, sessions },
			unshared: manifest.sessions.length - own.length,
			left: filesOf({ documents: manifest.documents, sessions: own }).length - filesOf({ documents, sessions }).length,
		};
	}

	async function fileOf({ sheet, origin }: CachedSheet, id: string, digest: string): Promise<Buffer | undefined> {
		const fits = ({ sha256 }: { sha256: string }) => sha256 === digest;
		const document = sheet.manifest.documents.find(fits);
		if (document) {
			const path = join(origin.root, stateFolder('archive'), origin.folder, document.name);
			const read = readBoundedBytes(path, origin.root);
			// A file that was changed after archiving is another document.
			return read.ok && hash('sha256', read.bytes) === digest ? read.bytes : undefined;
		}
		for (const { sessionId, files } of sheet.manifest.sessions) {
			const file = files.find(fits);
			if (file) return readArchivedFile(archivePath(home, id), sessionId, file).catch(() => undefined);
		}
		return undefined;
	}

	return {
		async listChanged(): Promise<{ id: string; sheet: string }[]> {
			const ids = listArchives(home, now());
			const known = new Set(ids);
			for (const id of digests.keys()) if (!known.has(id)) digests.delete(id);
			await inTurns(
				(function* () {
					for (const id of ids) {
						const stamp = stampOf(id);
						if (digests.get(id)?.stamp !== stamp) digests.set(id, { stamp, digest: cachedSheet(id)?.digest });
						yield;
					}
				})(),
			);
			return [...digests].flatMap(([id, { digest }]) => (digest === undefined ? [] : [{ id, sheet: digest }]));
		},
		async read(id: string, digest: string): Promise<Buffer | undefined> {
			const found = digests.has(id) ? cachedSheet(id) : undefined;
			if (!found) return undefined;
			// The project may have changed the sheet since: it is announced again.
			digests.set(id, { stamp: found.stamp, digest: found.digest });
			return found.digest === digest ? found.text : fileOf(found, id, digest);
		},
	};
}

export type SharedFeatures = ReturnType<typeof createSharedFeatures>;

/** Checked as the hub does, which would end the connection. */
function whyNotValid(sheet: FeatureSheet, text: Buffer): string | undefined {
	if (text.length > MAX_FEATURE_FILE) return `its sheet has ${text.length} bytes, more than ${MAX_FEATURE_FILE}`;
	const issue = FeatureSheet.safeParse(sheet).error?.issues[0];
	return issue && `${issue.path.join('.') || 'its sheet'}: ${issue.message}`;
}

/** Within the limits: documents that a page shows, then handoffs, then blobs. */
function choose({ documents }: Manifest, sessions: Manifest['sessions']): (file: { bytes: number }) => boolean {
	const files = sessions.flatMap((session) => session.files);
	const isHandoff = ({ name }: { name: string }) => name.startsWith('handoffs/');
	const wanted = [
		...documents.filter(({ name }) => isShown(name)),
		...files.filter(isHandoff),
		...files.filter((file) => !isHandoff(file)),
	];
	const chosen = new Set<object>();
	let sum = 0;
	for (const file of wanted) {
		if (file.bytes > MAX_FEATURE_FILE || sum + file.bytes > MAX_FEATURE_BYTES || chosen.size === MAX_FEATURE_FILES)
			continue;
		chosen.add(file);
		sum += file.bytes;
	}
	return (file) => chosen.has(file);
}

/** A span is `SESSION:FROM-TO`; those of unshared sessions are removed. */
function countedIn(outcome: FeatureOutcome, ids: ReadonlySet<string>): FeatureOutcome {
	const { spans, ...counts } = outcome;
	return spans ? { ...counts, spans: spans.filter((span) => ids.has(span.slice(0, span.lastIndexOf(':')))) } : counts;
}

function withoutContent({ feature, manifest, left, ...sheet }: FeatureSheet): FeatureSheet {
	const { created: _created, workflow: _workflow, ...kept } = manifest;
	const named = featureWithoutContent(feature);
	return {
		...sheet,
		feature: { ...named, archivedAt: manifest.archivedAt },
		manifest: {
			...kept,
			...(named.workflow && { workflow: named.workflow }),
			documents: [],
			sessions: manifest.sessions.map((session) => ({ ...session, files: [] })),
		},
		left: left + filesOf(manifest).length,
	};
}
