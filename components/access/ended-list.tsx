import { deciderWords, shortAccess } from '#lib/approvals/decider-words.ts';
import type { AccessEntry, EndedAccess } from '#lib/contract/access.ts';
import { clockOrDate } from '#lib/time/clock.ts';
import { useNow } from '../live/now.ts';
import { AgentText } from '../text/agent-text.tsx';

/** For the line that the page was opened to find; each time it is drawn anew. */
export function bringIntoView(element: HTMLElement | null): void {
	element?.scrollIntoView({ block: 'center' });
}

interface EndedListProps {
	/** An id, or its beginning, as the address names it. */
	who: string;
	entries: readonly AccessEntry[];
	ended: readonly EndedAccess[];
}

/** What was asked for and no longer counts: who decided something may have lost the access since. */
export function EndedList({ who, entries, ended }: EndedListProps) {
	const now = useNow();
	const isStanding = entries.some(({ id }) => id.startsWith(who));
	if (ended.length === 0 && isStanding) return null;
	return (
		<section aria-label="Ended" className="flex flex-col gap-1">
			<h2 className="font-semibold text-muted text-small uppercase">Ended</h2>
			{ended.length === 0 && (
				<p className="text-muted">
					No sign-in, token or passkey in the journal is called <AgentText>{shortAccess(who)}</AgentText>.
				</p>
			)}
			<ul>
				{ended.map((entry) => (
					<li key={entry.id} ref={bringIntoView} aria-current className="border-line border-b bg-selected px-2 py-1">
						<AgentText className="font-medium">{entry.name ?? entry.role}</AgentText>
						<code className="pl-1.5 font-mono text-mono text-muted">{shortAccess(entry.id)}</code>
						<span className="text-muted">
							, {entry.kind}, {entry.name && `${entry.role}, `}since {clockOrDate(entry.since, now)},{' '}
						</span>
						{entry.by ? 'revoked' : 'ended'} <time dateTime={entry.endedAt}>{clockOrDate(entry.endedAt, now)}</time>
						{entry.by && ` by ${deciderWords(entry.by)}`}
					</li>
				))}
			</ul>
		</section>
	);
}
