'use client';
import { useCallback, useEffect, useState } from 'react';
import { useSay } from '../language/use-say.ts';
import { callRoute } from '../live/call-route.ts';
import { useLive } from '../live/store.ts';
import { useAnswer } from '../live/use-answer.ts';

const AGAIN_MS = 1500;

/** One line on every page while the index is built: what is not read yet is missing everywhere. */
export function BuildingNotice() {
	const say = useSay();
	const epoch = useLive(({ list }) => list?.epoch);
	const isLive = useLive(({ connection }) => connection.state === 'live');
	const [isBuilding, setBuilding] = useState(false);
	// biome-ignore lint/correctness/useExhaustiveDependencies: an index that is begun anew has another epoch.
	const ask = useCallback(() => callRoute('GET /api/status'), [epoch]);
	const { data } = useAnswer(isLive ? ask : null, isBuilding ? AGAIN_MS : undefined);
	const building = data?.building ?? null;
	useEffect(() => setBuilding(building !== null), [building]);
	if (!building) return null;
	const { read, total } = building;
	return (
		<p role="status" className="flex min-h-8 shrink-0 items-center gap-2 border-line border-b bg-raised px-4 py-1">
			<span aria-hidden className="text-warn">
				▲
			</span>
			{say('The index is being built from the timelines: lists and counts are not complete yet.')}
			<progress aria-label={say('Bytes read')} value={read} max={total || 1} className="h-1.5 w-24" />
			<span className="tabular-nums">{say('{share} %', { share: Math.floor((100 * read) / (total || 1)) })}</span>
		</p>
	);
}
