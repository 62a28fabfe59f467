'use client';
import { type UIEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { Row } from '#lib/session/row.ts';
import type { SessionView } from '#lib/session/view.ts';
import { hourMinute } from '#lib/time/clock.ts';
import { busyIn, type Lane, lanesOf } from '#lib/timeline/lanes.ts';
import { SEARCH_ROWS } from '#lib/timeline/row-window.ts';
import { timeScale } from '#lib/timeline/time-scale.ts';
import { loadRange } from '../live/load-range.ts';
import { useNow } from '../live/now.ts';
import { useSession, useSessionSource } from '../live/session-source.ts';
import { useActorName } from '../row/use-actor-name.ts';
import { SearchOlder } from '../story/search-older.tsx';
import { AgentText } from '../text/agent-text.tsx';
import { AxisLabels } from '../timeline/axis-labels.tsx';
import { Button } from '../ui/button.tsx';
import { useWidth } from '../ui/use-width.ts';
import { BAR_PX, LaneBars } from './lane-bars.tsx';
import { EXPECTED_PX, PlanRow } from './plan-row.tsx';
import { planTimeline } from './plan-segments.ts';
import { StageSpans, stageSpans } from './stage-spans.tsx';

const NO_ROWS: readonly Row[] = [];
const MOST_ZOOM = 64;
/** The share of the width that the plan's expected phases may take from the past. */
const MOST_AHEAD = 0.4;
/** Bars this far (px) beside what is in view are drawn too. */
const BESIDE = 400;

/** The loaded calls as bars over time, one lane an actor; idle time is collapsed. */
export function LanesTab({ view }: { view: SessionView }) {
	const { sessionId } = view;
	const source = useSessionSource();
	const window = useSession(sessionId, (session) => session.window);
	const rows = window?.rows ?? NO_ROWS;
	const hasOlder = window?.hasOlder === true;
	const now = useNow();
	const isOver = (view.ended ?? view.lost) !== undefined;
	const lanes = useMemo(() => lanesOf(rows, now), [rows, now]);
	const spans = stageSpans(view, now);
	const plan = planTimeline(view, now);
	const planHeight = (plan?.depth ?? 0) * BAR_PX;
	const [ref, width] = useWidth<HTMLDivElement>();
	const [zoom, setZoom] = useState(1);
	const [left, setLeft] = useState(0);
	const box = useRef<HTMLDivElement>(null);
	const atEnd = useRef(true);
	const first = rows[0] ? Date.parse(rows[0].at) : now;
	const ahead = (plan?.expected.length ?? 0) * EXPECTED_PX;
	// What is expected stands beside now without pushing the past out of sight.
	const axis = Math.max(width * (1 - MOST_AHEAD), width - ahead);
	const scale = useMemo(() => timeScale(busyIn(lanes), axis * zoom), [lanes, axis, zoom]);
	const end = scale.width + Math.min(ahead, width * MOST_AHEAD);
	const nameOf = useActorName(sessionId);

	// biome-ignore lint/correctness/useExhaustiveDependencies: a wider axis moves what was in view.
	useEffect(() => {
		if (atEnd.current && box.current) box.current.scrollLeft = end - width;
	}, [scale.width]);

	const isSearching = lanes.length === 0 && hasOlder && rows.length < SEARCH_ROWS;
	// biome-ignore lint/correctness/useExhaustiveDependencies: each range that had no call asks for the next.
	useEffect(() => {
		if (isSearching) void loadRange(source, 'older');
	}, [isSearching, rows, source]);

	function onScroll({ currentTarget: { scrollLeft, clientWidth } }: UIEvent<HTMLDivElement>) {
		atEnd.current = scrollLeft + clientWidth > end - 40;
		setLeft(scrollLeft);
	}
	if (isSearching) return <p className="p-4 text-muted">The newest rows have no call. Older ones are being loaded.</p>;
	if (lanes.length === 0 && hasOlder) return <SearchOlder rows={rows.length} />;
	if (lanes.length === 0)
		return <p className="p-4 text-muted">No call is recorded yet. Lanes appear with the first one.</p>;
	const drawn = { from: left - BESIDE, to: left + width + BESIDE };
	return (
		<section aria-label="Lanes" className="flex min-h-0 flex-1 flex-col">
			<div className="flex min-h-9 shrink-0 items-center gap-2 border-line border-b px-4 py-1">
				<Button size="small" aria-label="Zoom out" disabled={zoom === 1} onClick={() => setZoom(zoom / 2)}>
					−
				</Button>
				<Button size="small" aria-label="Zoom in" disabled={zoom === MOST_ZOOM} onClick={() => setZoom(zoom * 2)}>
					+
				</Button>
				<span className="text-muted">
					{rows.length.toLocaleString('en')} loaded rows from {hourMinute(first)}; striped is held
					{hasUnseenEnd(lanes) && ', dotted held at most so long'}, grey waits for a sub-agent
				</span>
				{hasOlder && (
					<Button size="small" onClick={() => void loadRange(source, 'older')}>
						Load older
					</Button>
				)}
			</div>
			<div className="flex min-h-0 flex-1 overflow-y-auto">
				<div aria-hidden className="w-24 shrink-0 border-line border-r md:w-32">
					<p className="h-6 px-3 text-muted text-small leading-6">Time</p>
					{plan && (
						<p className="px-3 text-muted text-small leading-6" style={{ height: planHeight }}>
							Plan
						</p>
					)}
					{spans.length > 0 && <p className="h-6 px-3 text-muted text-small leading-6">Stages</p>}
					{lanes.map((lane) => (
						<p
							key={lane.agentId ?? ''}
							className="truncate border-line/60 border-t px-3"
							style={{ height: heightOf(lane) }}
						>
							<AgentText>{nameOf(lane.agentId)}</AgentText>
						</p>
					))}
				</div>
				<div ref={box} className="scroll-hint relative min-w-0 flex-1 overflow-x-auto" onScroll={onScroll}>
					<div ref={ref} />
					<div className="relative min-h-full" style={{ width: scale.width + ahead }}>
						<AxisLabels scale={scale} />
						{plan && <PlanRow plan={plan} scale={scale} first={first} height={planHeight} />}
						{spans.length > 0 && <StageSpans spans={spans} scale={scale} first={first} />}
						{lanes.map((lane) => (
							<LaneBars
								key={lane.agentId ?? ''}
								lane={lane}
								actor={nameOf(lane.agentId)}
								height={heightOf(lane)}
								scale={scale}
								drawn={drawn}
							/>
						))}
						{!isOver && (
							<span
								aria-hidden
								className="absolute inset-y-0 w-px bg-accent"
								style={{ left: Math.max(0, Math.min(scale.toX(now), scale.width - 1)) }}
							/>
						)}
					</div>
				</div>
			</div>
		</section>
	);
}

const heightOf = ({ depth }: Lane) => depth * BAR_PX + 4;

const hasUnseenEnd = (lanes: readonly Lane[]) => lanes.some(({ bars }) => bars.some(({ isAtMost }) => isAtMost));
