import type { SessionSummary } from '#lib/contract/read-model/session-summary.ts';

const MINUTES = 30;
const BAR = 3;
const HEIGHT = 16;

/** Events a minute over the last half hour, newest right; `now` in ms. Empty where nothing happened in it. */
export function Sparkline({ spark, now }: { spark: SessionSummary['spark']; now: number }) {
	const late = Math.max(0, Math.floor(now / 60_000) - spark.minute);
	const counts = [...spark.counts, ...Array<number>(Math.min(late, MINUTES)).fill(0)].slice(-MINUTES);
	const top = Math.max(...counts);
	if (!(top > 0)) return null;
	const label = `Events a minute, last ${MINUTES} minutes: ${top} at most`;
	return (
		<svg role="img" aria-label={label} viewBox={`0 0 ${MINUTES * BAR} ${HEIGHT}`} className="h-4 w-full fill-muted">
			<title>{label}</title>
			{counts.map((count, at) => {
				const height = count === 0 ? 1 : Math.max(2, Math.round((count / top) * HEIGHT));
				const x = (MINUTES - counts.length + at) * BAR;
				// biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place.
				return <rect key={at} x={x} y={HEIGHT - height} width={2} height={height} opacity={count === 0 ? 0.3 : 1} />;
			})}
		</svg>
	);
}
