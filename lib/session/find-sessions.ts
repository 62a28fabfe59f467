import type { SessionSummary } from '../contract/sessions/read-model/session-summary.ts';
import { placeOf } from './place-of.ts';
import { remembered } from './remembered.ts';

const textOf = remembered(({ sessionId, project, branch, machine, title, workflow, status, agent }: SessionSummary) =>
	[placeOf(project, branch, sessionId), machine?.name, machine?.team, title, workflow, status, agent, sessionId]
		.join('\n')
		.toLowerCase(),
);

/** The sessions whose project, branch, machine, first prompt, workflow, status, make of agent or id have every word, in any case. */
export function findSessions(sessions: readonly SessionSummary[], words: string): readonly SessionSummary[] {
	const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
	if (wanted.length === 0) return sessions;
	return sessions.filter((session) => wanted.every((word) => textOf(session).includes(word)));
}
