'use client';
import { costOfAll, tokenNumber, tokensOf } from '#lib/usage/usage-totals.ts';
import { useSay } from '../language/use-say.ts';
import { useSession } from '../live/session-source.ts';

/** Each with its words; the ones in `BAD` are an alarm whenever they are not zero. */
const numbers = {
	calls: '{count} {count:call|calls}',
	denials: '{count} {count:denial|denials}',
	overrides: '{count} {count:override|overrides}',
	fails: '{count} {count:fail|fails}',
	rejects: '{count} {count:reject|rejects}',
	unclear: '{count} {count:end|ends} without a verdict',
	errors: '{count} {count:tool error|tool errors}',
	warnings: '{count} {count:warning|warnings}',
	gaps: '{count} {count:gap|gaps}',
	unverified: '{count} {count:unverified line|unverified lines}',
	alarms: '{count} {count:alarm|alarms}',
} as const;
const BAD: ReadonlySet<string> = new Set(['fails', 'rejects', 'unverified', 'alarms']);
const names = Object.keys(numbers) as (keyof typeof numbers)[];

/** The session in whole numbers; all but its calls are shown only when they are not zero, and usage where it is known. */
export function SessionNumbers({ sessionId }: { sessionId: string }) {
	const say = useSay();
	const counters = useSession(sessionId, ({ view }) => view?.counters ?? null);
	const usage = useSession(sessionId, ({ view }) => view?.usage?.total);
	if (!counters) return null;
	return (
		<ul
			aria-label={say('Numbers')}
			className="flex h-6 min-w-0 shrink-0 flex-wrap items-center gap-x-3 overflow-hidden text-muted max-md:max-w-[60%] max-md:justify-end"
		>
			{names.map((name) => {
				const count = counters[name];
				if (count === 0 && name !== 'calls') return null;
				return (
					<li key={name} className={BAD.has(name) ? 'text-err' : ''}>
						{say(numbers[name], { count })}
					</li>
				);
			})}
			{usage && (
				<li title={say('From the client’s own transcript, at list prices of the day; more under Overview')}>
					{say('{count} tokens', { count: tokenNumber(tokensOf(usage)) })} ·{' '}
					<span className="text-text">{costOfAll(usage) ?? say('no price known')}</span>
				</li>
			)}
		</ul>
	);
}
