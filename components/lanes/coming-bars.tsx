import type { Span, TimeScale } from '#lib/timeline/time-scale.ts';
import { BAR_PX } from './lane-bars.tsx';

interface ComingBarsProps {
	bars: readonly (Span & { depth?: number })[];
	scale: TimeScale;
	view: Span;
}

/** What a recording still holds behind the instant that is shown, faint; it lies over the row that it belongs to. */
export function ComingBars({ bars, scale, view }: ComingBarsProps) {
	return (
		<div aria-hidden className="pointer-events-none absolute inset-0">
			{bars
				.filter(({ from, to }) => to >= view.from && from <= view.to)
				.map(({ from, to, depth = 0 }) => {
					const left = Math.min(scale.toX(from), scale.width - 4);
					return (
						<span
							key={`${depth} ${from}`}
							data-testid="still-to-come"
							className="absolute h-5 rounded-xs border border-edge border-dotted bg-raised opacity-60"
							style={{ left, width: Math.max(4, scale.toX(to) - left), top: depth * BAR_PX + 2 }}
						/>
					);
				})}
		</div>
	);
}
