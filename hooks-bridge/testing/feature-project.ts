import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { HomePorts } from '../features/feature-change.ts';
import { createNodePorts } from '../node/node-ports.ts';
import type { SealedEvent } from '../ports/ports.ts';
import { recordedEvents } from './recorded-events.ts';

/** A project and a state root in a temporary folder. */
export interface FeatureProject extends HomePorts {
	project: string;
	/** The clock, in milliseconds; tests set it. */
	clock: { now: number };
	/** Writes a file below the temporary folder, with the folders that it needs. */
	writeFile(path: string, text: string): void;
	/** Every path below a folder of the project, sorted; folders end with a slash. */
	tree(path?: string): string[];
	read(path: string): string;
	/** The events of a session, in the order of the file. */
	recorded(sessionId: string): SealedEvent[];
	remove(): void;
}

/** Makes the project `p` and the state root `h` in a new folder. */
export function makeFeatureProject(): FeatureProject {
	const folder = mkdtempSync(join(tmpdir(), 'sbx-feat-'));
	const [project, home] = [join(folder, 'p'), join(folder, 'h')];
	mkdirSync(project);
	mkdirSync(home);
	const clock = { now: Date.parse('2026-02-23T14:00:00.000Z') };
	const ports = createNodePorts({ home, now: () => clock.now });
	return {
		project,
		home,
		clock,
		now: () => clock.now,
		append: (sessionId, events) => ports.append(sessionId, events),
		writeFile(path, text) {
			mkdirSync(dirname(join(folder, path)), { recursive: true });
			writeFileSync(join(folder, path), text);
		},
		tree: (path = 'specs/features') => walk(join(project, path), ''),
		read: (path) => readFileSync(join(folder, path), 'utf8'),
		recorded: (sessionId) => recordedEvents(home, sessionId),
		remove() {
			ports.close();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

function walk(at: string, prefix: string): string[] {
	return readdirSync(at, { withFileTypes: true })
		.flatMap((entry) => {
			const name = prefix + entry.name;
			return entry.isDirectory() ? [`${name}/`, ...walk(join(at, entry.name), `${name}/`)] : [name];
		})
		.sort();
}
