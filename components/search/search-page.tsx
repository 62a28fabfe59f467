'use client';
import Link from 'next/link';
import { parseAsString, useQueryState } from 'nuqs';
import { labelOf } from '#lib/contract/event-labels.ts';
import { placeOf } from '#lib/session/place-of.ts';
import { clockOrDate } from '#lib/time/clock.ts';
import { useNow } from '../live/now.ts';
import { rowAddress } from '../row/row-address.ts';
import { AgentText } from '../text/agent-text.tsx';
import { Button } from '../ui/button.tsx';
import { useRoving } from '../ui/use-roving.ts';
import { groupBySession } from './group-by-session.ts';
import { MarkedText } from './marked-text.tsx';
import { useSearch } from './use-search.ts';

const PAGE = 50;
const q = parseAsString.withDefault('').withOptions({ history: 'replace', scroll: false });

/** Every place of every session where words were said; each opens its row. */
export function SearchPage() {
	const [typed, setTyped] = useQueryState('q', q);
	const { results, next, building, isLooking, error, takeMore } = useSearch(typed, PAGE);
	const { listRef, rowProps } = useRoving();
	const now = useNow();
	const groups = groupBySession(results);
	const isNothing = typed.trim() !== '' && !isLooking && error === null && results.length === 0;
	return (
		<div className="mx-auto flex max-w-4xl flex-col gap-3 p-4 pb-8">
			<h1 className="font-semibold text-title">Search in all sessions</h1>
			<input
				type="search"
				aria-label="Search in all sessions"
				placeholder="words of a prompt, command, path, message, reason or verdict"
				value={typed}
				maxLength={200}
				// biome-ignore lint/a11y/noAutofocus: the page is for nothing else.
				autoFocus
				onChange={(event) => void setTyped(event.target.value || null)}
				className="h-9 rounded border border-edge bg-surface px-2 placeholder:text-muted"
			/>
			<p role={error ? 'alert' : 'status'} className={error ? 'text-warn' : 'text-muted'}>
				{error ??
					(isLooking
						? 'Looking through all sessions…'
						: isNothing && next === null
							? 'Nobody has said that. Each word must stand in one row, anywhere within words; "quotes" keep words together. Outputs and file contents are not searched.'
							: summary(results.length, groups.length, next !== null))}
			</p>
			{building && (
				<p className="text-warn">
					Sessions are still being read ({building.read} of {building.total}): not everything is found yet.
				</p>
			)}
			<div ref={listRef} className={isLooking ? 'opacity-60' : undefined}>
				{groups.map((rows, at) => {
					const [{ sessionId, project, branch, title }] = rows;
					return (
						<section key={sessionId} aria-label={placeOf(project, branch, sessionId)} className="pb-3">
							<h2 className="flex gap-3 border-line border-b py-1">
								<Link href={rowAddress(sessionId)} prefetch={false} className="shrink-0 font-semibold hover:underline">
									<AgentText>{placeOf(project, branch, sessionId)}</AgentText>
								</Link>
								{title && <AgentText className="min-w-0 truncate text-muted">{title}</AgentText>}
							</h2>
							<ul>
								{rows.map((row, nth) => (
									<li key={row.rowKey}>
										<Link
											href={rowAddress(sessionId, row.rowKey)}
											prefetch={false}
											{...rowProps(`${sessionId} ${row.rowKey}`, at === 0 && nth === 0)}
											className="grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-3 border-line/60 border-b py-1 hover:bg-hover sm:grid-cols-[5.5rem_8rem_minmax(0,1fr)]"
										>
											<time dateTime={row.at} className="text-muted tabular-nums">
												{clockOrDate(row.at, now)}
											</time>
											<span className="hidden truncate text-muted sm:block">{labelOf(row.type).en}</span>
											<MarkedText {...row} />
										</Link>
									</li>
								))}
							</ul>
						</section>
					);
				})}
			</div>
			{next !== null && (
				<Button className="self-start" onClick={() => void takeMore()}>
					Look further back
				</Button>
			)}
		</div>
	);
}

function summary(rows: number, sessions: number, isMore: boolean): string {
	if (rows === 0) return isMore ? 'Nothing among the newest events.' : '';
	const more = isMore ? ', and perhaps more' : '';
	return `${rows} ${rows === 1 ? 'row' : 'rows'} in ${sessions} ${sessions === 1 ? 'session' : 'sessions'}${more}`;
}
