import { lstatSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { archiveFolderName } from '#lib/features/archive-name.ts';
import { FEATURE_NAME_RULE, isFeatureName } from '#lib/features/feature-name.ts';
import { isSafeId } from '#lib/ids/safe-id.ts';
import { type ArchiveOrigin, claimArchive, dropClaim, isTaken } from './archive-claim.ts';
import { findState, makeStateFolder, stateFolder } from './feature-folders.ts';
import { featureId } from './feature-id.ts';
import type { FeatureOutcome, FeaturePorts } from './feature-ports.ts';
import { sessionsOfFeature } from './feature-sessions.ts';
import { settleArchive } from './settle-archive.ts';
import { readTasks } from './tasks-document.ts';

const MOST_A_DAY = 999;

/** What is known of a feature's sessions. */
export interface ArchiveSessions {
	/**
	 * The result of `searchSessions`: nothing is searched then. `later` leaves the search to the server, for a hook that
	 * must answer soon.
	 */
	found?: readonly string[] | 'later';
	/** Further sessions. */
	sessions?: readonly string[];
}

/** Where a feature went. */
export interface Archived {
	/** The archive's id: its folder below `archive/` of the state root, and its place in the API. */
	id: string;
	/** The folder's name, `YYYY-MM-DD_<feature>` with `_2`, `_3` on clash. */
	folder: string;
	/** Relative to the project, as the `specs:archive` event says it. */
	path: string;
	/** The sessions that belong to it, as far as known now. */
	sessions: string[];
}

/**
 * Archives a feature of a project (in progress, paused or in the backlog). Its sessions are looked for in all timelines,
 * unless `found` says otherwise; `sessions` adds such that nothing there binds to it. Synchronous, holds no lock and overwrites nothing; throws where the disk refuses.
 *
 * The order makes every crash harmless: (1) a claim in the state root says what is meant; (2) one rename moves the
 * folder, and is what archives; (3) tasks.md, manifest.json and the `specs:archive` events follow, and the claim is
 * settled. Dead before (2): nothing has happened, `recoverArchives` drops the claim. Dead after it: `recoverArchives`
 * does (3) again, which may be repeated. The timelines are copied later, by the server or the command.
 */
export function archiveFeature(
	projectRoot: string,
	feature: string,
	world: FeaturePorts & ArchiveSessions,
): FeatureOutcome<Archived> {
	if (!isFeatureName(feature))
		return { ok: false, code: 'feature/name', detail: `A feature is named by ${FEATURE_NAME_RULE}.` };
	const state = findState(projectRoot, feature);
	if (!state) return { ok: false, code: 'feature/not-found', detail: `There is no feature ${feature} to archive.` };
	const target = makeStateFolder(projectRoot, 'archive');
	if (!target)
		return { ok: false, code: 'feature/outside', detail: 'specs/features/archive is no folder inside the project.' };

	const source = join(projectRoot, stateFolder(state), feature);
	if (lstatSync(join(source, 'manifest.json'), { throwIfNoEntry: false })) {
		return {
			ok: false,
			code: 'feature/state',
			detail: `Rename ${feature}'s own manifest.json: the archive writes one.`,
		};
	}
	const origin = originOf(projectRoot, feature, source, world);
	for (let nth = 1; nth <= MOST_A_DAY; nth++) {
		const folder = archiveFolderName(feature, origin.archivedAt, nth);
		if (lstatSync(join(target, folder), { throwIfNoEntry: false })) continue;
		const id = featureId(projectRoot, folder);
		const claim = { ...origin, folder };
		if (!claimArchive(world.home, id, claim)) continue;
		const moved = tryMove(source, join(target, folder));
		if (moved !== 'moved') dropClaim(world.home, id);
		if (moved === 'gone')
			return { ok: false, code: 'feature/not-found', detail: `Somebody else has just moved ${feature}.` };
		if (moved === 'taken') continue;
		settleArchive(id, claim, world);
		return { ok: true, id, folder, path: join(stateFolder('archive'), folder), sessions: origin.sessions };
	}
	return { ok: false, code: 'feature/busy', detail: `No free name is left for ${feature} in the archive today.` };
}

function originOf(root: string, feature: string, source: string, world: FeaturePorts & ArchiveSessions): ArchiveOrigin {
	const { header } = readTasks(root, source);
	const since = Date.parse(header.created ?? '');
	const later = world.found === 'later';
	const found =
		world.found === 'later' ? [] : (world.found ?? sessionsOfFeature({ home: world.home, root, feature, since }));
	return {
		root,
		folder: '',
		feature,
		archivedAt: world.now(),
		sessions: [...new Set([...found, ...(world.sessions ?? [])])].filter(isSafeId),
		...(later && { searchDue: true as const }),
		...(header.workflow && { workflow: header.workflow }),
		...(header.created && { created: header.created }),
	};
}

function tryMove(from: string, to: string): 'moved' | 'taken' | 'gone' {
	try {
		renameSync(from, to);
		return 'moved';
	} catch (error) {
		if (isTaken(error)) return 'taken';
		if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 'gone';
		throw error;
	}
}
