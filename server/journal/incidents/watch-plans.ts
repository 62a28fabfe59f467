import { findPlan } from '#hooks-bridge/engine/project.ts';
import type { Ports } from '#hooks-bridge/ports/ports.ts';
import { tell } from '#lib/messages/tell.ts';
import type { SessionView } from '#lib/session/view.ts';
import { isFolder } from '../../process/is-folder.ts';
import type { Tail } from '../../timeline/tail/tail.ts';
import type { IncidentLog } from './incident-log.ts';

/** So many sessions are looked at; those that were denied something last. */
const MOST_WATCHED = 100;

/**
 * Watches the plans by which something was denied, until a person prompts: one that goes away meanwhile is an incident,
 * since the agent itself may have taken it away. Gives one look, and how to end the watch.
 */
export function watchPlans(options: {
	tail: Pick<Tail, 'onBatch'>;
	ports: Pick<Ports, 'readProjectFile' | 'projectRootOf'>;
	incidents: Pick<IncidentLog, 'raise'>;
	isThere?: (folder: string) => boolean;
}): { look: () => void; close: () => void } {
	const { tail, ports, incidents, isThere = isFolder } = options;
	const watched = new Map<string, SessionView & { cwd: string }>();
	const close = tail.onBatch(({ sessionId, view }) => {
		watched.delete(sessionId);
		const { cwd, planEdits, ended, lost } = view;
		if (!planEdits?.denied.length || cwd === undefined || ended || lost) return;
		watched.set(sessionId, { ...view, cwd });
		const [oldest] = watched.keys();
		if (watched.size > MOST_WATCHED && oldest !== undefined) watched.delete(oldest);
	});
	return {
		look() {
			for (const [sessionId, { cwd, project = '', plan }] of watched) {
				const root = ports.projectRootOf(cwd);
				const { read } = findPlan(root, ports);
				if (read?.ok) continue;
				// Who removed the whole project took more than its plan away.
				if (read === null && !isThere(root)) continue;
				watched.delete(sessionId);
				const why = read === null ? tell('it is gone#clause') : tell('it cannot be read#clause');
				const message = tell(
					'The routing plan of {project} was taken away after it had denied something ({why}). It binds as it was read last until a person prompts. If it was not you, put it back',
					{ project, why },
				);
				incidents.raise({ code: 'plan/edited', about: `${sessionId} · ${plan?.planId ?? ''}`, message, sessionId });
			}
		},
		close,
	};
}
