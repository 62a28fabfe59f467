import type { Route } from 'next';
import Link from 'next/link';
import { placeOf } from '#lib/session/session-list.ts';
import { useSay } from '../../language/use-say.ts';
import { rowAddress } from '../../row/row-address.ts';
import { groupBySession } from '../../search/group-by-session.ts';
import { MarkedText } from '../../search/marked-text.tsx';
import type { useSearch } from '../../search/use-search.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { optionId, optionLook } from './palette-option.tsx';

interface SaidPartProps {
	listId: string;
	typed: string;
	search: ReturnType<typeof useSearch>;
	/** Id of the option that Enter chooses. */
	active: string | null;
	onChoose: () => void;
}

const ALL = 'search:all';

/** Below what has a name: the rows in which the words were said, by session. */
export function SaidPart({ listId, typed, search, active, onChoose }: SaidPartProps) {
	const say = useSay();
	if (search.results.length === 0) return null;
	const option = (id: string) => ({
		id: optionId(listId, id),
		'data-id': id,
		role: 'option',
		'aria-selected': id === active,
		tabIndex: -1,
		className: optionLook(id === active),
		onClick: onChoose,
	});
	return (
		<div className={search.isLooking ? 'opacity-60' : undefined}>
			{groupBySession(search.results).map(([first, ...others]) => {
				const { sessionId, project, branch, title } = first;
				const place = placeOf(project, branch, sessionId);
				return (
					// biome-ignore lint/a11y/useSemanticElements: a list of options may hold groups, but no field sets.
					<div key={sessionId} role="group" aria-label={say('Found in {place}', { place })}>
						<p aria-hidden className="flex gap-2 px-2 pt-2 text-muted text-small">
							<AgentText className="shrink-0">{say('Found in {place}', { place })}</AgentText>
							{title && <AgentText className="min-w-0 truncate">{title}</AgentText>}
						</p>
						{[first, ...others].map((row) => (
							<Link
								key={row.rowKey}
								href={rowAddress(sessionId, row.rowKey)}
								prefetch={false}
								{...option(`${sessionId} ${row.rowKey}`)}
							>
								<span className="line-clamp-2 py-1">
									<MarkedText {...row} />
								</span>
							</Link>
						))}
					</div>
				);
			})}
			<Link href={`/search?q=${encodeURIComponent(typed)}` as Route} prefetch={false} {...option(ALL)}>
				<span className="text-accent">{say('All places where it was said')}</span>
			</Link>
		</div>
	);
}
