import { callName } from '../approvals/call-words.ts';
import type { FeatureOutcome, Manifest } from '../contract/archives/features.ts';
import type { CallView } from '../contract/sessions/read-model/call-view.ts';
import type { Row } from '../contract/sessions/read-model/row.ts';
import type { IndexedEvent, SessionView } from '../contract/sessions/read-model/session-view.ts';
import type { Note } from '../contract/sessions/session-actions.ts';
import { noteOf } from '../replay/notes-in.ts';
import { alarmOf, outcomeLook } from '../session/call.ts';
import { alarmWords } from '../session/judgement.ts';
import { rowLabel } from '../session/row.ts';
import { SessionFold } from '../session/session-fold.ts';

/** One session of an archive as a reader sees it: the fold of all its events, and the rows of its story by seq. */
export interface SessionStory {
	view: SessionView;
	rows: readonly Row[];
	notes: readonly Note[];
}

export interface ArchiveStory {
	manifest: Manifest;
	outcome: FeatureOutcome | null;
	/** Texts are left out. */
	redacted: boolean;
	sessions: readonly SessionStory[];
	/** Texts of agents. */
	documents: readonly { name: string; text: string }[];
	/** Why something is missing, in words for a person. */
	missing?: string;
}

/** Folds a session's events into its story, one after another by seq. */
export function createSessionStory(sessionId: string) {
	const session = new SessionFold(sessionId);
	const notes: Note[] = [];
	return {
		add(event: IndexedEvent): void {
			session.add(event);
			const note = noteOf(event);
			if (note) notes.push(note);
		},
		story: (): SessionStory => ({ view: session.view, notes, rows: session.rows() }),
	};
}

/** The kind of a row, in one or two words. */
export function rowName(row: Row): string {
	return row.call ? callName(row.call) : rowLabel(row);
}

/** A call's alarm, else its outcome. */
export function outcomeName(call: CallView): string {
	const alarm = alarmOf(call);
	return alarm ? alarmWords[alarm] : outcomeLook(call).word;
}

/** The decisions of gates and people on a call, in one line of agent text; empty if all passed and no one was asked. */
export function decisionOf({ verdicts, approval, grant }: CallView): string {
	const denials = verdicts.filter(({ decision }) => decision !== 'pass');
	const reasons = denials.map(({ decision, rule, reason }) => `${decision} by ${rule}: ${reason}`);
	if (approval) reasons.push([`person: ${approval.state}`, approval.reason].filter(Boolean).join(', '));
	if (grant) reasons.push(`let run by a grant: ${grant.reason}`);
	return reasons.join('; ');
}

/** The name of who did it; empty for the main agent. */
export function actorName({ agents }: Pick<SessionView, 'agents'>, agentId: string | undefined): string {
	if (agentId === undefined) return '';
	return agents.find((agent) => agent.agentId === agentId)?.name ?? agentId;
}
