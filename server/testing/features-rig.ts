import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createNodePorts } from '#hooks-bridge/node/node-ports.ts';
import type { SealedEvent } from '#hooks-bridge/ports/ports.ts';
import { type FeatureProject, makeFeatureProject } from '#hooks-bridge/testing/feature-project.ts';
import { categoryOf, labelOf } from '#lib/contract/events/event-labels.ts';
import { createFeatures } from '../archives/features/feature-service.ts';
import { createReplay } from '../archives/replay/replay-service.ts';
import { createLog } from '../process/log.ts';
import { openSqliteIndex } from '../timeline/store/sqlite-index.ts';
import { openSqliteJournal } from '../timeline/store/sqlite-journal.ts';
import { createTail } from '../timeline/tail/tail.ts';

export type FeaturesRig = Awaited<ReturnType<typeof openFeatures>>;

/** A project, a state root, and the real tail, index, journal and copier over them. For tests. */
export async function openFeatures(files: FeatureProject = makeFeatureProject()) {
	const { home, now } = files;
	const logged: string[] = [];
	const log = createLog((line) => logged.push(line));
	mkdirSync(join(home, 'sessions'), { recursive: true });
	mkdirSync(join(files.project, '.git'), { recursive: true });
	const journal = await openSqliteJournal(join(home, 'journal.db'));
	const index = openSqliteIndex(join(home, 'index.db'), {});
	const tail = createTail({ home, index, journal, log });
	const ports = createNodePorts({ home, onAppend: (sessionId) => tail.noteAppended(sessionId), now });
	const { service: replay, recordings } = createReplay({ home, journal, log });
	const { service, copier } = createFeatures({ home, tail, ports, journal, now, log, onCopy: recordings.prepare });
	await tail.start();
	copier.start();
	let count = 0;
	return {
		...files,
		logged,
		journal,
		index,
		tail,
		ports,
		service,
		copier,
		replay,
		/** Appends an event a second after the last. */
		say(sessionId: string, type: string, fields: Record<string, unknown> = {}): void {
			count += 1;
			files.clock.now += 1000;
			const event: SealedEvent = {
				id: `e-${count}`,
				ts: new Date(files.clock.now).toISOString(),
				type,
				category: categoryOf(type),
				label: labelOf(type).en,
				sessionId,
				...fields,
			};
			ports.append(sessionId, [event]);
		},
		/** Resolves when everything on disk is indexed and kept. */
		async whenSettled(): Promise<void> {
			await tail.whenRead();
			await copier.whenSettled();
		},
		async close(): Promise<void> {
			await copier.stop();
			recordings.close();
			await tail.stop();
			ports.close();
			index.close();
			await journal.close();
		},
	};
}
