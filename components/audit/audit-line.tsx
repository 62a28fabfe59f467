'use client';
import { useEffect } from 'react';
import { AuditState } from '#lib/contract/audit.ts';
import { countOf } from '#lib/text/count-of.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { clockTime } from '#lib/time/clock.ts';
import { callRouteAs } from '../live/call-route.ts';
import { useAnswer } from '../live/use-answer.ts';
import { Advice } from '../text/advice.tsx';

/** Anchors are asked every minute. */
const AGAIN_MS = 30_000;
const getAudit = () => callRouteAs('GET /api/audit', AuditState);

/**
 * What the decisions on this page are worth as a proof, in one line. Nothing is shown before it is known; it is asked
 * for anew when `decidedAt`, the time of the page's last decision, is another.
 */
export function AuditLine({ decidedAt }: { decidedAt?: string | undefined }) {
	const { data: state, reload } = useAnswer(getAudit, AGAIN_MS);
	useEffect(() => {
		if (decidedAt !== undefined) reload();
	}, [decidedAt, reload]);
	if (!state?.head) return null;
	return (
		<p className="text-muted text-small">
			Journal: {countOf(state.head.n, 'row')}, <span className="font-medium">{wordOf(state)}</span>
			<Advice>{placeOf(state)}</Advice>
		</p>
	);
}

function wordOf({ anchored }: AuditState): string {
	return anchored ? `ANCHORED at row ${anchored.n}` : 'UNANCHORED';
}

function placeOf({ head, anchored, caveat, anchors }: AuditState): string {
	if (!anchored) {
		return anchors > 0
			? '; no anchor has taken it yet.'
			: '; only this machine vouches for it. Verify it with `signalbox audit verify`.';
	}
	const later = (head?.n ?? 0) - anchored.n;
	const rest = later > 0 ? `, ${later} later` : '';
	return ` (${visibleString(anchored.place)}, ${clockTime(anchored.ts)})${rest}.${caveat === null ? '' : ` ${caveat}`}`;
}
