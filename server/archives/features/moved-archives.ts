import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readBounded } from '#hooks-bridge/disk/bounded-read.ts';
import { archivePath, readOrigin, settleClaim } from '#hooks-bridge/features/archive-claim.ts';
import { readFeatureId } from '#hooks-bridge/features/feature-id.ts';
import type { FoundFeature } from '#hooks-bridge/features/read-features.ts';
import { fileStamp } from '../../process/file-stamp.ts';
import { LruMap } from '../../process/lru-map.ts';
import type { KnownProject } from './known-projects.ts';

const MAX_KEPT = 20_000;

/** Archives are named after the place of their project when they were made; a project may be moved since. */
export function createMovedArchives(home: string) {
	const knownIds = new LruMap<string, { stamp: string; id: string }>(MAX_KEPT);

	/** The id that the manifest beside the documents has; empty without one. */
	function idIn(root: string, path: string): string {
		const manifest = join(root, path, 'manifest.json');
		const stamp = fileStamp(manifest);
		const known = knownIds.get(manifest);
		if (known?.stamp === stamp) return known.id;
		const read = stamp === '' ? null : readBounded(manifest, root);
		const id = read?.ok ? parsedId(read.text) : '';
		knownIds.set(manifest, { stamp, id });
		return id;
	}

	return {
		/**
		 * The id of an archived feature: that of its place, or the one that its manifest names, where no project is at
		 * the place that this stands for any more: the archive then comes from here from now on. That of an import, too.
		 */
		idOf({ root, hash }: KnownProject, found: FoundFeature, projects: ReadonlyMap<string, KnownProject>): string {
			const own = `${hash}-${found.folder}`;
			if (existsSync(archivePath(home, own))) return own;
			const id = idIn(root, found.path);
			const parts = readFeatureId(id);
			if (parts?.nameOrFolder !== found.folder) return own;
			const origin = readOrigin(home, id);
			if (!origin || origin.folder !== found.folder || origin.by) return own;
			const place = projects.get(parts.project);
			// An import comes from its own folder, also where the project that made it is known and has no such documents.
			if (origin.root === root) return place && existsSync(join(place.root, found.path)) ? own : id;
			// A clone has the manifest as well; the archive is that of the project which still is where it was.
			if (place || existsSync(origin.root)) return own;
			settleClaim(home, id, { ...origin, root });
			return id;
		},
	};
}

function parsedId(text: string): string {
	try {
		const manifest: unknown = JSON.parse(text);
		return typeof manifest === 'object' && manifest !== null && 'id' in manifest ? String(manifest.id) : '';
	} catch {
		return '';
	}
}
