import { type PointerEvent, useRef } from 'react';
import type { StageRun } from '#lib/contract/sessions/read-model/session-view.ts';
import { densityColumns, densityPath, type Point } from '#lib/timeline/density.ts';
import type { Span, TimeScale } from '#lib/timeline/time-scale.ts';
import { useSay } from '../language/use-say.ts';

const HEIGHT = 36;
/** One column of the density (px). */
const COLUMN_PX = 3;
/** A shorter drag (px) is a press. */
const PRESS_PX = 3;
/** How near (px) an edge of the window is taken hold of. */
const GRIP_PX = 6;

interface LaneOverviewProps {
	axis: TimeScale;
	points: readonly Point[];
	runs: readonly StageRun[];
	/** Instants (ms) at which something was not as planned. */
	marks: readonly number[];
	view: Span;
	now: number;
	onView: (span: Span) => void;
}

/**
 * The whole session: how much happened when, its stages, what went wrong, and which stretch is in view. Drag over it to
 * choose another one, drag the stretch to move it; the lanes' keys do the same.
 */
export function LaneOverview({ axis, points, runs, marks, view, now, onView }: LaneOverviewProps) {
	const say = useSay();
	const drag = useRef<{ kind: 'choose' | 'move' | 'from' | 'to'; x: number; view: Span } | null>(null);
	const left = axis.toX(view.from);
	const right = axis.toX(view.to);
	const xOf = (event: PointerEvent<HTMLElement>) =>
		Math.min(axis.width, Math.max(0, event.clientX - event.currentTarget.getBoundingClientRect().left));

	function onPointerDown(event: PointerEvent<HTMLElement>) {
		if (event.button !== 0) return;
		const x = xOf(event);
		event.currentTarget.setPointerCapture(event.pointerId);
		const isWhole = right - left > axis.width - 2;
		const kind =
			Math.abs(x - left) < GRIP_PX && !isWhole
				? 'from'
				: Math.abs(x - right) < GRIP_PX && !isWhole
					? 'to'
					: x > left && x < right && !isWhole
						? 'move'
						: 'choose';
		drag.current = { kind, x, view };
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
			const fixed = kind === 'from' ? to : kind === 'to' ? from : start;
			onView({ from: axis.toTime(Math.min(x, fixed)), to: axis.toTime(Math.max(x, fixed)) });
		}
	}
	function onPointerUp(event: PointerEvent<HTMLElement>) {
		const pressed = drag.current;
		drag.current = null;
		if (!pressed || pressed.kind === 'move' || Math.abs(xOf(event) - pressed.x) >= PRESS_PX) return;
		// A press brings the stretch there.
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
					<rect key={at} x={axis.toX(at) - 0.75} y={0} width={1.5} height={HEIGHT - 5} className="fill-err" />
				))}
			</svg>
			<div
				className="pointer-events-none absolute inset-y-0 border-accent border-x-2 bg-accent/10"
				style={{ left, width: Math.max(3, right - left) }}
			/>
		</div>
	);
}
