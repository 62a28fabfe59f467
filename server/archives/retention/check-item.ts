import { isAbsolute } from 'node:path';
import { readOrigin } from '#hooks-bridge/features/archive-claim.ts';
import { findState } from '#hooks-bridge/features/feature-folders.ts';
import { boundFeatures } from '#hooks-bridge/features/feature-sessions.ts';
import type { ManifestSession } from '#lib/contract/archives/features.ts';
import type { KeptBecause, RetentionItem } from '#lib/contract/archives/retention.ts';
import { readManifest } from '../features/archive-sync.ts';
import { inTurns } from '../features/in-turns.ts';
import { verifyArchive } from '../features/verify-archive.ts';
import { isKeptWhole, leftFiles } from './left-files.ts';

/** What `checkItem` needs of the machine. */
export interface CheckPorts {
	home: string;
	projectRootOf: (folder: string) => string;
}

/**
 * Compares what would go with what stays, byte by byte: an archive must be as its manifest says, and a session's timeline
 * the same as in its archive. Gives why it must stay, or null. An archive is read once for all its sessions.
 */
export function createItemCheck({ home, projectRootOf }: CheckPorts) {
	const verified = new Map<string, Promise<string | null>>();

	function verify(id: string): Promise<string | null> {
		const known = verified.get(id) ?? verifyArchive(home, id);
		verified.set(id, known);
		return known;
	}

	async function sessionStays(session: ManifestSession, archive: string): Promise<KeptBecause | null> {
		const path = leftFiles(home, session)?.timeline;
		if (path === undefined) return null;
		const bound = await inTurns(boundFeatures(path));
		const roots = new Set([readOrigin(home, archive)?.root, ...bound.places.filter(isAbsolute).map(projectRootOf)]);
		const isOpen = (name: string) => [...roots].some((root) => root !== undefined && findState(root, name));
		if ([...bound.names].some(isOpen)) return 'open-feature';
		return (await isKeptWhole(session, path)) ? null : 'different';
	}

	return async ({ what, id, archive }: RetentionItem): Promise<KeptBecause | null> => {
		if ((await verify(archive)) !== null) return 'damaged';
		if (what === 'archive') return readManifest(home, archive)?.complete ? null : 'unfinished';
		const session = readManifest(home, archive)?.sessions.find(({ sessionId }) => sessionId === id);
		return session ? sessionStays(session, archive) : 'damaged';
	};
}
