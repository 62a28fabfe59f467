import { type PointerEvent, useRef } from 'react';
import type { StageRun } from '#lib/contract/sessions/read-model/session-view.ts';
import type { Plain } from '#lib/messages/say.ts';
import { densityColumns, densityPath, type Point } from '#lib/timeline/density.ts';
import { type LaneBar, type PinKind, type ToolFamily, toolFamily } from '#lib/timeline/lanes.ts';
import type { Span, TimeScale } from '#lib/timeline/time-scale.ts';
import { useSay } from '../language/use-say.ts';
import { useNotes } from '../session/notes/notes-context.ts';
import { Button } from '../ui/button.tsx';
import { cn } from '../ui/cn.ts';
import { fills } from './lane-bars.tsx';
import { pinKinds, pinLooks } from './moment-rows.tsx';
import type { Lens } from './use-zoom.ts';

const legend: Record<ToolFamily, Plain> = {
	read: 'reads',
	edit: 'edits',
	run: 'runs#tool',
	agent: 'agents',
	other: 'other',
};

const waits: Record<Exclude<LaneBar['kind'], 'call'>, { look: string; word: Plain }> = {
	wait: { look: 'bg-surface', word: 'waits for its sub-agent' },
	hold: { look: 'border-wait stripes', word: 'held for a person' },
};

const zooms = [
	{ sign: '−', name: 'Zoom out', title: 'Zoom out (−, or Ctrl and the wheel)', factor: 2 },
	{ sign: '+', name: 'Zoom in', title: 'Zoom in (+, or Ctrl and the wheel)', factor: 0.5 },
] as const;

interface LaneToolbarProps {
	lens: Lens;
	view: Span;
	isOver: boolean;
	/** Kinds of the moments in view. */
	moments: ReadonlySet<PinKind>;
	bars: readonly LaneBar[];
}

const timeOf = ({ from, to }: Span) => ({ from: new Date(from).toISOString(), to: new Date(to).toISOString() });

export function LaneToolbar({ lens, view, isOver, moments, bars }: LaneToolbarProps) {
	const say = useSay();
	const { span, show, showWhole, zoom } = lens;
	const { mayAdd, open } = useNotes();
	const families = new Set(bars.flatMap(({ kind, call }) => (kind === 'call' ? toolFamily(call.tool) : [])));
	const kinds = new Set(bars.map(({ kind }) => kind));
	return (
		<div className="flex min-h-9 shrink-0 flex-wrap items-center gap-2 border-line border-b px-4 py-1">
			{zooms.map(({ sign, name, title, factor }) => (
				<Button key={sign} size="small" aria-label={say(name)} title={say(title)} onClick={() => zoom(factor)}>
					{sign}
				</Button>
			))}
			<Button size="small" title={say('The whole session (0)')} onClick={showWhole}>
				{say('Fit')}
			</Button>
			<Button size="small" title={say('The newest (End)')} disabled={span === null} onClick={() => show(null)}>
				{isOver ? say('End') : say('Now')}
			</Button>
			<ul
				aria-label={say('Legend')}
				className="flex flex-wrap items-center gap-x-3 text-muted text-small order-last basis-full"
			>
				{(Object.keys(legend) as ToolFamily[]).map(
					(family) => families.has(family) && <LegendItem key={family} look={fills[family]} word={legend[family]} />,
				)}
				{(['wait', 'hold'] as const).map((kind) => kinds.has(kind) && <LegendItem key={kind} {...waits[kind]} />)}
				{pinKinds.map(
					(kind) =>
						moments.has(kind) && (
							<li key={kind}>
								<span aria-hidden>{pinLooks[kind].glyph} </span>
								{say(pinLooks[kind].word)}
							</li>
						),
				)}
			</ul>
			{mayAdd && (
				<Button
					size="small"
					className="ml-auto"
					title={say('Drag over the whole session to choose a stretch')}
					onClick={() => open(timeOf(view))}
				>
					{say('Add a note')}
				</Button>
			)}
		</div>
	);
}

