import type { ReactNode } from 'react';
import { callName, noteOf, outcomeWords, overriddenGate } from '#lib/approvals/call-words.ts';
import type { Tone } from '#lib/contract/events/event-labels.ts';
import type { CallView } from '#lib/contract/sessions/read-model/call-view.ts';
import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import { gateSentence } from '#lib/gates/gate-title.ts';
import { plainLine } from '#lib/markdown/plain-line.ts';
import type { Message, Say } from '#lib/messages/say.ts';
import { durationOf, requestedAgentOf } from '#lib/session/call.ts';
import { isFailedTest, isTestRun } from '#lib/session/command-result.ts';
import { resultTone, rowLabel } from '#lib/session/row.ts';
import { shortPath } from '#lib/text/printable.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { clockTime } from '#lib/time/clock.ts';
import { spanDuration } from '#lib/time/duration.ts';
import { callOfItem, isOpenable, type StoryItem } from '#lib/timeline/story.ts';
import type { Span, TimeScale } from '#lib/timeline/time-scale.ts';
import { useSay } from '../../language/use-say.ts';
import { LiveDuration } from '../../live/live-duration.tsx';
import { cn } from '../../ui/cn.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { Toned, ToneGlyph, toneText } from '../../ui/tone.tsx';

const MAX_DEPTH = 8;
const STEP_REM = 1.25;
/** What is done stands in one column, what it is done to in the next. */
const VERB = 'inline-block min-w-11 font-medium';

interface StoryLineProps {
	item: StoryItem;
	actor: string;
	/** Undefined if nothing of the story has a cost. */
	cost: string | undefined;
	folder: string | null;
	/** How the run of a stage differs from others. */
	mark?: string | undefined;
	/** Time axis of all lines, in %. */
	axis?: TimeScale | null;
}

/** Columns of a story line: time, action and actor, result, duration, cost. `useStoryItems` relies on its height. */
export function StoryLine({ item, actor, cost, folder, mark, axis }: StoryLineProps) {
	const say = useSay();
	const at = item.kind === 'row' ? item.row.at : item.rows[0]?.at;
	const call = callOfItem(item);
	const note = call && noteOf(call, say);
	const end = lineEnd(item, say);
	const isMessage = item.kind === 'row' && isSpoken(item.row);
	const hasTime = at !== undefined && item.depth === 0;
	const duration = end && durationText(item, say);
	const indent = { paddingLeft: `${Math.min(item.depth, MAX_DEPTH) * STEP_REM}rem` };
	return (
		<span className="flex w-full min-w-0 flex-col justify-center">
			<span className="grid h-11 w-full grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 md:h-7 md:grid-cols-[4rem_minmax(0,1fr)_auto_auto] md:gap-x-4">
				<time dateTime={at} className="whitespace-nowrap font-mono text-mono text-muted max-md:hidden">
					{hasTime && clockTime(at)}
				</time>
				<span className="flex min-w-0 items-center" style={indent}>
					<span
						aria-hidden
						data-toggle={isOpenable(item) || undefined}
						className={cn(
							'-my-1 -ml-1 grid h-7 w-5 shrink-0 place-items-center self-center text-muted pointer-coarse:h-10 pointer-coarse:w-10 pointer-coarse:-ml-4',
							isOpenable(item) ? 'cursor-pointer hover:text-text' : 'opacity-0',
						)}
					>
						{item.open ? '▾' : '▸'}
					</span>
					<span className={cn('min-w-0', isMessage ? 'line-clamp-2 md:line-clamp-1' : 'truncate')}>
						{actor !== '' && <AgentText className="text-muted">{`${actor} · `}</AgentText>}
						<ItemTitle item={item} folder={folder} mark={mark} />
					</span>
				</span>
				<span className="flex items-center gap-x-3 whitespace-nowrap max-md:flex-col max-md:items-end">
					{hasTime && <span className="text-muted text-small md:hidden">{clockTime(at)}</span>}
					{end && (
						<span className="flex items-center justify-end gap-x-3">
							<Outcome end={end} call={call} />
							{duration && <span className="text-right text-muted max-md:text-small md:w-14">{duration}</span>}
							{cost !== undefined && <span className="hidden w-14 text-right text-muted lg:inline">{cost}</span>}
						</span>
					)}
				</span>
				{end && axis && (
					<TimeBars axis={axis} tone={call && isFailedTest(call) ? 'err' : end.tone} spans={spansOfItem(item)} />
				)}
			</span>
			{note && (
				<span className="h-5 truncate text-muted text-small md:ml-20" style={indent}>
					<AgentText className="pl-4 pointer-coarse:pl-6">{note}</AgentText>
				</span>
			)}
		</span>
	);
}

