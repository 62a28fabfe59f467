import { agentAsked, type CallView } from '#lib/session/call.ts';
import { durationOf } from '#lib/session/hold.ts';
import { type Row, rowLabel } from '#lib/session/row.ts';
import { shortPath } from '#lib/text/short-path.ts';
import { spanDuration } from '#lib/time/duration.ts';
import { useSay } from '../../language/use-say.ts';
import { LiveDuration } from '../../live/live-duration.tsx';
import { callName, noteOf, outcomeWords, overriddenGate } from '../../row/call-words.ts';
import { rowTitle } from '../../row/row-title.ts';
import { cn } from '../../ui/cn.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { toneGlyph, toneText } from '../../ui/tone.ts';
import { StoryLine } from './story-line.tsx';

interface StoryRowProps {
	row: Row;
	actor: string;
	inFold: boolean;
	/** The session's folder, left out of paths. */
	folder: string | null;
}

/** One thing that happened. What is inside has the height that `useStoryItems` says. */
export function StoryRow({ row, actor, inFold, folder }: StoryRowProps) {
	const { call } = row;
	const say = useSay();
	const note = call && noteOf(call, say);
	return (
		<span className="flex w-full min-w-0 flex-col justify-center">
			<StoryLine at={row.at} isQuiet={inFold} actor={actor} outcome={call && <Outcome call={call} />}>
				{call ? <CallTitle call={call} folder={folder} /> : <EventTitle row={row} />}
			</StoryLine>
			{note && <AgentText className="h-5 truncate text-muted text-small md:pl-50">{note}</AgentText>}
		</span>
	);
}

function CallTitle({ call, folder }: { call: CallView; folder: string | null }) {
	return (
		<>
			<AgentText className="font-medium">{callName(call)}</AgentText>{' '}
			<AgentText className={agentAsked(call) ? 'text-muted' : 'font-mono text-mono text-muted'}>
				{shortPath(call.title, folder)}
			</AgentText>
		</>
	);
}

function EventTitle({ row }: { row: Row }) {
	const say = useSay();
	return (
		<>
			<span className={cn('font-medium', toneText[row.tone], row.tone === 'plain' && 'text-text')}>
				<span aria-hidden>{toneGlyph[row.tone]} </span>
				<AgentText>{say.known(rowLabel(row))}</AgentText>
			</span>{' '}
			<AgentText className="text-muted">{rowTitle(row, say)}</AgentText>
			{row.unverified && <span className="text-err"> {say('unverified: no decision stands behind this line')}</span>}
		</>
	);
}

function Outcome({ call }: { call: CallView }) {
	const say = useSay();
	const { word, tone } = outcomeWords(call);
	const ms = durationOf(call);
	const overridden = overriddenGate(call);
	return (
		<span className="flex shrink-0 items-center gap-2 whitespace-nowrap">
			{overridden && (
				<span className="text-warn">
					{say('overridden')}
					<AgentText className="hidden sm:inline">{` ${overridden}`}</AgentText>
				</span>
			)}
			<span className={toneText[tone]}>
				<span aria-hidden>{toneGlyph[tone]} </span>
				{say(word)}
			</span>
			<span className="hidden w-14 text-right text-muted sm:inline">
				{ms !== undefined ? (
					spanDuration(ms, say.language)
				) : tone === 'run' ? (
					<LiveDuration from={call.calledAt} />
				) : (
					''
				)}
			</span>
		</span>
	);
}
