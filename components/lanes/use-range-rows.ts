import { useEffect, useMemo, useState } from 'react';
import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import { useSession, useSessionSource } from '../live/session-source.ts';

/** Each call is drawn of at most so many events. */
const MOST_EVENTS = 4_000;
const PAGE = 500;
const KEPT_PAGES = 24;
/** A reader who zooms or pans asks for what is in view once that rests this long (ms). */
const REST_MS = 120;

const NO_ROWS: readonly Row[] = [];

/** The rows whose first event lies from seq `from` to `to`, whether the story has loaded them or not. */
export function useRangeRows(sessionId: string, from: number, to: number) {
	const { getRows } = useSessionSource();
	const window = useSession(sessionId, (session) => session.window);
	const epoch = useSession(sessionId, (session) => session.epoch);
	const [pages, setPages] = useState<{ epoch: typeof epoch; rows: ReadonlyMap<number, readonly Row[]> }>({
		epoch,
		rows: new Map(),
	});
	const rows = pages.epoch === epoch ? pages.rows : null;
	const first = window?.hasOlder ? (window.rows[0]?.seq ?? Number.POSITIVE_INFINITY) : 0;
	const last = window?.atTail ? Number.POSITIVE_INFINITY : (window?.rows.at(-1)?.seq ?? 0);
	const isLoaded = first <= from && last >= to;
	const isTooMuch = !isLoaded && to - from > MOST_EVENTS;
	const wanted = isLoaded || isTooMuch ? [] : pagesBetween(from, last >= to ? Math.min(to, Math.max(first, from)) : to);
	const missing = wanted.filter((page) => !rows?.has(page)).join();
	useEffect(() => {
		if (missing === '') return;
		let isCurrent = true;
		const timer = setTimeout(async () => {
			const seqs = missing.split(',').map(Number);
			const answers = await Promise.all(
				seqs.map((page) => getRows(sessionId, { after: page * PAGE, before: (page + 1) * PAGE + 1, limit: PAGE })),
			);
			if (!isCurrent) return;
			setPages((before) => {
				const kept = before.epoch === epoch ? [...before.rows].slice(-KEPT_PAGES) : [];
				const come = seqs.flatMap((page, at) => {
					const answer = answers[at];
					return answer?.ok ? [[page, answer.data.rows] as const] : [];
				});
				return { epoch, rows: new Map([...kept, ...come]) };
			});
		}, REST_MS);
		return () => {
			isCurrent = false;
			clearTimeout(timer);
		};
	}, [missing, getRows, sessionId, epoch]);
	const loaded = window?.rows ?? NO_ROWS;
	const key = wanted.join();
	// biome-ignore lint/correctness/useExhaustiveDependencies: `key` says which pages are wanted.
	const joined = useMemo(
		() =>
			joinRows(
				wanted.flatMap((page) => rows?.get(page) ?? []),
				loaded,
			),
		[key, rows, loaded],
	);
	return { rows: isTooMuch ? NO_ROWS : joined, isTooMuch };
}

const pagesBetween = (from: number, to: number) => {
	const first = Math.max(0, Math.floor((from - 1) / PAGE));
	const last = Math.max(first, Math.floor((to - 1) / PAGE));
	return Array.from({ length: last - first + 1 }, (_, at) => first + at);
};

/** Rows in their order; what the story has loaded is kept up to date, so it counts where both have a row. */
function joinRows(added: readonly Row[], loaded: readonly Row[]): readonly Row[] {
	if (added.length === 0) return loaded;
	const rows = new Map(added.map((row) => [row.key, row]));
	for (const row of loaded) rows.set(row.key, row);
	return [...rows.values()].sort((a, b) => a.seq - b.seq);
}
