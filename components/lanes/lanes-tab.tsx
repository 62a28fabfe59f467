import { useEffect, useMemo, useState } from 'react';
import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import type { SessionView, StageRun } from '#lib/contract/sessions/read-model/session-view.ts';
import { findCall, outcomeOf } from '#lib/session/call.ts';
import { busyBetween, type Point, seqAt } from '#lib/timeline/density.ts';
import { busyIn, comingSpans, lanesOf, orderLanes, type PlacedLane, pinsOf } from '#lib/timeline/lanes.ts';
import {
	busySpans,
	clipSpans,
	gapFor,
	IDLE_MS,
	type Span,
	type TimeScale,
	timeScale,
} from '#lib/timeline/time-scale.ts';
import { useSay } from '../language/use-say.ts';
import { useNow } from '../live/now.ts';
import { useSession, useSessionSource } from '../live/session-source.ts';
import { useActorName } from '../row/row-hooks.ts';
import { useSessionParams } from '../row/search-params.ts';
import { useNotes } from '../session/notes/notes-context.ts';
import { AxisLabels } from '../ui/axis-labels.tsx';
import { useWidth } from '../ui/use-size.ts';
import { BAR_PX, barBox, LANE_PX, LaneBars, LaneNames } from './lane-bars.tsx';
import { LaneOverview, LaneToolbar } from './lane-toolbar.tsx';
import { hasNotesIn, NoteRow, PinRow } from './moment-rows.tsx';
import { EXPECTED_PX, PlanRow, planTimeline, StageBands, stageBands } from './plan-rows.tsx';
import { useZoom } from './use-zoom.ts';

/** Sessions with more events than this open at their newest events; the user can zoom out to the rest. */
const FOLLOWED_EVENTS = 3_000;
/** Number of events loaded before the visible range, because a call that started there may still be running in it. */
const BEFORE_EVENTS = 200;
const MAX_AHEAD_SHARE = 0.4;

