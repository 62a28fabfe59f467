import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What has become of the built pages under a server that runs. */
export type BuildState = 'same' | 'replaced' | 'removed';

/** Looks whether the built pages of a package are still those that were there first: npm replaces them under a server. */
export function watchBuild(root: string): () => BuildState {
	const first = readBuild(root);
	return () => {
		const now = readBuild(root);
		if (now === first) return 'same';
		return now === undefined ? 'removed' : 'replaced';
	};
}

/** The version and the name that each build of the pages has of its own. */
function readBuild(root: string): string | undefined {
	try {
		const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
		return `${version} ${readFileSync(join(root, '.next/BUILD_ID'), 'utf8')}`;
	} catch {
		return undefined;
	}
}

/** What to say of it, for a person; null where the pages can be served. `restart` says how this server is started again. */
export function buildWords(state: BuildState, restart: string): string | null {
	if (state === 'same') return null;
	const install = state === 'removed' ? 'Install Signalbox again. ' : '';
	return `The program of this server was ${state} while it ran, so its pages cannot be shown. Hooks are answered and recorded as before. ${install}${restart}`;
}