function LegendItem({ look, word }: { look: string; word: Plain }) {
	const say = useSay();
	return (
		<li className="flex items-center gap-1.5">
			<span aria-hidden className={cn('inline-block size-3 rounded-xs border border-edge/60', look)} />
			{say(word)}
		</li>
	);
}

const HEIGHT = 36;
const COLUMN_PX = 3;
/** A drag shorter than this (px) counts as a click. */
const PRESS_PX = 3;

interface LaneOverviewProps {
	axis: TimeScale;
	points: readonly Point[];
	runs: readonly StageRun[];
	marks: readonly number[];
	view: Span;
	now: number;
	onView: (span: Span) => void;
}

/**
 * The whole session in one strip: activity, stages, problems and the visible range. A drag on it selects a range, or moves it.
 */
export function LaneOverview({ axis, points, runs, marks, view, now, onView }: LaneOverviewProps) {
	const say = useSay();
	const drag = useRef<{ kind: 'choose' | 'move'; x: number; view: Span } | null>(null);
	const left = axis.toX(view.from);
	const right = axis.toX(view.to);
	const xOf = (event: PointerEvent<HTMLElement>) =>
		Math.min(axis.width, Math.max(0, event.clientX - event.currentTarget.getBoundingClientRect().left));

	function onPointerDown(event: PointerEvent<HTMLElement>) {
		if (event.button !== 0) return;
		const x = xOf(event);
		event.currentTarget.setPointerCapture(event.pointerId);
		const isInside = x > left && x < right && right - left < axis.width - 2;
		drag.current = { kind: isInside ? 'move' : 'choose', x, view };
	}
	function onPointerMove(event: PointerEvent<HTMLElement>) {
		if (!drag.current) return;
		const { kind, x: start, view: before } = drag.current;
		const x = xOf(event);
		if (Math.abs(x - start) < PRESS_PX) return;
		const from = axis.toX(before.from);
		const to = axis.toX(before.to);
		if (kind === 'move') {
			const by = Math.min(axis.width - to, Math.max(-from, x - start));
			onView({ from: axis.toTime(from + by), to: axis.toTime(to + by) });
		} else {
			onView({ from: axis.toTime(Math.min(x, start)), to: axis.toTime(Math.max(x, start)) });
		}
	}
	function onPointerUp(event: PointerEvent<HTMLElement>) {
		const pressed = drag.current;
		drag.current = null;
		if (!pressed || pressed.kind === 'move' || Math.abs(xOf(event) - pressed.x) >= PRESS_PX) return;
		// A click centres the visible range on the pointer.
		const half = (right - left) / 2;
		const middle = Math.min(axis.width - half, Math.max(half, pressed.x));
		onView({ from: axis.toTime(middle - half), to: axis.toTime(middle + half) });
	}
	return (
		<div
			aria-hidden
			data-testid="lane-overview"
			className="relative cursor-crosshair touch-none select-none overflow-hidden border-line border-b"
			style={{ height: HEIGHT, width: axis.width }}
			onPointerDown={onPointerDown}
			onPointerMove={onPointerMove}
			onPointerUp={onPointerUp}
			onPointerCancel={() => {
				drag.current = null;
			}}
		>
			<svg width={axis.width} height={HEIGHT} className="pointer-events-none block">
				<title>{say('Activity')}</title>
				<path
					d={densityPath(densityColumns(axis, [points], COLUMN_PX), COLUMN_PX, HEIGHT - 5)}
					className="fill-edge/50"
				/>
				{runs.map(({ stage, from, to }) => {
					const x = axis.toX(from);
					const width = Math.max(1, axis.toX(to ?? now) - x - 1);
					return (
						<rect key={`${stage} ${from}`} x={x} y={HEIGHT - 4} width={width} height={3} className="fill-run/70" />
					);
				})}
				{marks.map((at) => (
					<rect key={at} x={axis.toX(at) - 0.75} y={0} width={1.5} height={HEIGHT - 5} className="fill-warn" />
				))}
			</svg>
			<div
				className="pointer-events-none absolute inset-y-0 border-accent border-x-2 bg-accent/10"
				style={{ left, width: Math.max(3, right - left) }}
			/>
		</div>
	);
}