export function LanesTab({ view }: { view: SessionView }) {
	const say = useSay();
	const { sessionId, seq } = view;
	const now = useNow();
	const isOver = (view.ended ?? view.lost) !== undefined;
	const points = useDensity(view);
	const [ref, width] = useWidth<HTMLDivElement>();
	const nameOf = useActorName(sessionId);
	const [{ row }, setParams] = useSessionParams();

	const agentIds = useMemo(() => [undefined, ...view.agents.map(({ agentId }) => agentId)], [view.agents]);
	const { notes, open: openNotes } = useNotes();
	const runs = view.stageRuns ?? NO_RUNS;
	const coming = useComing(view, now, agentIds);

	const last = points.at(-1)?.at ?? now;
	const end = coming.to ?? (isOver ? last : Math.max(now, last));
	const idleMs = idleIn(points[0]?.at ?? end, end);
	const allBusy = useMemo(() => {
		const open = openSpans(view, coming.to === null ? end : now);
		const all = [...busyBetween(points, idleMs), ...open, ...coming.busy, { from: end, to: end }];
		return busySpans(all, idleMs);
	}, [points, view, end, now, coming, idleMs]);
	const axis = timeScale(allBusy, width, gapFor(allBusy, width));
	const start = allBusy[0]?.from ?? end;
	const followed = points.findLast((point) => point.seq <= seq - FOLLOWED_EVENTS)?.at ?? start;
	const lens = useZoom(axis, { from: followed, to: end }, { from: start, to: end });
	const inView = lens.span ?? { from: followed, to: end };
	const range = { from: Math.max(start, Math.min(inView.from, end)), to: Math.min(end, Math.max(inView.to, start)) };

	const fromSeq = Math.max(1, Math.floor(seqAt(points, range.from)) - BEFORE_EVENTS);
	const toSeq = Math.max(fromSeq, Math.ceil(seqAt(points, range.to)));
	const { rows, isTooMuch } = useRangeRows(sessionId, fromSeq, toSeq);
	const lanes = useMemo(() => placeLanes(rows, view, now), [rows, view, now]);
	const worked = useMemo(() => busyIn(lanes.map(withVisibleEnd)), [lanes]);
	const pins = useMemo(() => pinsOf(rows), [rows]);
	const plan = planTimeline(view, now, say);
	const isAtEnd = range.to >= end - 1 && coming.to === null;
	// Limit the space for expected phases so that they do not push the past out of view.
	const ahead = isAtEnd && plan ? Math.min(plan.expected.length * EXPECTED_PX, width * MAX_AHEAD_SHARE) : 0;
	const busy = clipSpans(busySpans([...allBusy, ...worked], idleMs), range);
	const scale = timeScale(busy, width - ahead, gapFor(busy, width - ahead));
	const { bands, depth } = stageBands(runs, range, now);
	const shown = lanes.filter((lane) => (lane.level > 0 ? isIn(lane, range, now) : !isIdle(lane, lanes, coming.lanes)));

	if (view.counters.calls === 0 && view.agents.length === 0)
		return <p className="p-4 text-muted">{say('No call is recorded yet. Lanes appear with the first one.')}</p>;
	const planHeight = (plan?.depth ?? 0) * BAR_PX;
	const stagesHeight = Math.max(depth, Math.min(1, coming.runs.length)) * BAR_PX;
	const othersHeight = coming.others.reduce((most, { depth: at }) => Math.max(most, at + 1), 0) * BAR_PX;
	const zoomTo = (next: Span) => lens.show({ from: Math.max(start, next.from), to: Math.min(end, next.to) });
	return (
		<section aria-label={say('Lanes')} className="flex min-h-0 flex-1 flex-col" onKeyDown={lens.onKeyDown}>
			<LaneToolbar {...{ lens, isOver, pins }} view={range} bars={shown.flatMap(({ bars }) => bars)} />
			{isTooMuch && (
				<p role="status" className="shrink-0 border-line border-b px-4 py-1 text-muted">
					{say('{count} events are in view: stages and agents are shown. Zoom in to see each call.', {
						count: (toSeq - fromSeq).toLocaleString('en'),
					})}
				</p>
			)}
			<section
				aria-label={say('Lanes over time')}
				// biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
				tabIndex={0}
				className="flex min-h-0 flex-1 overflow-y-auto"
			>
				<LaneNames
					heights={{ plan: planHeight, stages: stagesHeight, others: othersHeight }}
					hasNotes={hasNotesIn(notes, runs, range, now)}
					lanes={shown.map((lane) => ({ lane, actor: nameOf(lane.agentId), height: heightOf(lane) }))}
				/>
				<div ref={lens.wheelRef} className="min-w-0 flex-1">
					<div ref={ref} />
					<LaneOverview
						axis={axis}
						points={points}
						runs={runs}
						marks={view.mismatches.map(({ at }) => Date.parse(at))}
						view={range}
						now={now}
						onView={zoomTo}
					/>
					<div className="relative min-h-full overflow-hidden" style={{ width }}>
						<AxisLabels scale={scale} />
						{plan && <PlanRow plan={plan} scale={scale} view={range} room={ahead} height={planHeight} />}
						{stagesHeight > 0 && (
							<div className="relative">
								<StageBands
									bands={bands}
									scale={scale}
									height={stagesHeight}
									onNote={(stage) => openNotes({ stage })}
								/>
								<ComingBars bars={coming.runs} scale={scale} view={range} />
							</div>
						)}
						<PinRow pins={pins} scale={scale} view={range} />
						<NoteRow runs={runs} scale={scale} view={range} now={now} />
						{shown.map((lane) => (
							<div
								key={lane.agentId ?? ''}
								className="relative border-line/60 border-t"
								style={{ paddingBlock: LANE_PX }}
							>
								<LaneBars
									lane={lane}
									actor={nameOf(lane.agentId)}
									height={heightOf(lane)}
									scale={scale}
									view={range}
									now={now}
									folder={view.cwd ?? null}
									openRow={row}
									onOpen={(opened) => void setParams({ row: opened })}
									onShow={zoomTo}
								/>
								<div className="absolute inset-x-0" style={{ top: LANE_PX }}>
									<ComingBars bars={coming.lanes.get(lane.agentId) ?? NO_BARS} scale={scale} view={range} />
								</div>
							</div>
						))}
						<div className="relative" style={{ height: othersHeight }}>
							<ComingBars bars={coming.others} scale={scale} view={range} />
						</div>
						<NowLine x={nowX(coming.to !== null || (!isOver && isAtEnd), range, Math.min(now, end), scale)} />
					</div>
				</div>
			</section>
		</section>
	);
}

