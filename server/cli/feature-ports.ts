import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { HomePorts } from '#hooks-bridge/features/feature-change.ts';
import { createNodePorts } from '#hooks-bridge/node/node-ports.ts';
import type { SyncPorts } from '../archives/features/archive-sync.ts';
import type { Terminal } from '../process/command.ts';
import { homeOf, projectOf } from '../process/home.ts';

/** What the commands about features work with. */
export interface FeatureSetting {
	ports: HomePorts;
	/** The project's folder, absolute. */
	root: string;
}

/** Works on the features of a project: that of `--project`, else the one around the working directory. */
export async function withFeatures<T>(
	project: string | undefined,
	terminal: Terminal,
	work: (setting: FeatureSetting) => T | Promise<T>,
): Promise<T> {
	const home = homeOf(terminal);
	const ports = createNodePorts({ home });
	try {
		const folder = projectOf(project, terminal);
		const root = project !== undefined ? folder : ports.projectRootOf(folder);
		return await work({ ports: { home, now: ports.now, append: ports.append }, root });
	} finally {
		ports.close();
	}
}

/** Runs `work` on the stored timelines of a home; approval lines count as proven if its journal has them. */
export async function withArchives<T>(home: string, work: (ports: SyncPorts) => Promise<T>): Promise<T> {
	const path = join(home, 'journal.db');
	if (!existsSync(path)) return work({ home, proofOf: () => ({ kind: 'unknown', redacted: [] }) });
	const [{ openSqliteJournal }, { proofIn }] = await Promise.all([
		import('../timeline/store/sqlite-journal.ts'),
		import('../timeline/tail/timeline-file.ts'),
	]);
	const journal = await openSqliteJournal(path);
	try {
		return await work({ home, proofOf: proofIn(journal) });
	} finally {
		await journal.close();
	}
}
