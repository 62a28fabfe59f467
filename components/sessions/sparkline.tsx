import type { SessionSummary } from '#lib/session/summary.ts';

const BARS = 16;
const HEIGHT = 16;

/** Events a minute over the last minutes, newest right. Decoration: the numbers are in the session. */
export function Sparkline({ spark, now }: { spark: SessionSummary['spark']; now: number }) {
	const late = Math.max(0, Math.floor(now / 60_000) - spark.minute);
	const counts = [...spark.counts, ...Array<number>(Math.min(late, BARS)).fill(0)].slice(-BARS);
	const top = Math.max(1, ...counts);
	return (
		<svg aria-hidden="true" viewBox={`0 0 ${BARS * 4} ${HEIGHT}`} className="h-4 w-16 fill-muted">
			{counts.map((count, at) => {
				const height = count === 0 ? 1 : Math.max(2, Math.round((count / top) * HEIGHT));
				const x = (BARS - counts.length + at) * 4;
				// biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place.
				return <rect key={at} x={x} y={HEIGHT - height} width={3} height={height} opacity={count === 0 ? 0.3 : 1} />;
			})}
		</svg>
	);
}
