import type { LedgerFilter } from '#lib/contract/archives/decisions.ts';
import type { DayBar } from '#lib/ledger/ledger-days.ts';
import { useSay } from '../language/use-say.ts';
import { cn } from '../ui/cn.ts';
import { CountLink } from '../ui/text-link.tsx';

interface BarStripProps {
	label: string;
	/** All days of the range, see `spreadDays`. */
	days: readonly DayBar[];
	/** Value of a bar of full height, at least 1. */
	most: number;
	tone: 'err' | 'wait' | 'run';
	className?: string;
}

const HEIGHT = 40;
const fills = { err: 'fill-err', wait: 'fill-wait', run: 'fill-run' } as const;

/** A bar chart of one figure per day, newest at the right; each bar has its day and value as text. */
export function BarStrip({ label, days, most, tone, className }: BarStripProps) {
	return (
		<svg
			role="img"
			aria-label={label}
			viewBox={`0 0 ${days.length * 4} ${HEIGHT}`}
			preserveAspectRatio="none"
			className={cn('w-full border-line border-b', className)}
		>
			{days.map((bar, index) => (
				<g key={bar.day}>
					<rect x={index * 4} y={0} width={4} height={HEIGHT} className="fill-transparent">
						<title>{`${bar.day}: ${bar.words}`}</title>
					</rect>
					<rect
						x={index * 4 + 0.5}
						y={HEIGHT - (bar.value / most) * HEIGHT}
						width={3}
						height={(bar.value / most) * HEIGHT}
						className={cn('pointer-events-none', fills[tone])}
					/>
				</g>
			))}
		</svg>
	);
}

interface LedgerCountProps {
	count: number;
	kind: NonNullable<LedgerFilter['kind']>;
	rule?: string;
	/** The counted parts of sessions, see `FeatureOutcome`. Without them the count is not a link. */
	spans?: readonly string[] | undefined;
}

/** For overrides, also show what happened afterwards. */
const NEXT: Partial<Record<LedgerCountProps['kind'], { followed: 'true' }>> = { overridden: { followed: 'true' } };

/** A count with a link to the decisions that it counts; plain text if they cannot be named. */
export function LedgerCount({ count, kind, rule, spans }: LedgerCountProps) {
	const say = useSay();
	const [name, value] = rule === undefined ? ['session', spans?.join(',')] : ['rule', rule];
	if (!value) return count;
	const href = `/decisions?${new URLSearchParams({ kind, [name]: value, ...NEXT[kind] })}`;
	return <CountLink count={count} href={href} label={say('{count}: show these decisions', { count })} />;
}
