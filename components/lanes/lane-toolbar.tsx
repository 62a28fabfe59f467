import { type PointerEvent, useRef } from 'react';
import type { StageRun } from '#lib/contract/sessions/read-model/session-view.ts';
import type { Plain } from '#lib/messages/say.ts';
import { densityColumns, densityPath, type Point } from '#lib/timeline/density.ts';
import { type LaneBar, type Pin, type ToolFamily, toolFamily } from '#lib/timeline/lanes.ts';
import type { Span, TimeScale } from '#lib/timeline/time-scale.ts';
import { useSay } from '../language/use-say.ts';
import { useNotes } from '../session/notes/notes-context.ts';
import { Button } from '../ui/button.tsx';
import { cn } from '../ui/cn.ts';
import { NarrowFold } from '../ui/part.tsx';
import { FAILED, fills } from './lane-bars.tsx';
import { pinKinds, pinLooks } from './moment-rows.tsx';
import type { Lens } from './use-zoom.ts';

const legend: Record<ToolFamily, Plain> = {
	read: 'reads',
	edit: 'edits',
	run: 'runs#tool',
	agent: 'agents',
	other: 'other',
};

const zooms = [
	{ sign: '−', name: 'Zoom out', title: 'Zoom out (−, or Ctrl and the wheel)', factor: 2 },
	{ sign: '+', name: 'Zoom in', title: 'Zoom in (+, or Ctrl and the wheel)', factor: 0.5 },
] as const;

interface LaneToolbarProps {
	lens: Lens;
	view: Span;
	isOver: boolean;
	pins: readonly Pin[];
	bars: readonly LaneBar[];
}

const timeOf = ({ from, to }: Span) => ({ from: new Date(from).toISOString(), to: new Date(to).toISOString() });

export function LaneToolbar({ lens, view, isOver, pins, bars }: LaneToolbarProps) {
	const say = useSay();
	const { span, show, showWhole, zoom } = lens;
	const { mayAdd, open } = useNotes();
	const families = new Set(bars.flatMap(({ kind, call }) => (kind === 'hold' ? [] : toolFamily(call.tool))));
	return (
		<div className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-2 border-line border-b px-4 py-1">
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
			<NarrowFold title={say('Legend')} className="max-md:open:order-last max-md:open:basis-full md:pl-4">
				<ul aria-label={say('Legend')} className="flex flex-wrap items-center gap-x-3 text-muted text-small">
					{(Object.keys(legend) as ToolFamily[]).map(
						(family) => families.has(family) && <LegendItem key={family} look={fills[family]} word={legend[family]} />,
					)}
					{bars.some(({ tone }) => tone === 'err') && <LegendItem look={FAILED} word="failed" />}
					{bars.some(({ kind }) => kind === 'hold') && (
						<LegendItem look="border-wait stripes" word="held for a person" />
					)}
					{pinKinds.map((kind) =>
						pins.some((pin) => pin.kind === kind) ? (
							<li key={kind}>{`${pinLooks[kind].glyph} ${say(pinLooks[kind].word)}`}</li>
						) : null,
					)}
				</ul>
			</NarrowFold>
			{mayAdd && (
				<Button
					size="small"
					className="ml-auto max-md:hidden"
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
	const drag = useRef<{ x: number; view: Span } | null>(null);
	const left = axis.toX(view.from);
	const right = axis.toX(view.to);
	const xOf = (event: PointerEvent<HTMLElement>) =>
		Math.min(axis.width, Math.max(0, event.clientX - event.currentTarget.getBoundingClientRect().left));
	const show = (from: number, to: number) => onView({ from: axis.toTime(from), to: axis.toTime(to) });

	function onPointerDown(event: PointerEvent<HTMLElement>) {
		if (event.button !== 0) return;
		event.currentTarget.setPointerCapture(event.pointerId);
		drag.current = { x: xOf(event), view };
	}
	function onPointerMove(event: PointerEvent<HTMLElement>) {
		if (!drag.current) return;
		const { x: start, view: before } = drag.current;
		const x = xOf(event);
		const from = axis.toX(before.from);
		const to = axis.toX(before.to);
		if (Math.abs(x - start) < PRESS_PX) return;
		if (start <= from || start >= to || to - from >= axis.width - 2)
			return show(Math.min(x, start), Math.max(x, start));
		const by = Math.min(axis.width - to, Math.max(-from, x - start));
		show(from + by, to + by);
	}
	function onPointerUp(event: PointerEvent<HTMLElement>) {
		const pressed = drag.current;
		drag.current = null;
		if (!pressed || Math.abs(xOf(event) - pressed.x) >= PRESS_PX || (pressed.x > left && pressed.x < right)) return;
		// A click beside the visible range centres it on the pointer.
		const half = (right - left) / 2;
		const middle = Math.min(axis.width - half, Math.max(half, pressed.x));
		show(middle - half, middle + half);
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
