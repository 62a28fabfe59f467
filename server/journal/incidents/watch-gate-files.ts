import type { Ports } from '#hooks-bridge/ports/ports.ts';
import { isKnown } from '#lib/contract/events/is-known.ts';
import type { IndexedEvent, SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { sentence } from '#lib/messages/sentence.ts';
import { isFolder } from '../../process/is-folder.ts';
import { LruMap } from '../../process/lru-map.ts';
import type { Tail } from '../../timeline/tail/tail.ts';
import { type GatedSession, type GateFile, gateFiles, timelineState } from './gate-files.ts';
import type { IncidentLog } from './incident-log.ts';

/** How many sessions are checked: those with the newest denials. */
const MOST_WATCHED = 100;

interface Watched {
	session: GatedSession;
	project: string;
	/** The files behind its denials, while they are intact. */
	files: Set<GateFile>;
}

/** The watch over the files of gates. */
export interface GateFileWatch {
	checkAll(): void;
	/** A person has prompted, as the door reports it: a line in a timeline could be forged. */
	prompted(sessionId: string): void;
	close(): void;
}

/**
 * Watches the files that caused denials, until a person prompts: if one no longer denies, it is an incident, since the agent
 * itself may have changed it. Denials are kept in memory, where no file can change them. Checks once a second, and right after
 * each event of such a session.
 */
export function watchGateFiles(options: {
	home: string;
	env: GatedSession['env'];
	tail: Pick<Tail, 'onBatch'>;
	ports: GatedSession['ports'] & Pick<Ports, 'projectRootOf'>;
	incidents: Pick<IncidentLog, 'raise'>;
}): GateFileWatch {
	const { home, env, tail, ports, incidents } = options;
	const since = ports.now();
	const watched = new LruMap<string, Watched>(MOST_WATCHED);
	/** Time of each session's last prompt, in milliseconds since the epoch. */
	const prompts = new LruMap<string, number>(MOST_WATCHED);

	/** `passed`: the rules by which a call has just passed. */
	const checkSession = ({ session, project, files }: Watched, passed: readonly string[] = []) => {
		for (const row of files) {
			const hasPassed = row.passes !== undefined && passed.includes(row.passes);
			if (!hasPassed && !row.isLost?.(session)) continue;
			files.delete(row);
			// The whole project was deleted, not only this file.
			if (!isFolder(session.root)) continue;
			const message = sentence(
				'{file} no longer denies what it denied in {project}, and nobody has prompted the agent since. If it was not you, put it back',
				{ file: row.file, project },
			);
			const { sessionId } = session;
			incidents.raise({ code: 'plan/edited', about: `${sessionId} · ${row.file}`, message, sessionId });
		}
	};
	const watch = (view: SessionView, rule: string) => {
		const { sessionId, cwd, project = '' } = view;
		const rows = gateFiles.filter(({ rules }) => rules?.includes(rule));
		if (rows.length === 0 || cwd === undefined) return;
		const before = watched.get(sessionId);
		const timeline = before?.session.timeline ?? timelineState(home, sessionId);
		const root = ports.projectRootOf(cwd);
		const session = { home, sessionId, root, feature: view.workflow?.featureName, timeline, env, ports };
		watched.set(sessionId, { session, project, files: new Set([...(before?.files ?? []), ...rows]) });
	};

	const endWorkflow = (sessionId: string) => {
		const files = watched.get(sessionId)?.files;
		for (const row of files ?? []) if (row.endsWithWorkflow) files?.delete(row);
	};
	/** The rule by which the event shows a pass. */
	const checkEvent = (event: IndexedEvent, view: SessionView): string[] => {
		if (!isKnown(event)) return [];
		if (event.type === 'workflow:complete' || event.type === 'workflow:abort') endWorkflow(view.sessionId);
		if (event.type !== 'gate:verdict') return [];
		if (event.decision === 'pass') return [event.rule];
		if (Date.parse(event.ts) >= Math.max(since, prompts.get(view.sessionId) ?? 0)) watch(view, event.rule);
		return [];
	};
	const close = tail.onBatch(({ sessionId, events, view }) => {
		const passed = events.flatMap((event) => checkEvent(event, view));
		const own = watched.get(sessionId);
		if (own) checkSession(own, passed);
	});
	return {
		checkAll() {
			for (const one of watched.values()) checkSession(one);
		},
		prompted(sessionId) {
			prompts.set(sessionId, ports.now());
			watched.delete(sessionId);
		},
		close,
	};
}
