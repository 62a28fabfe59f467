'use client';
import { useEffect, useMemo, useState } from 'react';
import type { ListGroup, SessionCounts, SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import { alarmedOf, findSessions, groupSessions, isFromSource, isMarked, stuckOf } from '#lib/session/session-list.ts';
import { type ListWish, queryOf, takeFound, takeNextPage } from '../../live/session-pages.ts';
import { useLive } from '../../live/store.ts';

/** A search is sent once nothing has been typed for so long (ms). */
const PAUSE_MS = 150;

/** One heading of the list: what is known of it, newest first, and how many there are. */
export interface ListedGroup {
	name: ListGroup;
	known: readonly SessionSummary[];
	count: number;
}

interface Found {
	wish: string;
	round: number;
	counts: SessionCounts;
	next: string | null;
}

/** The sessions that fit a wish, as far as they are known at `now` (ms), with counts of all of them. */
export function useList(wish: ListWish, now: number) {
	const { q, make, team, project, machine } = wish;
	const sessions = useLive((state) => state.sessions);
	const list = useLive((state) => state.list);
	const [found, setFound] = useFound(wish);
	const isNarrowed = isNarrow(wish);
	const all = useMemo(() => Object.values(sessions ?? {}).filter(({ reviewer }) => !reviewer), [sessions]);
	// Of a search that has not been answered nobody knows how many there are.
	const { counts, next } = (!isNarrowed || list?.next === null ? list : found) ?? { counts: null, next: null };
	const known = useMemo(() => {
		const place = queryOf({ q, make, team, project, machine });
		const there = all.filter((session) => (make === null || session.agent === make) && isFromSource(session, place));
		const fitting = findSessions(there, q);
		const marked = fitting.filter((session) => isMarked(session, now));
		return { groups: groupSessions(fitting, now), alarmed: alarmedOf(fitting, now), stuck: stuckOf(all, now), marked };
	}, [all, q, make, team, project, machine, now]);

	const groups = [...known.groups].map(([name, group]): ListedGroup => {
		// What is known as a whole needs no other count: days and deadlines pass here, too.
		const count = next === null ? group.length : Math.max(group.length, counts?.groups[name] ?? 0);
		return { name, known: group, count };
	});
	const unknownAlarms = next === null ? 0 : Math.max(0, (counts?.alarmed ?? 0) - known.marked.length);
	return {
		/** Whether the server has not answered a search yet. */
		isLooking: isNarrowed && list?.next !== null && !found,
		isLoaded: sessions !== null && list !== null,
		count: list?.counts.all ?? 0,
		groups: groups.filter(({ count }) => count > 0),
		alarmed: known.alarmed,
		stuck: known.stuck,
		alarms: known.alarmed.length + unknownAlarms,
		/** Where more of it would come from; null when all is known. */
		next,
		takeMore() {
			if (!isNarrowed || list?.next === null) return void takeNextPage();
			if (!found?.next) return;
			void takeFound(wish, found.next).then((page) => page && setFound({ ...found, next: page.next }));
		},
	};
}

const isNarrow = ({ q, ...chosen }: ListWish) => q.trim() !== '' || Object.values(chosen).some((one) => one !== null);

/** The server's answer to a search; null while there is none to this wish. */
function useFound(wanted: ListWish): [Found | null, (found: Found) => void] {
	const { q, make, team, project, machine } = wanted;
	const [found, setFound] = useState<Found | null>(null);
	const round = useLive(({ list }) => list?.round ?? 0);
	const wish = JSON.stringify([q.trim(), make, team, project, machine]);
	const isNarrowed = isNarrow(wanted);
	const isWhole = useLive(({ list }) => list?.next === null);
	useEffect(() => {
		if (!isNarrowed || isWhole || round === 0) return;
		let current = true;
		const timer = setTimeout(() => {
			void takeFound({ q, make, team, project, machine }).then((page) => {
				if (current && page) setFound({ wish, round, counts: page.counts, next: page.next });
			});
		}, PAUSE_MS);
		return () => {
			current = false;
			clearTimeout(timer);
		};
	}, [q, make, team, project, machine, wish, isNarrowed, isWhole, round]);
	return [found?.wish === wish && found.round === round ? found : null, setFound];
}
