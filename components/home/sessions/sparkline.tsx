import type { SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import { useSay } from '../../language/use-say.ts';

const MINUTES = 30;
const BAR = 3;
const HEIGHT = 16;

interface SparklineProps {
	spark: SessionSummary['spark'];
	/** ms */
	now: number;
	/** Events a minute at the top, the same for all that stand together. */
	scale: number;
}

/** Events a minute over the last half hour, newest right. Empty where nothing happened in it. */
export function Sparkline({ spark, now, scale }: SparklineProps) {
	const say = useSay();
	const counts = recentCounts(spark, now);
	const top = Math.max(...counts);
	if (!(top > 0)) return null;
	const label = say('Events a minute, last {minutes} minutes: {top} at most', { minutes: MINUTES, top });
	return (
		<svg role="img" aria-label={label} viewBox={`0 0 ${MINUTES * BAR} ${HEIGHT}`} className="h-4 w-full fill-muted">
			<title>{label}</title>
			{counts.map((count, at) => {
				const height = count === 0 ? 1 : Math.min(HEIGHT, Math.max(2, Math.round((count / scale) * HEIGHT)));
				const x = (MINUTES - counts.length + at) * BAR;
				// biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place.
				return <rect key={at} x={x} y={HEIGHT - height} width={2} height={height} opacity={count === 0 ? 0.3 : 1} />;
			})}
		</svg>
	);
}

function recentCounts(spark: SessionSummary['spark'], now: number): number[] {
	const late = Math.max(0, Math.floor(now / 60_000) - spark.minute);
	return [...spark.counts, ...Array<number>(Math.min(late, MINUTES)).fill(0)].slice(-MINUTES);
}

/** One scale for the sparklines of these sessions: rounded up, so that it seldom changes while they work. */
export function sparkScale(sparks: readonly SessionSummary['spark'][], now: number): number {
	const top = sparks.reduce((most, spark) => Math.max(most, ...recentCounts(spark, now)), 1);
	const power = 10 ** Math.floor(Math.log10(top));
	return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= top) ?? top;
}
