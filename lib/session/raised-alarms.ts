import type { SessionStatus, SessionSummary } from '../contract/sessions/read-model/session-summary.ts';
import type { AlarmView } from '../contract/sessions/read-model/session-view.ts';
import { tell } from '../messages/tell.ts';
import { DAY_MS } from './list-group.ts';
import { isSilent } from './status.ts';

type Alarmed = Pick<SessionSummary, 'alarms' | 'busy' | 'quiet' | 'doing' | 'lastAt' | 'endedAt' | 'startedAt'>;

/**
 * The alarms of a session that somebody should look at, at `now`, of a reader whose day began at `midnight` (both ms): a
 * session that was heard of last before yesterday has none any more, what was put off comes back in its time.
 */
export function raisedAlarms(session: Alarmed, status: SessionStatus, now: number, midnight: number): AlarmView[] {
	const { alarms, lastAt, endedAt, startedAt, doing, quiet } = session;
	const last = Date.parse(endedAt ?? lastAt ?? startedAt ?? '') || 0;
	if (last < midnight - DAY_MS) return [];
	const raised: AlarmView[] = alarms.filter(({ until }) => until === undefined || Date.parse(until) <= now);
	if (lastAt === undefined || !isSilent(session, status, now)) return raised;
	const isQuiet = quiet?.since === lastAt && (quiet.until === undefined || Date.parse(quiet.until) > now);
	const { agent, text } = doing ?? {};
	const cause = [agent, text].filter(Boolean).join(' · ') || tell('nothing is heard of it');
	return isQuiet ? raised : [...raised, { key: `silent:${lastAt}`, kind: 'silent', at: lastAt, cause }];
}
