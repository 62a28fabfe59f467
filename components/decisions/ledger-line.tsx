import Link from 'next/link';
import type { DecisionRecord } from '#lib/contract/archives/decisions.ts';
import { gateSentence } from '#lib/gates/gate-title.ts';
import { personOf } from '#lib/ledger/ledger-filter.ts';
import { outcomeLook, stateWords } from '#lib/ledger/ledger-words.ts';
import { placeOf } from '#lib/session/session-list.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { dayAndTime } from '#lib/time/clock.ts';
import { roundDuration } from '#lib/time/duration.ts';
import { useSay } from '../language/use-say.ts';
import { MakeMark } from '../row/agent/make-mark.tsx';
import { rowAddress } from '../row/row-address.ts';
import { runAddress } from '../row/run-address.ts';
import { cn } from '../ui/cn.ts';
import { AgentText } from '../ui/text/agent-text.tsx';
import { toneGlyph, toneText } from '../ui/tone.ts';
import { FollowedLine } from './followed-line.tsx';

interface LedgerLineProps {
	line: DecisionRecord;
	rowProps: { 'data-row': string; tabIndex: 0 | -1 };
}

/** One decision: when, what, by which rule, who and why, and what came of it; opens its row. */
export function LedgerLine({ line, rowProps }: LedgerLineProps) {
	const say = useSay();
	const { sessionId, rowKey, at, tool, title, denials, state, reason, decideMs, project, branch, machine } = line;
	const { archive, followed } = line;
	const person = personOf(line);
	const { words, tone } = outcomeLook(line);
	return (
		<li>
			<Link
				href={
					archive === undefined
						? rowAddress(sessionId, rowKey)
						: runAddress({ kind: 'archive', id: archive }, { sessionId, row: rowKey, at })
				}
				prefetch={false}
				{...rowProps}
				className="grid gap-x-3 border-line border-b px-1 py-1.5 hover:bg-hover md:grid-cols-[9.5rem_minmax(0,2fr)_minmax(0,1.2fr)_minmax(0,1.6fr)_7.5rem]"
			>
				<time dateTime={at} className="text-muted tabular-nums">
					{dayAndTime(at)}
				</time>
				<span className="min-w-0">
					<span className="line-clamp-2 [overflow-wrap:anywhere]">
						<span className="text-muted">{tool} </span>
						<AgentText className="font-mono text-mono">{title}</AgentText>
					</span>
					<span className="flex min-w-0 items-center gap-2 text-muted text-small">
						<span className="truncate">
							<AgentText>{placeOf(project, branch, sessionId, machine)}</AgentText>
							{archive !== undefined && say(' · in the archive')}
						</span>
						<MakeMark make={line.agent} />
					</span>
				</span>
				<span className="min-w-0 text-muted">
					{denials.map((denial) => (
						<span
							key={`${denial.gate} ${denial.rule} ${denial.reason}`}
							title={visibleString(denial.rule)}
							className="line-clamp-2"
						>
							<AgentText>{say.known(gateSentence(denial.gate))}</AgentText>
						</span>
					))}
				</span>
				<span className="line-clamp-3 min-w-0 [overflow-wrap:anywhere]">
					{say(stateWords[state])}
					{person !== null && (
						<>
							{' · '}
							<AgentText>{person}</AgentText>
						</>
					)}
					{decideMs !== undefined && (
						<span className="text-muted">{say(' after {time}', { time: roundDuration(decideMs) })}</span>
					)}
					{reason && <AgentText className="text-muted">{` “${reason}”`}</AgentText>}
				</span>
				<span className={cn('whitespace-nowrap', toneText[tone])}>
					<span aria-hidden>{toneGlyph[tone]} </span>
					{say(words)}
				</span>
				{followed && <FollowedLine followed={followed} />}
			</Link>
		</li>
	);
}
