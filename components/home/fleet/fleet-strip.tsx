import { useRouter } from 'next/navigation';
import { parseAsNumberLiteral, useQueryState } from 'nuqs';
import { type KeyboardEvent, type MouseEvent, memo, useId, useRef, useState } from 'react';
import type { SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import type { FleetLane as Lane } from '#lib/contract/sessions/session-queries.ts';
import {
	type FleetCursor,
	laneMarks,
	laneSpans,
	lanesToCome,
	markNear,
	momentWords,
	moveCursor,
	stateAt,
} from '#lib/fleet/fleet.ts';
import { locationWords } from '#lib/session/session-list.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { clockTime, hourMinute } from '#lib/time/clock.ts';
import { roughDuration } from '#lib/time/duration.ts';
import { roundTimes } from '#lib/timeline/time-scale.ts';
import { useSay } from '../../language/use-say.ts';
import { callRoute } from '../../live/call-route.ts';
import { serverNow } from '../../live/now.ts';
import { useLive } from '../../live/store.ts';
import { useRoute } from '../../live/use-answer.ts';
import { rowAddress } from '../../row/addresses.ts';
import { Alert } from '../../ui/answer-state.tsx';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { cn } from '../../ui/cn.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { useNarrow } from '../../ui/use-size.ts';
import { TaskName } from '../sessions/session-row.tsx';

const MINUTE_MS = 60_000;
/** Lanes that are shown at first, newest first. */
const FIRST_LANES = 8;
/** Maximum number of time labels, and the share of the axis near its end without labels, for wide and narrow windows. */
const TIMES = { wide: [6, 0.06], narrow: [3, 0.2] } as const;
/** Distance (px) within which the pointer hits a mark. */
const REACH_PX = 6;

/** Recent activity of all sessions, one thin lane each. A click opens the session at that time. */
export function FleetStrip() {
	const say = useSay();
	const [minutes, setMinutes] = useQueryState('fleet', parser);
	const { data: fleet, error } = useRoute('GET /api/fleet', { query: { minutes } }, { everyMs: REFRESH_MS });
	const sessions = useLive((state) => state.sessions);
	const [cursor, setCursor] = useState<FleetCursor | null>(null);
	const list = useRef<HTMLDivElement>(null);
	const router = useRouter();
	const [most, nearEnd] = TIMES[useNarrow() ? 'narrow' : 'wide'];
	const listId = useId();
	const [isWhole, setWhole] = useState(false);
	const all = fleet?.lanes ?? [];
	const lanes = isWhole ? all : all.slice(0, FIRST_LANES);
	const hidden = all.length - lanes.length;
	const from = Date.parse(fleet?.from ?? '');
	const to = Date.parse(fleet?.to ?? '');
	const nameOf = (sessionId: string) => {
		const { project, branch } = sessions?.[sessionId] ?? {};
		return locationWords(project, branch, sessionId);
	};
	const active = lanes.find(({ sessionId }) => sessionId === cursor?.sessionId);

	function cursorAt({ clientX, clientY }: MouseEvent): FleetCursor | null {
		const index = [...(list.current?.children ?? [])].findIndex(
			(child) => child.getBoundingClientRect().bottom > clientY,
		);
		const axis = list.current?.children[index]?.lastElementChild?.getBoundingClientRect();
		const lane = lanes[index];
		if (!axis || !lane) return null;
		const at = from + ((clientX - axis.left) / axis.width) * (to - from);
		const mark = markNear(lane, at, (REACH_PX / axis.width) * (to - from));
		return { sessionId: lane.sessionId, at: mark ? Date.parse(mark.at) : Math.min(to, Math.max(from, at)) };
	}

	/** Opens a session at the last row that started before the clicked time. */
	async function open({ sessionId, at }: FleetCursor): Promise<void> {
		const query = { until: new Date(at).toISOString(), limit: 1 };
		const answer = await callRoute('GET /api/sessions/:id/rows', { params: { id: sessionId }, query });
		router.push(rowAddress(sessionId, answer.ok ? answer.data.rows.at(-1)?.key : undefined));
	}

	function onKeyDown(event: KeyboardEvent): void {
		if (event.altKey || event.ctrlKey || event.metaKey) return;
		const moved = moveCursor(event.key, active ? cursor : null, { lanes, from, to });
		if (moved) setCursor(moved);
		else if (event.key === 'Enter' && active && cursor) void open(cursor);
		else return;
		event.preventDefault();
		event.stopPropagation();
	}

	return (
		<section aria-label={say('Fleet')} className="@container px-4 pt-3">
			<div className="flex min-h-7 flex-wrap items-center gap-x-3">
				<h2 className="font-semibold">{say('Fleet')}</h2>
				<Choice
					label={say('Time')}
					value={minutes}
					choices={fleetSpans.map((value) => ({ value, label: roughDuration(value * MINUTE_MS, say.language) }))}
					onChoose={(span) => void setMinutes(span)}
				/>
				<span className="ml-auto">
					<FleetLegend lanes={lanes} />
				</span>
			</div>
			{!fleet && <Alert>{error}</Alert>}
			{!error && !fleet && (
				<div aria-hidden style={{ height: stripHeight(lanesToCome(sessions, minutes, serverNow())) }} />
			)}
			{fleet && lanes.length === 0 && <p className="text-muted">{say('No session did anything in this time.')}</p>}
			{lanes.length > 0 && (
				<div
					ref={list}
					role="listbox"
					aria-label={say(
						'What each session did; left and right go from moment to moment, Enter opens the session there',
					)}
					aria-activedescendant={active && `${listId}-${active.sessionId}`}
					tabIndex={0}
					onKeyDown={onKeyDown}
					onMouseMove={(event) => setCursor(cursorAt(event))}
					onMouseLeave={() => setCursor(null)}
					onClick={(event) => {
						const clicked = cursorAt(event);
						if (clicked) void open(clicked);
					}}
					className="relative flex cursor-pointer flex-col gap-px border-line border-y py-1"
					style={{ height: listHeight(lanes.length) }}
				>
					{lanes.map((lane) => (
						<FleetLane
							key={lane.sessionId}
							lane={lane}
							name={nameOf(lane.sessionId)}
							session={sessions?.[lane.sessionId]}
							from={from}
							to={to}
							id={`${listId}-${lane.sessionId}`}
							isActive={lane === active}
						/>
					))}
				</div>
			)}
			{lanes.length > 0 && (
				<p role="status" className={cn(active ? 'flex gap-x-2' : LANE_GRID, 'h-5 overflow-hidden text-small')}>
					{active && cursor ? (
						<CursorLabel lane={active} name={nameOf(active.sessionId)} at={cursor.at} from={from} to={to} />
					) : (
						<span className={cn(LANE_AXIS, 'relative flex justify-end text-muted')}>
							{roundTimes(from, to, most, nearEnd).map((ms) => (
								<time
									key={ms}
									dateTime={new Date(ms).toISOString()}
									className="absolute -translate-x-1/2"
									style={{ left: `${(100 * (ms - from)) / (to - from)}%` }}
								>
									{hourMinute(ms)}
								</time>
							))}
							<time dateTime={fleet?.to}>{say('now')}</time>
						</span>
					)}
				</p>
			)}
			{hidden > 0 && (
				<Button kind="quiet" size="small" className="-ml-2 text-accent" onClick={() => setWhole(true)}>
					{say('Show {count} more', { count: hidden })}
				</Button>
			)}
			{fleet && hidden === 0 && fleet.more > 0 && (
				<p className="text-muted text-small">
					{say('{more} more {more:session has|sessions have} no lane here', { more: fleet.more })}
				</p>
			)}
		</section>
	);
}

/** Height in px. */
const listHeight = (count: number) => count * 18 + 10;

/** Height in px including the axis, so that the content below does not move when the lanes load. */
const stripHeight = (count: number) => (count === 0 ? 0 : listHeight(Math.min(count, FIRST_LANES)) + 20);

function CursorLabel({ lane, name, at, from, to }: { lane: Lane; name: string; at: number; from: number; to: number }) {
	const marks = lane.moments.filter((moment) => Date.parse(moment.at) === at && moment.what !== 'over');
	const say = useSay();
	const state = momentWords(stateAt(laneSpans(lane, from, to), at));
	const words = new Set([state, ...marks.map(({ what }) => momentWords(what))]);
	return (
		<>
			<time className="text-muted tabular-nums">{clockTime(at)}</time>
			<AgentText className="min-w-0 truncate font-medium">{name}</AgentText>
			<span className="whitespace-nowrap">{[...words].map((word) => say(word)).join(' · ')}</span>
		</>
	);
}

interface FleetLaneProps {
	lane: Lane;
	name: string;
	/** The shown time range, in ms. */
	from: number;
	to: number;
	id: string;
	isActive: boolean;
	session: SessionSummary | undefined;
}

/** State, task and place stand in the columns of the lists around it. */
const LANE_GRID = [
	'grid grid-cols-[6rem_minmax(0,1fr)] gap-x-2 @min-[640px]:grid-cols-[33%_minmax(0,1fr)] @min-[640px]:gap-x-3',
	'@min-[868px]:grid-cols-[0.75rem_7rem_26%_minmax(0,9rem)_minmax(0,1fr)]',
	'@min-[1368px]:grid-cols-[0.75rem_7rem_25%_14rem_minmax(0,1fr)]',
	'@min-[1768px]:grid-cols-[0.75rem_7rem_25%_22rem_minmax(0,1fr)]',
].join(' ');
const LANE_AXIS = 'min-w-0 col-start-2 @min-[868px]:col-start-5';

const FleetLane = memo(function FleetLane({ lane, name, from, to, id, isActive, session }: FleetLaneProps) {
	const percentAt = (at: number) => `${(100 * (at - from)) / (to - from)}%`;
	const spans = laneSpans(lane, from, to);
	const marks = laneMarks(lane);
	const say = useSay();
	const count = marks.length;
	const state = stateAt(spans, to);
	const parts = [say(momentWords(state)), ...(count > 0 ? [say('{count} {count:mark|marks}', { count })] : [])];
	return (
		// biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names its active lane (aria-activedescendant).
		<div
			id={id}
			role="option"
			aria-selected={isActive}
			aria-label={visibleString(`${name}: ${parts.join(', ')}`)}
			className={cn(LANE_GRID, 'min-h-0 flex-1 text-small', isActive && 'bg-selected')}
		>
			<span className="hidden self-center text-muted @min-[868px]:col-start-2 @min-[868px]:block">
				{state && say(momentWords(state))}
			</span>
			<span className="min-w-0 self-center @min-[868px]:col-start-3">
				{session?.title === undefined ? (
					<AgentText className="block truncate">{name}</AgentText>
				) : (
					<TaskName session={session} />
				)}
			</span>
			<AgentText className="hidden self-center truncate text-muted @min-[868px]:block">{name}</AgentText>
			<span aria-hidden className={cn(LANE_AXIS, 'relative')}>
				{spans.map((span) => (
					<span
						key={span.from}
						className={cn('absolute min-w-px', stateLook.get(span.state))}
						style={{ left: percentAt(span.from), width: `${(100 * (span.to - span.from)) / (to - from)}%` }}
					/>
				))}
				{marks.map(({ at, what, row }) => {
					const [glyph, tone] = markLook.get(what) ?? [];
					return (
						<span
							key={`${at} ${what} ${row}`}
							className={cn(
								'absolute top-1/2 -translate-x-1/2 -translate-y-1/2 rounded-full bg-surface px-px font-bold text-small leading-none',
								tone,
							)}
							style={{ left: `clamp(0.4rem, ${percentAt(Date.parse(at))}, 100% - 0.4rem)` }}
						>
							{glyph}
						</span>
					);
				})}
			</span>
		</div>
	);
});

/** What of the lanes' states and marks there is. */
function FleetLegend({ lanes }: { lanes: readonly Lane[] }) {
	const say = useSay();
	const present = new Set<What | null>(lanes.flatMap((lane) => [lane.before, ...lane.moments.map(({ what }) => what)]));
	const looks = [
		...stateLooks.map(([what, look]) => ({ what, look: cn('absolute inset-x-0', look), glyph: '' })),
		...markLooks.map(([what, glyph, look]) => ({ what, look, glyph })),
	].filter(({ what }) => present.has(what));
	return (
		<ul aria-label={say('What the lanes show')} className="hidden flex-wrap gap-x-3 text-muted text-small md:flex">
			{looks.map(({ what, look, glyph }) => (
				<li key={what} className="flex items-center gap-1">
					<span aria-hidden className={cn(glyph === '' && 'relative inline-block h-2.5 w-3')}>
						<span className={look}>{glyph}</span>
					</span>
					{say(momentWords(what))}
				</li>
			))}
		</ul>
	);
}

const REFRESH_MS = 5000;

const fleetSpans = [15, 60, 240, 1440] as const;

const parser = parseAsNumberLiteral(fleetSpans).withDefault(60).withOptions({ history: 'replace', scroll: false });

type What = Lane['moments'][number]['what'];
type Mark = Extract<What, 'denial' | 'mismatch' | 'decision'>;
type State = Exclude<What, Mark>;

/** States in the order of the legend. Height and pattern differ as well as colour. */
const stateLooks: readonly (readonly [Exclude<State, 'over'>, string])[] = [
	['working', 'top-1/4 h-1/2 bg-run'],
	['waiting', 'inset-y-0 border border-wait bg-wait/40'],
	['reviewed', 'top-1/4 h-1/2 border border-run stripes'],
	['failed', 'inset-y-0.5 bg-err'],
	['idle', 'top-1/2 h-px bg-edge'],
];

export const markLooks: readonly (readonly [Mark, string, string])[] = [
	['denial', '✕', 'text-err'],
	['mismatch', '≠', 'text-warn'],
	['decision', '⚑', 'text-accent'],
];

const stateLook = new Map<What, string>(stateLooks);
const markLook = new Map<What, readonly [string, string]>(
	markLooks.map(([what, glyph, tone]) => [what, [glyph, tone]]),
);