function ItemTitle({ item, folder, mark }: Pick<StoryLineProps, 'item' | 'folder' | 'mark'>): ReactNode {
	const say = useSay();
	switch (item.kind) {
		case 'row':
			return item.row.call ? <CallTitle call={item.row.call} folder={folder} /> : <EventTitle row={item.row} />;
		case 'fold':
			return (
				<>
					<AgentText className={VERB}>{item.rows[0]?.call?.tool}</AgentText> ×{item.rows.length}{' '}
					<AgentText className="font-mono text-mono text-muted">
						{shortPath(item.rows.at(-1)?.call?.title ?? '', folder)}
					</AgentText>
				</>
			);
		case 'branch': {
			const call = callOfItem(item);
			const name = nameOf(item) ?? say('agent');
			return (
				<>
					{item.stage !== undefined && <AgentText className="font-semibold">{`${item.stage} `}</AgentText>}
					{mark !== undefined && <span className="text-muted">{mark} </span>}
					{item.agentIds.length > 0 && (
						<AgentText className={item.stage === undefined ? 'font-semibold' : ''}>{`${name} `}</AgentText>
					)}
					{call && <AgentText className="text-muted">{`${call.title} `}</AgentText>}
					{call?.background && (
						<span className="rounded border border-line px-1 text-muted text-small">{say('background')}</span>
					)}
					{!item.open && item.calls > 0 && (
						<span className="text-muted">{say('{count} {count:call|calls}', { count: item.calls })}</span>
					)}
				</>
			);
		}
	}
}

function nameOf(item: Branch): string | undefined {
	const name = item.rows.find(({ agent }) => agent !== undefined)?.agent;
	const call = callIn(item.rows);
	return name ?? (call && requestedAgentOf(call)) ?? item.agentIds[0]?.slice(0, 12);
}

function CallTitle({ call, folder }: { call: CallView; folder: string | null }) {
	const { edit, lastLine, title } = call;
	const result = isTestRun(title) ? lastLine : undefined;
	const isFailed = isFailedTest(call);
	return (
		<>
			<AgentText className={VERB}>{callName(call)}</AgentText>{' '}
			<AgentText className={requestedAgentOf(call) ? 'text-muted' : 'font-mono text-mono text-muted'}>
				{shortPath(title, folder)}
			</AgentText>
			{edit && (
				<span className="pl-3 text-small">
					<span className="text-ok">+{edit.added}</span> <span className="text-err">−{edit.removed}</span>
				</span>
			)}
			{result !== undefined && (
				<span className={cn('pl-3 text-small', isFailed && 'text-err')}>
					{isFailed && <span aria-hidden>✕ </span>}
					<AgentText>{result}</AgentText>
				</span>
			)}
		</>
	);
}

function EventTitle({ row }: { row: Row }) {
	const say = useSay();
	const label = say.known(rowLabel(row));
	const text = plainLine(say.field(row, 'title'));
	// Words of people and agents stand for themselves.
	if (isSpoken(row)) {
		const isPrompt = row.type === 'prompt:submit';
		return (
			<>
				<span className="sr-only">{label} </span>
				{isPrompt && <span aria-hidden>❯ </span>}
				<AgentText className={isPrompt ? 'font-semibold' : ''}>{text}</AgentText>
			</>
		);
	}
	return (
		<>
			{isLoud(row.tone) && <ToneGlyph tone={row.tone} />}
			<AgentText className={isLoud(row.tone) ? toneText[row.tone] : 'text-muted'}>{label}</AgentText>{' '}
			<AgentText className="text-muted">{row.type === 'routing:plan' ? text.replaceAll('_', ' ') : text}</AgentText>
			{row.unverified && <span className="text-err"> {say('unverified: no decision stands behind this line')}</span>}
		</>
	);
}

export const isSpoken = ({ type, label, unverified, title }: Row): boolean =>
	(type === 'prompt:submit' || type === 'message:show') && label === undefined && !unverified && title !== '';

const isLoud = (tone: Tone): boolean => tone === 'err' || tone === 'warn' || tone === 'wait';

/** The colour of a tone that calls for attention, none for the others. */
export const loudText = (tone: Tone): string => (isLoud(tone) ? toneText[tone] : '');

function TimeBars({ axis, tone, spans }: { axis: TimeScale; tone: Tone; spans: readonly ItemSpan[] }) {
	const look = cn('absolute inset-y-0 min-w-1 rounded-xs bg-current', tone === 'ok' ? 'text-edge' : toneText[tone]);
	return (
		<span aria-hidden className="relative hidden h-2 w-[24vw] xl:block">
			{spans.map(({ from, to }) => {
				const left = axis.toX(from);
				const width = (to === undefined ? axis.width : axis.toX(to)) - left;
				return <span key={from} className={look} style={{ left: `min(${left}%, 100% - 4px)`, width: `${width}%` }} />;
			})}
		</span>
	);
}

