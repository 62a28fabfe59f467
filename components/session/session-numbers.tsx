'use client';
import type { UsageTotals } from '#lib/contract/events/usage.ts';
import type { Plain } from '#lib/messages/say.ts';
import type { Counters } from '#lib/session/view.ts';
import { tokensOf } from '#lib/usage/usage-totals.ts';
import { costOfAll, tokenNumber } from '#lib/usage/usage-words.ts';
import { useSay } from '../language/use-say.ts';
import { useSession } from '../live/session-source.ts';
import { cn } from '../ui/cn.ts';

const USAGE_HINT: Plain = 'From the client’s own transcript, at list prices of the day; more under Overview';

interface Figure {
	name: keyof Counters;
	one: Plain;
	many: Plain;
	/** Shown also at zero. */
	always?: true;
	/** An alarm whenever it is not zero. */
	bad?: true;
}

const numbers: readonly Figure[] = [
	{ name: 'calls', one: 'call', many: 'calls', always: true },
	{ name: 'denials', one: 'denial', many: 'denials' },
	{ name: 'overrides', one: 'override', many: 'overrides' },
	{ name: 'fails', one: 'fail', many: 'fails', bad: true },
	{ name: 'rejects', one: 'reject', many: 'rejects', bad: true },
	{ name: 'unclear', one: 'end without a verdict', many: 'ends without a verdict' },
	{ name: 'errors', one: 'tool error', many: 'tool errors' },
	{ name: 'warnings', one: 'warning', many: 'warnings' },
	{ name: 'gaps', one: 'gap', many: 'gaps' },
	{ name: 'unverified', one: 'unverified line', many: 'unverified lines', bad: true },
	{ name: 'alarms', one: 'alarm', many: 'alarms', bad: true },
];

/** The session in whole numbers; most are shown only when they are not zero. */
export function SessionNumbers({ sessionId }: { sessionId: string }) {
	const say = useSay();
	const counters = useSession(sessionId, ({ view }) => view?.counters ?? null);
	const usage = useSession(sessionId, ({ view }) => view?.usage?.total);
	if (!counters) return null;
	return (
		<dl className="flex h-6 min-w-0 shrink-0 flex-wrap items-center gap-x-3 overflow-hidden text-muted max-md:max-w-[60%] max-md:justify-end">
			{numbers
				.filter(({ name, always }) => always || counters[name] > 0)
				.map(({ name, one, many, bad }) => (
					<div key={name} className={cn('flex flex-row-reverse gap-1', bad && 'text-err')}>
						<dt>{say(counters[name] === 1 ? one : many)}</dt>
						<dd className={bad ? 'text-err' : 'text-text'}>{counters[name]}</dd>
					</div>
				))}
			{usage && <UsageNumbers usage={usage} />}
		</dl>
	);
}

/** Nothing where no transcript was read: a zero would say that nothing was spent. */
function UsageNumbers({ usage }: { usage: UsageTotals }) {
	const say = useSay();
	const figures = [
		[say('tokens'), tokenNumber(tokensOf(usage))],
		[say('cost'), costOfAll(usage) ?? say('no price known')],
	];
	return figures.map(([name, value]) => (
		<div key={name} className="flex flex-row-reverse gap-1" title={say(USAGE_HINT)}>
			<dt>{name}</dt>
			<dd className="text-text">{value}</dd>
		</div>
	));
}