const NO_RUNS: readonly StageRun[] = [];
const NO_BARS: readonly Span[] = [];

const nowX = (isLive: boolean, { from, to }: Span, now: number, scale: TimeScale) =>
	isLive && now >= from && now <= to ? Math.min(scale.toX(now), scale.width - 1) : null;

function NowLine({ x }: { x: number | null }) {
	if (x === null) return null;
	const look = 'pointer-events-none absolute inset-y-0 w-px bg-accent';
	return <span aria-hidden className={look} style={{ left: Math.max(0, x) }} />;
}

/** How long (ms) nothing happens in a gap that is folded; in a short session less than in a long one. */
const idleIn = (from: number, to: number) => Math.min(IDLE_MS, Math.max(10_000, (to - from) / 8));

const heightOf = ({ depth }: PlacedLane) => depth * BAR_PX;

function placeLanes(
	rows: readonly Row[],
	{ agents, calls, startedAt, ended, lost }: SessionView,
	now: number,
): PlacedLane[] {
	const byKey = new Map(rows.map((row) => [row.key, row]));
	const lanes = orderLanes(lanesOf(rows, now), agents, (id) => byKey.get(`call:${id}`) ?? findCall(calls, id));
	// The main agent lives as long as the session.
	const end = ended ?? lost;
	const life = startedAt ? { from: Date.parse(startedAt), to: end ? Date.parse(end.at) : null } : undefined;
	return lanes.map((lane) => (lane.agentId === undefined && life ? { ...lane, life } : lane));
}

/** Drops calls whose end was not observed. They may have been closed hours later, which would count as work. */
const withVisibleEnd = (lane: PlacedLane): PlacedLane => ({
	...lane,
	bars: lane.bars.filter(({ call, isOpen }) => isOpen || call.evidence !== undefined),
});

/** A session whose agents do all the work has no calls of its own. */
const isIdle = (main: PlacedLane, lanes: readonly PlacedLane[], coming: ReadonlyMap<string | undefined, unknown>) =>
	main.bars.length === 0 && lanes.length > 1 && !coming.has(main.agentId);

function isIn({ bars, life }: PlacedLane, { from, to }: Span, now: number): boolean {
	if (life && life.from <= to && (life.to ?? now) >= from) return true;
	return bars.some((bar) => bar.to >= from && bar.from <= to);
}

/** Running calls, and long calls without an event in between: busy time that gaps between events would hide. */
function openSpans({ calls }: SessionView, end: number): Span[] {
	return calls.flatMap((call) => {
		const from = Date.parse(call.calledAt ?? call.at);
		if (call.endedAt === undefined && outcomeOf(call) !== 'running') return [];
		const to = call.endedAt === undefined ? end : Math.min(end, Date.parse(call.endedAt));
		return [{ from, to: Math.max(from, to) }];
	});
}

/** Faint bars for what a recording contains after the shown instant, drawn over the rows they belong to. */
function ComingBars(props: { bars: readonly (Span & { depth?: number })[]; scale: TimeScale; view: Span }) {
	const { bars, scale, view } = props;
	return (
		<div aria-hidden className="pointer-events-none absolute inset-0">
			{bars
				.filter(({ from, to }) => to >= view.from && from <= view.to)
				.map(({ depth = 0, ...span }) => (
					<span
						key={`${depth} ${span.from}`}
						data-testid="still-to-come"
						className="absolute h-6 rounded border border-edge border-dotted bg-raised opacity-60"
						style={barBox(scale, span, depth)}
					/>
				))}
		</div>
	);
}

const STEP_EVENTS = 250;

const NOTHING = { to: null, busy: [], runs: [], lanes: new Map(), others: [] } as const;

