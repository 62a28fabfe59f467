import type { CallView } from '#lib/session/call.ts';
import { type Row, rowLabel } from '#lib/session/row.ts';
import { clockTime } from '#lib/time/clock.ts';
import { spanDuration } from '#lib/time/duration.ts';
import { LiveDuration } from '../live/live-duration.tsx';
import { AgentText } from '../text/agent-text.tsx';
import { cn } from '../ui/cn.ts';
import { toneGlyph, toneText } from '../ui/tone.ts';
import { denierOf, durationOf, noteOf, outcomeWords } from './call-words.ts';

interface StoryRowProps {
	row: Row;
	actor: string;
	inFold: boolean;
}

/** One thing that happened. What is inside has the height that `rowHeight` says. */
export function StoryRow({ row, actor, inFold }: StoryRowProps) {
	const { call } = row;
	const note = call && noteOf(call);
	return (
		<span className="flex w-full flex-col justify-center">
			<span className="flex h-7 w-full items-center gap-x-3">
				<time dateTime={row.at} className={cn('w-14 shrink-0 font-mono text-mono text-muted', inFold && 'opacity-0')}>
					{clockTime(row.at)}
				</time>
				<AgentText className="w-20 shrink-0 truncate text-muted md:w-28">{actor}</AgentText>
				<span className="min-w-0 flex-1 truncate">{call ? <CallTitle call={call} /> : <EventTitle row={row} />}</span>
				{call && <Outcome call={call} />}
			</span>
			{note && (
				<span className="flex h-5 w-full min-w-0 items-start pl-[4.25rem] text-small">
					<AgentText className="truncate text-muted md:pl-31">{note}</AgentText>
				</span>
			)}
		</span>
	);
}

function CallTitle({ call }: { call: CallView }) {
	return (
		<>
			<AgentText className="font-medium">{call.agentName ? `${call.tool} → ${call.agentName}` : call.tool}</AgentText>{' '}
			<AgentText className={call.agentName ? 'text-muted' : 'font-mono text-mono text-muted'}>{call.title}</AgentText>
		</>
	);
}

function EventTitle({ row }: { row: Row }) {
	return (
		<>
			<span className={cn('font-medium', toneText[row.tone], row.tone === 'plain' && 'text-text')}>
				<span aria-hidden>{toneGlyph[row.tone]} </span>
				{rowLabel(row).en}
			</span>{' '}
			<AgentText className="text-muted">{row.title}</AgentText>
			{row.unverified && <span className="text-err"> unverified: no decision stands behind this line</span>}
		</>
	);
}

function Outcome({ call }: { call: CallView }) {
	const { word, tone } = outcomeWords(call);
	const ms = durationOf(call);
	const denier = denierOf(call);
	return (
		<span className="flex shrink-0 items-center gap-2 whitespace-nowrap">
			{denier && tone !== 'err' && <span className="text-warn">overruled {denier}</span>}
			<span className={toneText[tone]}>
				<span aria-hidden>{toneGlyph[tone]} </span>
				{word}
			</span>
			<span className="hidden w-14 text-right text-muted sm:inline">
				{ms !== undefined ? spanDuration(ms) : tone === 'run' ? <LiveDuration from={call.calledAt} /> : ''}
			</span>
		</span>
	);
}
