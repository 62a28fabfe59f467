import { createNodePorts, type NodePortsOptions } from '#hooks-bridge/disk/node-ports.ts';
import type { FileRead, Ports } from '#hooks-bridge/engine/ports.ts';
import { createTurnTimelines, type TurnTimelines } from './turn-timelines.ts';

/** The ports of a server, which handles several hooks in one turn of its event loop. */
export type TurnPorts = Ports & Pick<TurnTimelines, 'together'> & { close(): void };

/**
 * Ports with a turn: inside `together` a settings file or a plan is looked at once, and lines of a session are written
 * in one go. Whatever does more than tell and read finds all told lines on disk, and its own lines are there at once.
 */
export function createTurnPorts(options: Omit<NodePortsOptions, 'timelines' | 'once'>): TurnPorts {
	const timelines = createTurnTimelines(options.home, options.onAppend);
	const ports = createNodePorts({ ...options, timelines });
	const reads = new Map<string, FileRead>();
	let isTurn = false;

	const once = (key: string, read: () => FileRead): FileRead => {
		if (!isTurn) return read();
		const known = reads.get(key);
		if (known) return known;
		const found = read();
		reads.set(key, found);
		return found;
	};
	const effect = <T>(work: () => T): T => {
		reads.clear();
		try {
			return timelines.withAll(work);
		} finally {
			reads.clear();
		}
	};
	const { flow, features, sessionFiles } = ports;
	return {
		...ports,
		readProjectFile: (root, relative) => once(`${root}\0${relative}`, () => ports.readProjectFile(root, relative)),
		readHomeFile: (relative) => once(relative, () => ports.readHomeFile(relative)),
		editProjectFile: (...edit) => effect(() => ports.editProjectFile(...edit)),
		flow: {
			has: flow.has,
			hasStarted: (...asked) => effect(() => flow.hasStarted(...asked)),
			read: (sessionId) => effect(() => flow.read(sessionId)),
			locked: (sessionId, work) => effect(() => flow.locked(sessionId, work)),
		},
		features: {
			tasks: (...asked) => effect(() => features.tasks(...asked)),
			tick: (...asked) => effect(() => features.tick(...asked)),
			open: (...asked) => effect(() => features.open(...asked)),
			archive: (...asked) => effect(() => features.archive(...asked)),
		},
		sessionFiles: {
			...sessionFiles,
			prepare: (...asked) => effect(() => sessionFiles.prepare(...asked)),
			writeHandoff: (...asked) => effect(() => sessionFiles.writeHandoff(...asked)),
			observe: (...asked) => effect(() => sessionFiles.observe(...asked)),
		},
		together(jobs) {
			isTurn = true;
			try {
				return timelines.together(jobs);
			} finally {
				isTurn = false;
				reads.clear();
			}
		},
	};
}
