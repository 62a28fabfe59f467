import { join } from 'node:path';
import type { FeaturePort } from '../ports/flow-port.ts';
import { archiveFeature } from './archive-feature.ts';
import type { HomePorts } from './feature-change.ts';
import { findState, stateFolder } from './feature-folders.ts';
import { openFeature } from './open-feature.ts';
import { pendingTasks, tickTask } from './tasks-document.ts';

/** The features of projects on a real disk. Without a project there are none. */
export function createFeaturePort(ports: HomePorts): FeaturePort {
	const nowhere = { ok: false, detail: 'It is not known which project this session works in.' } as const;
	return {
		tasks: (project, feature) => (project === '' ? null : pendingTasks(project, feature)),
		tick: (project, feature, label) =>
			project !== '' &&
			findState(project, feature) === 'in-progress' &&
			tickTask(project, join(project, stateFolder('in-progress'), feature), label),
		open: (project, feature, start) => (project === '' ? nowhere : openFeature(project, feature, ports, start)),
		archive: (project, feature, sessionId) =>
			project === '' ? nowhere : archiveFeature(project, feature, { ...ports, found: 'later', sessions: [sessionId] }),
	};
}