/** How a line ended. Undefined for one that has no end. */
function lineEnd(item: StoryItem, say: Say): End | undefined {
	if (item.kind === 'branch') return branchEnd(item, say);
	const call = callOfItem(item);
	if (item.kind === 'fold' || call) return wordsOf(call ? outcomeWords(call) : { word: 'ran', tone: 'ok' }, say);
	return undefined;
}

interface End {
	word: string;
	tone: Tone;
}

function Outcome({ end: { word, tone }, call }: { end: End; call: CallView | undefined }) {
	const say = useSay();
	const overridden = call && overriddenGate(call);
	// What went as expected is not marked, so that the rest stands out; the result of tests stands beside their command.
	const isQuiet =
		tone === 'ok' ? word === say('ran') || word === say('ended') : call !== undefined && isFailedTest(call);
	return (
		<>
			{overridden && (
				<span title={visibleString(say.known(gateSentence(overridden)))}>
					<Toned tone="ok">{say('approved')}</Toned>
				</span>
			)}
			<Toned tone={tone} className={isQuiet ? 'sr-only' : ''}>
				<AgentText>{word}</AgentText>
			</Toned>
		</>
	);
}

const wordsOf = ({ word, tone }: ReturnType<typeof outcomeWords> | { word: 'ran'; tone: Tone }, say: Say) => ({
	word: say(word as Message & 'ran'),
	tone,
});

type Branch = Extract<StoryItem, { kind: 'branch' }>;

const callIn = (rows: readonly Row[]): CallView | undefined => rows.find(({ call }) => call)?.call;
const lastOf = (rows: readonly Row[], ...types: string[]) => rows.findLast(({ type }) => types.includes(type));

/** Result of a branch: the verdict of its stage, else of its agent. */
function branchEnd({ rows, of }: Branch, say: Say): End {
	const end = of === 'stage' ? lastOf(rows, 'stage:complete') : endRow(rows);
	if (end?.type === 'agent:error') return { word: say('failed'), tone: 'err' };
	if (end) return { word: say.known(end.result?.toLowerCase() ?? 'ended'), tone: end.tone };
	const call = callIn(rows);
	if (of === 'stage' || !call) return { word: say('running'), tone: 'run' };
	const result = call.agentEnd?.result;
	if (result !== undefined && outcomeWords(call).tone === 'ok')
		return { word: say.known(result.toLowerCase()), tone: resultTone(result, 'ok') };
	return wordsOf(outcomeWords(call), say);
}

/** The row that ended the agent, unless it was started again afterwards. */
function endRow(rows: readonly Row[]): Row | undefined {
	const end = lastOf(rows, 'agent:complete', 'agent:error');
	const start = lastOf(rows, 'agent:start');
	return end && start && start.seq > end.seq ? undefined : end;
}

type ItemSpan = Pick<Span, 'from'> & Partial<Span>;

/** From when to when (ms) a line lasted; without an end it goes on. Undefined for a line without a duration. */
export function spanOfItem(item: StoryItem): ItemSpan | undefined {
	if (item.kind === 'branch') {
		const [first] = item.rows;
		const call = callIn(item.rows);
		const isRunning = call && outcomeWords(call).tone === 'run';
		const called = isRunning ? undefined : (call?.agentEnd?.at ?? call?.endedAt ?? call?.closed?.at);
		const end = item.of === 'stage' ? lastOf(item.rows, 'stage:complete')?.at : (endRow(item.rows)?.at ?? called);
		return first && { from: Date.parse(first.at), ...(end !== undefined && { to: Date.parse(end) }) };
	}
	const spans = spansOfItem(item);
	const [first, last] = [spans.at(0), spans.at(-1)];
	return first && last && { ...last, from: first.from };
}

/** The same, of repeated calls one by one. */
function spansOfItem(item: StoryItem): ItemSpan[] {
	if (item.kind === 'branch') return [spanOfItem(item) ?? []].flat();
	return callsIn(item).map((call) => ({
		from: Date.parse(call.calledAt ?? call.at),
		...(outcomeWords(call).tone !== 'run' && { to: Date.parse(call.endedAt ?? call.calledAt ?? call.at) }),
	}));
}

const callsIn = (item: StoryItem) => (item.kind === 'row' ? [item.row] : item.rows).flatMap(({ call }) => call ?? []);

function durationText(item: StoryItem, say: Say): ReactNode {
	const span = spanOfItem(item);
	if (!span) return '';
	const { from, to } = span;
	if (to === undefined) return <LiveDuration from={new Date(from).toISOString()} />;
	if (item.kind === 'branch') return spanDuration(to - from, say.language);
	const times = callsIn(item).flatMap((call) => durationOf(call) ?? []);
	const sum = times.reduce((all, ms) => all + ms, 0);
	return times.length > 0 && spanDuration(sum, say.language);
}
