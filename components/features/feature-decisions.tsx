'use client';
import type { Route } from 'next';
import Link from 'next/link';
import { useCallback } from 'react';
import type { DecisionRecord } from '#lib/contract/archives/decisions.ts';
import { personOf } from '#lib/ledger/ledger-filter.ts';
import { outcomeLook, stateWords } from '#lib/ledger/ledger-words.ts';
import { clockOrDate, dayAndTime } from '#lib/time/clock.ts';
import { useSay } from '../language/use-say.ts';
import { callRoute } from '../live/call-route.ts';
import { useClock } from '../live/now.ts';
import { useAnswer } from '../live/use-answer.ts';
import { rowAddress } from '../row/row-address.ts';
import { cn } from '../ui/cn.ts';
import { AgentText } from '../ui/text/agent-text.tsx';
import { toneGlyph, toneText } from '../ui/tone.ts';

const AGAIN_MS = 10_000;
const SHOWN = 30;
/** The ledger is asked for so many sessions at most: an address has an end. */
const MOST_SESSIONS = 100;
const MINUTE_MS = 60_000;

/** What gates and people decided in these sessions, the newest first; each leads to its row. */
export function FeatureDecisions({ sessionIds }: { sessionIds: readonly string[] }) {
	const say = useSay();
	const session = sessionIds.slice(0, MOST_SESSIONS).join(',');
	const ask = useCallback(() => callRoute('GET /api/decisions', { query: { session, limit: SHOWN } }), [session]);
	const { data, error } = useAnswer(session === '' ? null : ask, AGAIN_MS);
	const lines = data?.decisions ?? [];
	return (
		<section
			aria-label={say('Decisions')}
			className="flex flex-col border-line border-t md:w-80 md:border-t-0 md:border-l"
		>
			<h2 className="flex items-baseline gap-2 px-3 pt-2 pb-1 font-semibold">
				{say('Decisions')}
				{lines.length > 0 && (
					<Link
						href={`/decisions?${new URLSearchParams({ session })}` as Route}
						prefetch={false}
						className="ml-auto inline-flex min-h-6 items-center font-normal text-accent hover:underline"
					>
						{data?.next === null ? say('All {count}', { count: lines.length }) : say('All of them')}
					</Link>
				)}
			</h2>
			{error && <p className="px-3 pb-2 text-warn">{error}</p>}
			{!error && lines.length === 0 && <p className="px-3 pb-2 text-muted">{say('Nothing was denied or asked.')}</p>}
			<ol className="max-h-48 overflow-y-auto">
				{lines.map((line) => (
					<Line key={`${line.sessionId} ${line.rowKey}`} line={line} />
				))}
			</ol>
		</section>
	);
}

function Line({ line }: { line: DecisionRecord }) {
	const say = useSay();
	const { sessionId, rowKey, at, title, tool, state } = line;
	const now = useClock((instant) => Math.floor(instant / MINUTE_MS) * MINUTE_MS);
	const { words, tone } = outcomeLook(line);
	const person = personOf(line);
	return (
		<li>
			<Link
				href={rowAddress(sessionId, rowKey)}
				prefetch={false}
				className="grid grid-cols-[3.5rem_minmax(0,1fr)] gap-x-2 px-3 py-1 hover:bg-hover"
			>
				<time dateTime={at} title={dayAndTime(at)} className="text-muted">
					{clockOrDate(at, now, say.language)}
				</time>
				<span className="min-w-0">
					<AgentText className="block truncate">{`${tool} ${title}`}</AgentText>
					<span className="block truncate text-small">
						<span className={cn(toneText[tone])}>
							<span aria-hidden>{toneGlyph[tone]} </span>
							{words}
						</span>
						<span className="text-muted"> · {say(stateWords[state])}</span>
						{person !== null && <AgentText className="text-muted">{` · ${person}`}</AgentText>}
					</span>
				</span>
			</Link>
		</li>
	);
}