/** What a recording contains after the shown instant: `lanes` by actor, `others` of actors not in `known`, up to `to` (ms). */
function useComing({ sessionId, seq }: SessionView, now: number, known: readonly (string | undefined)[]) {
	const { coming } = useSessionSource();
	const [loaded, setLoaded] = useState<{ from: number; rows: readonly Row[] }>({ from: -1, rows: [] });
	const from = Math.floor(seq / STEP_EVENTS) * STEP_EVENTS;
	useEffect(() => {
		if (!coming) return;
		let isCurrent = true;
		void coming.getRows(sessionId, from).then((rows) => isCurrent && setLoaded({ from, rows }));
		return () => {
			isCurrent = false;
		};
	}, [coming, sessionId, from]);
	const names = known.join(' ');
	// biome-ignore lint/correctness/useExhaustiveDependencies: `names` changes whenever `known` does.
	return useMemo(
		() => (coming ? comingSpans(coming, loaded.rows, { now, seq, known }) : NOTHING),
		[coming, loaded, now, seq, names],
	);
}

const GROWTH = 1.2;
const RETRY_MS = 1000;

/** Activity over the whole session up to its newest event. Uses the loaded rows until the server has answered. */
function useDensity({ sessionId, seq, lastAt }: SessionView): readonly Point[] {
	const { getDensity } = useSessionSource();
	const [known, setKnown] = useState<{ points: readonly Point[]; seq: number }>({ points: [], seq: 0 });
	const rows = useSession(sessionId, ({ window }) => window.rows);
	const [tries, setTries] = useState(0);
	const isOld = seq < known.seq || seq > known.seq * GROWTH;
	// biome-ignore lint/correctness/useExhaustiveDependencies: `tries` triggers a retry after a failed request.
	useEffect(() => {
		if (!isOld) return;
		let isCurrent = true;
		let timer: ReturnType<typeof setTimeout> | undefined;
		void getDensity(sessionId).then((answer) => {
			if (!isCurrent) return;
			const points = answer.ok ? answer.data.points : [];
			const last = points.at(-1);
			if (last) setKnown({ points, seq: last.seq });
			else timer = setTimeout(() => setTries((before) => before + 1), RETRY_MS);
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

/** Above this many events in the range, single calls are not drawn. */
const MAX_EVENTS = 4_000;
const PAGE = 500;
const KEPT_PAGES = 24;
/** Delay (ms) after the last zoom or pan before the visible range is loaded. */
const REST_MS = 120;

const NO_ROWS: readonly Row[] = [];

/** Rows whose first event has a seq from `from` to `to`, whether or not the story has loaded them. */
function useRangeRows(sessionId: string, from: number, to: number) {
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
	const isTooMuch = !isLoaded && to - from > MAX_EVENTS;
	const neededPages =
		isLoaded || isTooMuch ? [] : pagesBetween(from, last >= to ? Math.min(to, Math.max(first, from)) : to);
	const missing = neededPages.filter((page) => !rows?.has(page)).join();
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
				const cachedPages = before.epoch === epoch ? [...before.rows].slice(-KEPT_PAGES) : [];
				const newPages = seqs.flatMap((page, index) => {
					const answer = answers[index];
					return answer?.ok ? [[page, answer.data.rows] as const] : [];
				});
				return { epoch, rows: new Map([...cachedPages, ...newPages]) };
			});
		}, REST_MS);
		return () => {
			isCurrent = false;
			clearTimeout(timer);
		};
	}, [missing, getRows, sessionId, epoch]);
	const loaded = window?.rows ?? NO_ROWS;
	const key = neededPages.join();
	// biome-ignore lint/correctness/useExhaustiveDependencies: `key` changes whenever the list of pages does.
	const joined = useMemo(
		() =>
			joinRows(
				neededPages.flatMap((page) => rows?.get(page) ?? []),
				loaded,
			),
		[key, rows, loaded],
	);
	return { rows: isTooMuch ? NO_ROWS : joined, isTooMuch };
}

const pagesBetween = (from: number, to: number) => {
	const first = Math.max(0, Math.floor((from - 1) / PAGE));
	const last = Math.max(first, Math.floor((to - 1) / PAGE));
	return Array.from({ length: last - first + 1 }, (_, position) => first + position);
};

/** Merges rows in order of seq. Rows loaded by the story win, because they are kept up to date. */
function joinRows(added: readonly Row[], loaded: readonly Row[]): readonly Row[] {
	if (added.length === 0) return loaded;
	const rows = new Map(added.map((row) => [row.key, row]));
	for (const row of loaded) rows.set(row.key, row);
	return [...rows.values()].sort((a, b) => a.seq - b.seq);
}
