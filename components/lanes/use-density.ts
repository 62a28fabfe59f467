import { useEffect, useState } from 'react';
import type { SessionView } from '#lib/session/view.ts';
import type { Point } from '#lib/timeline/density.ts';
import { useSession, useSessionSource } from '../live/session-source.ts';

/** Asked for again once a session has this much more than was known. */
const GROWTH = 1.2;

/** When a session was busy over its whole length, up to its newest event; from its loaded rows until that is known. */
export function useDensity({ sessionId, seq, lastAt }: SessionView): readonly Point[] {
	const { getDensity } = useSessionSource();
	const [known, setKnown] = useState<{ points: readonly Point[]; seq: number }>({ points: [], seq: 0 });
	const rows = useSession(sessionId, ({ window }) => window.rows);
	const isOld = seq < known.seq || seq > known.seq * GROWTH;
	useEffect(() => {
		if (!isOld) return;
		let isCurrent = true;
		void getDensity(sessionId).then((answer) => {
			if (!isCurrent || !answer.ok) return;
			const { points } = answer.data;
			setKnown({ points, seq: points.at(-1)?.seq ?? 0 });
		});
		return () => {
			isCurrent = false;
		};
	}, [getDensity, sessionId, isOld]);
	const points =
		known.points.length > 0 ? known.points : (rows ?? []).map((row) => ({ seq: row.seq, at: Date.parse(row.at) }));
	const last = points.at(-1);
	const newest = lastAt === undefined ? Number.NaN : Date.parse(lastAt);
	return last && seq > last.seq && newest >= last.at ? [...points, { seq, at: newest }] : points;
}
