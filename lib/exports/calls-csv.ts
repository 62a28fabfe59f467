import type { CallView } from '../contract/sessions/read-model/call-view.ts';
import type { SessionView } from '../contract/sessions/read-model/session-view.ts';
import { outcomeOf } from '../session/call.ts';
import { csvText } from '../text/csv.ts';
import { type ArchiveStory, actorName, decisionOf } from './archive-story.ts';

type Column = readonly [name: string, of: (call: CallView, view: SessionView) => string | undefined];

const columns: readonly Column[] = [
	['at', ({ at }) => at],
	['session', (_, { sessionId }) => sessionId],
	['agent', ({ agentId }, view) => actorName(view, agentId)],
	['tool', ({ tool }) => tool],
	['what', ({ title }) => title],
	['outcome', (call) => outcomeOf(call)],
	['seconds', ({ durationMs }) => (durationMs === undefined ? undefined : String(durationMs / 1000))],
	['denied_by', ({ verdicts }) => rulesOf(verdicts, 'deny')],
	['asked_by', ({ verdicts }) => rulesOf(verdicts, 'ask')],
	['person', ({ approval }) => approval?.state],
	['grant', ({ grant }) => grant?.grantId],
	['said', decisionOf],
	['error', ({ error }) => error],
	['call', ({ toolUseId }) => toolUseId],
];

function rulesOf(verdicts: CallView['verdicts'], wanted: 'deny' | 'ask'): string {
	return verdicts
		.filter(({ decision }) => decision === wanted)
		.map(({ rule }) => rule)
		.join(' ');
}

/** Every call of an archive, a line each, as CSV (RFC 4180) with a head. */
export function callsCsv({ sessions }: ArchiveStory): string {
	const lines = sessions.flatMap(({ rows, view }) =>
		rows.flatMap(({ call }) => (call ? [columns.map(([, of]) => of(call, view) ?? '')] : [])),
	);
	return csvText([columns.map(([name]) => name), ...lines]);
}
