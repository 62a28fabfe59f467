import { valueWords } from '#lib/compare/difference-words.ts';
import type { Difference } from '#lib/contract/archives/compare.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { useSay } from '../language/use-say.ts';

interface TrendLineProps {
	title: string;
	unit: Difference['unit'];
	/** The oldest first; null where an archive does not tell it. */
	points: readonly { id: string; name: string; at: string; value: number | null }[];
}

const SIZE = { width: 240, height: 56, edge: 6 } as const;

/** One figure over time, on a scale of its own that begins at nothing: a point an archive, each with its day and value. */
export function TrendLine({ title, unit, points }: TrendLineProps) {
	const say = useSay();
	const known = points.flatMap(({ value }) => (value === null ? [] : [value]));
	const most = Math.max(unit === 'share' ? 1 : 0, ...known);
	const x = (place: number) => SIZE.edge + (place * (SIZE.width - 2 * SIZE.edge)) / Math.max(1, points.length - 1);
	const y = (value: number) =>
		SIZE.height - SIZE.edge - (most === 0 ? 0 : (value / most) * (SIZE.height - 2 * SIZE.edge));
	const drawn = points.flatMap(({ value, ...point }, place) =>
		value === null ? [] : [{ ...point, value, x: x(place), y: y(value) }],
	);
	const words = (value: number | null | undefined) => valueWords(value ?? null, unit, say.language);
	const [first, last] = [known[0], known.at(-1)];
	return (
		<figure className="min-w-0">
			<figcaption className="flex justify-between gap-2">
				<span className="text-muted">{title}</span>
				<span>
					{words(first)} → {words(last)}
				</span>
			</figcaption>
			<svg
				role="img"
				aria-label={say('{figure}: first {first}, last {last}, most {most}', {
					...{
						figure: title,
						first: words(first),
						last: words(last),
						most: words(known.length === 0 ? null : Math.max(...known)),
					},
				})}
				viewBox={`0 0 ${SIZE.width} ${SIZE.height}`}
				className="mt-1 w-full border-line border-b"
			>
				<polyline
					points={drawn.map((point) => `${point.x},${point.y}`).join(' ')}
					className="fill-none stroke-run"
					strokeWidth={1.5}
				/>
				{drawn.map((point) => (
					<circle key={point.id} cx={point.x} cy={point.y} r={3} className="fill-run">
						<title>{visibleString(`${point.at.slice(0, 10)} ${point.name}: ${words(point.value)}`)}</title>
					</circle>
				))}
			</svg>
			<p aria-hidden className="flex justify-between text-muted text-small">
				<span>{points[0]?.at.slice(0, 10)}</span>
				<span>{points.at(-1)?.at.slice(0, 10)}</span>
			</p>
		</figure>
	);
}
