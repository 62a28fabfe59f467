import { clockTime, hourMinute } from '#lib/time/clock.ts';
import { roughDuration } from '#lib/time/duration.ts';
import { axisTicks, type Segment, type TimeScale } from '#lib/timeline/time-scale.ts';
import { useSay } from '../language/use-say.ts';

const LABEL_PX = 72;

/** Time labels of busy spans, and the lengths of the collapsed gaps. */
export function AxisLabels({ scale }: { scale: TimeScale }) {
	const say = useSay();
	return (
		<div aria-hidden className="relative h-6 overflow-hidden text-muted text-small leading-6">
			{scale.segments.map((segment) =>
				segment.idle ? (
					<span
						key={segment.x}
						className="absolute h-full border-edge border-x border-dashed text-center"
						style={{ left: segment.x, width: segment.width }}
					>
						{roughDuration(segment.to - segment.from, say.language)}
					</span>
				) : (
					<BusyLabels key={segment.x} segment={segment} />
				),
			)}
		</div>
	);
}

function BusyLabels({ segment }: { segment: Segment }) {
	const { ticks, inSeconds } = axisTicks(segment, LABEL_PX);
	return ticks.slice(ticks.length > 2 ? 1 : 0).map(({ ms, x }) => (
		<span key={ms} className="absolute h-full border-line border-l pl-1" style={{ left: x }}>
			{inSeconds ? clockTime(ms) : hourMinute(ms)}
		</span>
	));
}
