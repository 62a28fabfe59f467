'use client';

import { parseAsString, useQueryState } from 'nuqs';
import { PageLink } from '#components/ui/text-link.tsx';
import { labelOf } from '#lib/contract/events/event-labels.ts';
import { plainLine } from '#lib/markdown/plain-line.ts';
import type { Say } from '#lib/messages/say.ts';
import { locationWords } from '#lib/session/session-list.ts';
import { useSay } from '../language/use-say.ts';
import { rowAddress } from '../row/addresses.ts';
import { useClientFilter } from '../row/client.tsx';
import { Button } from '../ui/button.tsx';
import { cn } from '../ui/cn.ts';
import { FilterControl, namesToChoose } from '../ui/filter-control.tsx';
import { Page } from '../ui/page.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useRoving } from '../ui/use-roving.ts';
import { When } from '../ui/when.tsx';
import { groupBySession, MarkedText, useSearch } from './search-results.tsx';

const IN_PLACE = { history: 'replace', scroll: false } as const;
const q = parseAsString.withDefault('').withOptions(IN_PLACE);

export function SearchPage() {
	const say = useSay();
	const [typed, setTyped] = useQueryState('q', q);
	const clientFilter = useClientFilter();
	const [project, setProject] = useQueryState('project', parseAsString.withOptions(IN_PLACE));
	const { results, next, building, isLooking, error, loadMore } = useSearch(typed, 50, clientFilter.value);
	const { listRef, rowProps } = useRoving();
	const found = groupBySession(results);
	const groups = found.filter(([first]) => project === null || first.project === project);
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
				<FilterControl
					isAtEnd
					filters={[
						clientFilter,
						{
							...{ label: say('project'), value: project },
							choices: namesToChoose(found.map(([first]) => first.project)),
							onChoose: (next) => void setProject(next),
						},
					]}
				/>
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
				{groups.map((group, nthGroup) => {
					const [{ sessionId, project, branch, title, at }] = group;
					const location = locationWords(project, branch, sessionId);
					return (
						<section key={sessionId} aria-label={location} className="pb-4">
							<h2 className="flex items-baseline gap-3 border-line border-b py-1">
								<PageLink
									href={rowAddress(sessionId)}
									className="min-h-6 min-w-0 content-center truncate font-semibold hover:underline pointer-coarse:min-h-10"
								>
									<AgentText>{title ? plainLine(title) : location}</AgentText>
								</PageLink>
								<AgentText className="ml-auto max-w-1/2 shrink-0 truncate text-muted">{location}</AgentText>
								<When at={at} />
							</h2>
							<ul>
								{group
									.toSorted((one, other) => one.seq - other.seq)
									.map((row, nth) => (
										<li key={row.rowKey}>
											<PageLink
												href={rowAddress(sessionId, row.rowKey)}
												{...rowProps(`${sessionId} ${row.rowKey}`, nthGroup === 0 && nth === 0)}
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
						</section>
					);
				})}
			</div>
			{next !== null && (
				<Button className="self-start" onClick={() => void loadMore()}>
					{say('Look further back')}
				</Button>
			)}
		</Page>
	);
}

function summary(say: Say, rows: number, sessions: number, isMore: boolean): string {
	if (rows === 0) return isMore ? say('Nothing among the newest events.') : '';
	return isMore
		? say('{rows} {rows:row|rows} in {sessions} {sessions:session|sessions}, and perhaps more', { rows, sessions })
		: say('{rows} {rows:row|rows} in {sessions} {sessions:session|sessions}', { rows, sessions });
}
