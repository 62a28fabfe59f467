import type { Ports } from '#hooks-bridge/ports/ports.ts';
import { isKnown } from '#lib/contract/events/is-known.ts';
import { tell } from '#lib/messages/tell.ts';
import type { SessionView } from '#lib/session/view.ts';
import { isFolder } from '../../process/is-folder.ts';
import type { Tail } from '../../timeline/tail/tail.ts';
import { type GatedSession, type GateFile, gateFiles } from './gate-files.ts';
import type { IncidentLog } from './incident-log.ts';

/** So many sessions are looked at; those that were denied something last. */
const MOST_WATCHED = 100;

interface Watched {
	session: GatedSession;
	project: string;
	/** The files by which something was denied, while they are as they were. */
	files: Set<GateFile>;
}

/**
 * Watches the files by which something was denied, until a person prompts: one that no longer denies it is an incident,
 * since the agent itself may have seen to that. What was denied is kept in memory: no file can take it back. Looks right
 * after each event of such a session, too. Gives one look, and how to end the watch.
 */
export function watchGateFiles(options: {
	home: string;
	env: GatedSession['env'];
	tail: Pick<Tail, 'onBatch'>;
	ports: GatedSession['ports'] & Pick<Ports, 'projectRootOf'>;
	incidents: Pick<IncidentLog, 'raise'>;
}): { look: () => void; close: () => void } {
	const { home, env, tail, ports, incidents } = options;
	const since = ports.now();
	const watched = new Map<string, Watched>();

	const lookAt = ({ session, project, files }: Watched) => {
		for (const row of files) {
			if (!row.isLost?.(session)) continue;
			files.delete(row);
			// Who removed the whole project took more away than this file.
			if (!isFolder(session.root)) continue;
			const message = tell(
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
		const before = watched.get(sessionId)?.files ?? [];
		const session = {
			home,
			sessionId,
			root: ports.projectRootOf(cwd),
			feature: view.workflow?.featureName,
			env,
			ports,
		};
		watched.delete(sessionId);
		watched.set(sessionId, { session, project, files: new Set([...before, ...rows]) });
		const [oldest] = watched.keys();
		if (watched.size > MOST_WATCHED && oldest !== undefined) watched.delete(oldest);
	};

	const close = tail.onBatch(({ sessionId, events, view }) => {
		for (const event of events) {
			if (!isKnown(event)) continue;
			switch (event.type) {
				case 'prompt:submit':
					if (event.source === 'user') watched.delete(sessionId);
					break;
				// Ends of workflows are told, and show who ended them.
				case 'workflow:complete':
				case 'workflow:abort':
				case 'session:end':
					watched.delete(sessionId);
					break;
				case 'gate:verdict':
					if (event.decision === 'deny' && Date.parse(event.ts) >= since) watch(view, event.rule);
					break;
				default:
			}
		}
		const own = watched.get(sessionId);
		if (own) lookAt(own);
	});
	return {
		look() {
			for (const one of watched.values()) lookAt(one);
		},
		close,
	};
}
