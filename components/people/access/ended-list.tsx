import { deciderWords, shortAccess } from '#lib/approvals/call-words.ts';
import type { AccessEntry, EndedAccess } from '#lib/contract/access/access.ts';
import { clockOrDate } from '#lib/time/clock.ts';
import { Phrase } from '../../language/phrase.tsx';
import { useSay } from '../../language/use-say.ts';
import { useNow } from '../../live/now.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';

export function bringIntoView(element: HTMLElement | null): void {
	element?.scrollIntoView({ block: 'center' });
}

interface EndedListProps {
	who: string;
	entries: readonly AccessEntry[];
	ended: readonly EndedAccess[];
}

export function EndedList({ who, entries, ended }: EndedListProps) {
	const say = useSay();
	const now = useNow();
	const isCurrent = entries.some(({ id }) => id.startsWith(who));
	if (ended.length === 0 && isCurrent) return null;
	return (
		<section aria-label={say('Ended')} className="flex flex-col gap-1">
			<h2 className="font-semibold text-muted text-small uppercase">{say('Ended')}</h2>
			{ended.length === 0 && (
				<p className="text-muted">
					<Phrase
						of="No sign-in, token or passkey in the journal is called {name}."
						with={{ name: <AgentText>{shortAccess(who)}</AgentText> }}
					/>
				</p>
			)}
			<ul>
				{ended.map((entry) => (
					<li key={entry.id} ref={bringIntoView} aria-current className="border-line border-b bg-selected px-2 py-1">
						<AgentText className="font-medium">{entry.name ?? say(entry.role)}</AgentText>
						<code className="pl-1.5 font-mono text-mono text-muted">{shortAccess(entry.id)}</code>
						<span className="text-muted">
							, {say(entry.kind)}, {entry.name && `${say(entry.role)}, `}
							{say('since {since}', { since: clockOrDate(entry.since, now, say.language) })},{' '}
						</span>
						<EndWords entry={entry} now={now} />
					</li>
				))}
			</ul>
		</section>
	);
}

function EndWords({ entry: { by, endedAt }, now }: { entry: EndedAccess; now: number }) {
	const say = useSay();
	const time = <time dateTime={endedAt}>{clockOrDate(endedAt, now, say.language)}</time>;
	return by ? (
		<Phrase of="revoked {time} by {who}" with={{ time, who: deciderWords(by, say) }} />
	) : (
		<Phrase of="ended {time}" with={{ time }} />
	);
}
