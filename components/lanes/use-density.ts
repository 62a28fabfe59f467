import { useEffect, useState } from 'react';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import type { Point } from '#lib/timeline/density.ts';
import { useSession, useSessionSource } from '../live/session-source.ts';

/** Asked for again once a session has this much more than was known. */
const GROWTH = 1.2;
/** A server that cannot answer now may soon. */
const AGAIN_MS = 1000;

/** When a session was busy over its whole length, up to its newest event; from its loaded rows until that is known. */
export function useDensity({ sessionId, seq, lastAt }: SessionView): readonly Point[] {
	const { getDensity } = useSessionSource();
	const [known, setKnown] = useState<{ points: readonly Point[]; seq: number }>({ points: [], seq: 0 });
	const rows = useSession(sessionId, ({ window }) => window.rows);
	const [tries, setTries] = useState(0);
	const isOld = seq < known.seq || seq > known.seq * GROWTH;
	// biome-ignore lint/correctness/useExhaustiveDependencies: each answer that did not come is asked for once more.
	useEffect(() => {
		if (!isOld) return;
		let isCurrent = true;
		let timer: ReturnType<typeof setTimeout> | undefined;
		void getDensity(sessionId).then((answer) => {
			if (!isCurrent) return;
			const points = answer.ok ? answer.data.points : [];
			const last = points.at(-1);
			if (last) setKnown({ points, seq: last.seq });
			else timer = setTimeout(() => setTries((before) => before + 1), AGAIN_MS);
		});
		return () => {
			isCurrent = false;
			clearTimeout(timer);
		};
	}, [getDensity, sessionId, isOld, tries]);
	const points =
		known.points.length > 0 ? known.points : (rows ?? []).map((row) => ({ seq: row.seq, at: Date.parse(row.at) }));
	const last = points.at(-1);
	const newest = lastAt === undefined ? Number.NaN : Date.parse(lastAt);
	return last && seq > last.seq && newest >= last.at ? [...points, { seq, at: newest }] : points;
}
