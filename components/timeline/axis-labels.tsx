import { hourMinute } from '#lib/time/clock.ts';
import { roughDuration } from '#lib/time/duration.ts';
import type { TimeScale } from '#lib/timeline/time-scale.ts';

/** A label needs this much room (px). */
const LABEL_PX = 44;

/** Where busy stretches begin, and how long the collapsed gaps are. */
export function AxisLabels({ scale }: { scale: TimeScale }) {
	return (
		<div aria-hidden className="relative h-6 overflow-hidden text-muted text-small leading-6">
			{scale.segments.map(({ from, to, idle, x, width }) =>
				idle ? (
					<span
						key={x}
						className="absolute h-full border-edge border-x border-dashed text-center"
						style={{ left: x, width }}
					>
						{roughDuration(to - from)}
					</span>
				) : (
					width >= LABEL_PX && (
						<span key={x} className="absolute truncate pl-0.5" style={{ left: x, width }}>
							{hourMinute(from)}
						</span>
					)
				),
			)}
		</div>
	);
}
