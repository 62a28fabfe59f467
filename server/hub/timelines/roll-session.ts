import { emptyView } from '#lib/session/view.ts';
import type { HubCheckpoint, HubSession } from '../../timeline/store/hub-store.ts';
import type { Ask } from '../database/database.ts';
import type { Archives } from './archive-reads.ts';
import { type PlacedSession, SESSION, type SessionLine, sessionOf } from './session-place.ts';
import { SUMMARY_COLUMNS } from './summary-line.ts';

/** How long a session stays in one partition at most. */
export interface RollBounds {
	days: number;
	events: number;
}

/** HUB 3: a partition can go only once everything that began in it has ended, or moved on. */
export const ROLL: RollBounds = { days: 14, events: 200_000 };

/**
 * One statement, by the session's own fence: whoever has read another offset changes nothing, and whoever writes by the
 * old number afterwards does not, either. Of a session whose file was replaced nothing goes on.
 */
const ROLL_ON = `
WITH was AS (
	UPDATE sessions s SET rolled = true WHERE s.key = $1 AND s.off = $2 AND s.fold <= $3 AND NOT s.rolled AND NOT EXISTS (
		SELECT 1 FROM sessions n WHERE n.edge = s.edge AND n.session_id = s.session_id AND n.gen > s.gen)
	RETURNING s.*
), made AS (
	INSERT INTO sessions (edge, session_id, gen, roll, team, project, part, off, tail_digest, seq, base, base_ts, fold, epoch)
	SELECT edge, session_id, gen, roll + 1, team, project, $4, off, tail_digest, seq, seq, $5, fold, epoch FROM was
	RETURNING *
), kept AS (
	INSERT INTO views (part, skey, seq, json) SELECT part, key, seq, $6 FROM made
), listed AS (
	DELETE FROM summaries m USING was WHERE m.skey = was.key RETURNING m.*
), line AS (
	INSERT INTO summaries (skey, edge, team, ${SUMMARY_COLUMNS}) SELECT made.key, l.edge, l.team,
		${SUMMARY_COLUMNS.split(', ')
			.map((column) => `l.${column}`)
			.join(', ')} FROM listed l CROSS JOIN made
)
SELECT ${SESSION} FROM made s`;

/** Whether a session has to move on before anything more is written: by its age on the day `today`, or by its length. */
export const isDue = ({ part, seq, base }: HubSession, today: number, { days, events }: RollBounds): boolean =>
	today - part >= days || seq - base >= events;

/** Where a session moves to, and the version of the fold of whoever moves it. */
export interface RollTarget {
	part: number;
	fold: number;
}

/** Moves a session to the partition `part`, which is there; undefined where it is not as it was read. */
export async function rollSession(
	ask: Ask,
	{ key, offset }: HubSession,
	{ view, lastTs, ...to }: Pick<HubCheckpoint, 'lastTs'> & Pick<Required<HubCheckpoint>, 'view'> & RollTarget,
): Promise<PlacedSession | undefined> {
	const values = [key, offset, to.fold, to.part, lastTs ?? null, JSON.stringify(view)];
	const [line] = await ask<SessionLine>(ROLL_ON, values);
	return line && sessionOf(line);
}

/**
 * Takes a session that is archived up again, since it goes on: in a new roll, with the view and the ids that its archive
 * has. Rejects with `ObjectStoreError` where that cannot be read.
 */
export async function rollOnFromArchive(
	ask: Ask,
	session: PlacedSession,
	archives: Archives,
	to: RollTarget,
): Promise<void> {
	const { key, sessionId, seq, archived } = session;
	if (!archived?.stored) {
		// Nothing of it was kept.
		await rollSession(ask, session, { view: { ...emptyView(sessionId), seq }, lastTs: undefined, ...to });
		return;
	}
	const archive = await archives.open(archived.stored);
	const ids = await archive.ids();
	await ask('INSERT INTO packed_ids (skey, ids) VALUES ($1, $2) ON CONFLICT DO NOTHING', [key, ids]);
	const lastTs = archive.manifest.lastTs ?? undefined;
	await rollSession(ask, session, { view: await archive.view(), lastTs, ...to });
}
