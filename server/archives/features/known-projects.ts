import { isAbsolute } from 'node:path';
import { projectHash } from '#hooks-bridge/features/feature-id.ts';
import type { Ports } from '#hooks-bridge/ports/ports.ts';
import type { SessionView } from '#lib/session/view.ts';
import { isFolder } from '../../process/is-folder.ts';

export interface KnownProjectsOptions {
	views: () => SessionView[];
	ports: Pick<Ports, 'projectRootOf'>;
	/** Roots that are known in other ways, such as those of archives. */
	moreRoots: () => Iterable<string>;
}

/** A project that some session or archive was in, and is still there. */
export interface KnownProject {
	/** Absolute. */
	root: string;
	hash: string;
	/** The sessions whose last working directory is inside it. */
	views: SessionView[];
}

/** All known projects, by hash. */
export function knownProjects({ views, ports, moreRoots }: KnownProjectsOptions): Map<string, KnownProject> {
	const byRoot = new Map<string, SessionView[]>();
	for (const root of moreRoots()) byRoot.set(root, []);
	for (const view of views()) {
		if (view.cwd === undefined || !isAbsolute(view.cwd)) continue;
		const root = ports.projectRootOf(view.cwd);
		byRoot.set(root, [...(byRoot.get(root) ?? []), view]);
	}
	const projects = new Map<string, KnownProject>();
	for (const [root, ownViews] of byRoot) {
		if (!isFolder(root)) continue;
		const hash = projectHash(root);
		projects.set(hash, { root, hash, views: [...(projects.get(hash)?.views ?? []), ...ownViews] });
	}
	return projects;
}
