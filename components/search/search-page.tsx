'use client';
import { parseAsString, useQueryState } from 'nuqs';
import { useState } from 'react';
import { labelOf } from '#lib/contract/events/event-labels.ts';
import type { SearchResult } from '#lib/contract/sessions/session-queries.ts';
import { plainLine } from '#lib/markdown/plain-line.ts';
import type { Say } from '#lib/messages/say.ts';
import { locationWords } from '#lib/session/session-list.ts';
import { useSay } from '../language/use-say.ts';
import { rowAddress } from '../row/addresses.ts';
import { useClientParam, useSourceFilter } from '../row/client.tsx';
import { Button } from '../ui/button.tsx';
import { cn } from '../ui/cn.ts';
import { FilterControl } from '../ui/filter-control.tsx';
import { Page } from '../ui/page.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { TextField } from '../ui/text-field.tsx';
import { PageLink } from '../ui/text-link.tsx';
import { useRoving } from '../ui/use-roving.ts';
import { When } from '../ui/when.tsx';
import { groupBySession, MarkedText, useSearch } from './search-results.tsx';

const IN_PLACE = { history: 'replace', scroll: false } as const;
const queryParam = parseAsString.withDefault('').withOptions(IN_PLACE);

export function SearchPage() {
	const say = useSay();
	const [typed, setTyped] = useQueryState('q', queryParam);
	const [client] = useClientParam();
	const { results, next, building, isLooking, error, loadMore } = useSearch(typed, 50, client);
	const { isShown, filters } = useSourceFilter(results.map(({ sessionId }) => sessionId));
	const { listRef, rowProps } = useRoving();
	const groups = groupBySession(results.filter(isShown));
	const isNothing = typed.trim() !== '' && !isLooking && error === null && results.length === 0;
	return (
		<Page title={say('Search in all sessions')} className="gap-3">
			<TextField
				isBare
				type="search"
				label={say('Search in all sessions')}
				placeholder={say('words of a prompt, command, path, message, reason or verdict')}
				value={typed}
				maxLength={200}
				autoFocus
				onWrite={(words) => void setTyped(words || null)}
				className="h-9"
			/>
			<div className="flex flex-wrap items-center gap-x-3 gap-y-1">
				<p role={error ? 'alert' : 'status'} className={cn('min-w-0 flex-1', error ? 'text-warn' : 'text-muted')}>
					{(error && say.known(error)) ??
						(isLooking
							? say('Looking through all sessions…')
							: isNothing && next === null
								? say(
										'Nobody has said that. Each word must stand in one row, anywhere within words; "quotes" keep words together. Outputs and file contents are not searched.',
									)
								: summary(say, results.length, groups.length, next !== null))}
				</p>
				<FilterControl isAtEnd filters={filters} />
			</div>
			{building && (
				<p className="text-warn">
					{say('Sessions are still being read ({read} of {total}): not everything is found yet.', {
						read: building.read,
						total: building.total,
					})}
				</p>
			)}
			<div ref={listRef} className={isLooking ? 'opacity-60' : undefined}>
				{groups.map((group, nth) => (
					<FoundSession key={group[0].sessionId} group={group} rowProps={rowProps} isFirst={nth === 0} />
				))}
			</div>
			{next !== null && (
				<Button className="self-start" onClick={() => void loadMore()}>
					{say('Look further back')}
				</Button>
			)}
		</Page>
	);
}

/** Events that only repeat the name of a session, workflow or feature. */
const NAMING_EVENTS = /^(?:workflow|specs|session):/;

type FoundSessionProps = {
	group: readonly [SearchResult, ...SearchResult[]];
	rowProps: ReturnType<typeof useRoving>['rowProps'];
	isFirst: boolean;
};

/** What was found in a session. Names are hidden until asked for, unless nothing else was found. */
function FoundSession({ group, rowProps, isFirst }: FoundSessionProps) {
	const say = useSay();
	const [isExpanded, setExpanded] = useState(false);
	const [{ sessionId, project, branch, title }] = group;
	const location = locationWords(project, branch, sessionId);
	const hits = group.filter(({ type }) => !NAMING_EVENTS.test(type));
	const shown = isExpanded || hits.length === 0 ? group : hits;
	const more = group.length - shown.length;
	return (
		<section aria-label={location} className="pb-4">
			<h2 className="flex items-baseline gap-3 border-line border-b py-1">
				<PageLink
					href={rowAddress(sessionId)}
					className="min-h-6 min-w-0 content-center truncate font-semibold hover:underline pointer-coarse:min-h-10"
				>
					<AgentText>{title ? plainLine(title) : location}</AgentText>
				</PageLink>
				<AgentText className="max-w-1/2 shrink-0 truncate text-muted">{location}</AgentText>
			</h2>
			<ul>
				{shown
					.toSorted((one, other) => one.seq - other.seq)
					.map((row, nth) => (
						<li key={row.rowKey}>
							<PageLink
								href={rowAddress(sessionId, row.rowKey)}
								{...rowProps(`${sessionId} ${row.rowKey}`, isFirst && nth === 0)}
								className="grid grid-cols-[4rem_minmax(0,1fr)] gap-x-3 border-line/60 border-b py-1 hover:bg-hover sm:grid-cols-[4rem_9rem_minmax(0,1fr)] pointer-coarse:min-h-10"
							>
								<When at={row.at} />
								<span className="truncate text-muted max-sm:text-small">{say.known(labelOf(row.type).en)}</span>
								<span className="min-w-0 max-sm:col-start-2">
									<MarkedText row={row} />
								</span>
							</PageLink>
						</li>
					))}
			</ul>
			{more > 0 && (
				<Button kind="quiet" size="small" className="-ml-2 text-accent" onClick={() => setExpanded(true)}>
					{say('Show {count} more', { count: more })}
				</Button>
			)}
		</section>
	);
}

function summary(say: Say, rows: number, sessions: number, isMore: boolean): string {
	if (rows === 0) return isMore ? say('Nothing among the newest events.') : '';
	return isMore
		? say('{rows} {rows:result|results} in {sessions} {sessions:session|sessions}, maybe more', {
				rows,
				sessions,
			})
		: say('{rows} {rows:result|results} in {sessions} {sessions:session|sessions}', { rows, sessions });
}
