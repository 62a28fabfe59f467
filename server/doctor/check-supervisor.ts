import { createNodePorts } from '#hooks-bridge/node/node-ports.ts';
import { supervisorFolderOf } from '#hooks-bridge/supervisor/supervisor-folder.ts';
import { supervisorStatus } from '#hooks-bridge/supervisor/switch-supervisor.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { missingSupervisorHooks } from '../setup/supervisor-hooks.ts';
import { sessionOf } from '../timeline/find-session.ts';
import type { Check, SetUp } from './check.ts';

/** Whether the newest live session of the project has a supervisor that is on and that no hook would ask. */
export function checkSupervisor({ project, home, configDir, env }: SetUp): Check[] {
	if (missingSupervisorHooks(project, configDir) === undefined) return [];
	const sessionId = sessionOf(undefined, home, project, { env: {} });
	const folder = sessionId === HOME_SESSION ? null : supervisorFolderOf(env, sessionId);
	if (!folder) return [];
	const ports = createNodePorts({ home });
	try {
		if (!supervisorStatus({ sessionId, place: folder, project, ports }).state.enabled) return [];
	} finally {
		ports.close();
	}
	const detail = `on for session ${sessionId}, but its hooks are missing here: nothing is reviewed`;
	return [{ state: 'warn', name: 'supervisor', detail, fix: 'run `signalbox init --supervisor`' }];
}
