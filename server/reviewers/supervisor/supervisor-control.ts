import { randomUUID } from 'node:crypto';
import { isAbsolute } from 'node:path';
import type { HookRun } from '#hooks-bridge/ports/hook-run.ts';
import type { Ports } from '#hooks-bridge/ports/ports.ts';
import { supervisorFolderOf } from '#hooks-bridge/supervisor/state-store.ts';
import {
	type SupervisorService,
	type SupervisorStatus,
	supervisorStatus,
	switchSupervisor,
} from '#hooks-bridge/supervisor/switch-supervisor.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { Decider } from '#lib/contract/events/catalogue/approval.ts';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import type { SupervisorActionBody, SupervisorRecord } from '#lib/contract/sessions/session-actions.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { LruMap } from '../../process/lru-map.ts';
import { missingSupervisorHooks } from '../../setup/other-registrations.ts';
import type { JournalStore } from '../../timeline/store/journal-store.ts';

const MAX_SEEN = 2000;

/** Shows and switches the supervisor of a session, as `signalbox supervisor` does. */
export function createSupervisorControl(options: {
	ports: Ports;
	journal: Pick<JournalStore, 'append'>;
	viewOf(sessionId: string): SessionView | undefined;
	env: Readonly<Record<string, string | undefined>>;
	lockWaitMs: number;
}) {
	const { ports, journal, viewOf, env, lockWaitMs } = options;
	const seen = new LruMap<string, NonNullable<HookRun['supervisor']>>(MAX_SEEN);

	function demand(sessionId: string): SupervisorService {
		const view = sessionId === HOME_SESSION ? undefined : viewOf(sessionId);
		const own = seen.get(sessionId);
		const configDir = own?.configDir && isAbsolute(own.configDir) ? own.configDir : env.CCC_CONFIG_DIR;
		const folder = supervisorFolderOf({ ...env, CCC_CONFIG_DIR: configDir, CCC_SUPERVISOR_ID: own?.id }, sessionId);
		if (!view || !folder) throw new AppError('session/not-found');
		const project = view.cwd !== undefined && isAbsolute(view.cwd) ? ports.projectRootOf(view.cwd) : '';
		return { sessionId, place: folder, project, ports };
	}

	return {
		/** A hook of this session ran: its environment says where the supervisor's state is. */
		saw(sessionId: string, { supervisor }: HookRun): void {
			if (supervisor) seen.set(sessionId, supervisor);
		},
		status(sessionId: string): SupervisorRecord {
			const service = demand(sessionId);
			return recordOf(service, supervisorStatus(service));
		},
		/** The journal records the request first. Throws `session/not-found` or `supervisor/busy`. */
		async act(sessionId: string, action: SupervisorActionBody['action'], by: Decider): Promise<SupervisorRecord> {
			const service = demand(sessionId);
			const id = randomUUID();
			const payload = { setting: 'supervisor', action, by };
			await journal.append({ id, kind: 'setting:change', subject: `session:${sessionId}`, sessionId, payload });
			try {
				return recordOf(service, switchSupervisor(service, action, id, lockWaitMs));
			} catch (cause) {
				throw new AppError('supervisor/busy', undefined, { cause });
			}
		},
	};
}

export type SupervisorControl = ReturnType<typeof createSupervisorControl>;

function recordOf(
	{ place: folder, project }: SupervisorService,
	{ state, limits }: SupervisorStatus,
): SupervisorRecord {
	const { enabled, count } = state;
	const advice = enabled && project !== '' ? missingSupervisorHooks(project, folder.configDir) : undefined;
	return {
		id: folder.id,
		enabled,
		count,
		max: limits.maxIterations,
		timeoutSeconds: limits.timeoutSeconds,
		...(advice !== undefined && { advice }),
	};
}
