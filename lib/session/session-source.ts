import type { SessionSummary } from '../contract/sessions/read-model/session-summary.ts';

/** Where the sessions that a reader has chosen come from; what is undefined is any. */
export interface SessionSource {
	team?: string | undefined;
	project?: string | undefined;
	/** The name of the machine. Only sessions of a hub have one. */
	machine?: string | undefined;
}

/** Whether a session comes from there. */
export function isFromSource(session: Pick<SessionSummary, 'project' | 'machine'>, place: SessionSource): boolean {
	const { team = session.machine?.team, project = session.project, machine = session.machine?.name } = place;
	return team === session.machine?.team && project === session.project && machine === session.machine?.name;
}
