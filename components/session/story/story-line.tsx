import type { ReactNode } from 'react';
import { callName, noteOf, outcomeWords, overriddenGate } from '#lib/approvals/call-words.ts';
import type { Tone } from '#lib/contract/events/event-labels.ts';
import type { CallView } from '#lib/contract/sessions/read-model/call-view.ts';
import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import { plainLine } from '#lib/markdown/plain-line.ts';
import type { Message, Say } from '#lib/messages/say.ts';
import { durationOf, requestedAgentOf } from '#lib/session/call.ts';
import { hasFailedTests, isTestRun } from '#lib/session/command-result.ts';
import { resultTone, rowLabel } from '#lib/session/row.ts';
import { shortPath } from '#lib/text/printable.ts';
import { clockTime } from '#lib/time/clock.ts';
import { spanDuration } from '#lib/time/duration.ts';
import { callOfItem, isOpenable, type StoryItem } from '#lib/timeline/story.ts';
import { useSay } from '../../language/use-say.ts';
import { LiveDuration } from '../../live/live-duration.tsx';
import { cn } from '../../ui/cn.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { Toned } from '../../ui/tone.tsx';

const MOST_DEPTH = 8;
const STEP_REM = 1.25;

interface StoryLineProps {
	item: StoryItem;
	actor: string;
	cost: string | undefined;
	folder: string | null;
}

/** Columns of a story line: time, action and actor, result, duration, cost. `useStoryItems` relies on its height. */
export function StoryLine({ item, actor, cost, folder }: StoryLineProps) {
	const say = useSay();
	const at = item.kind === 'row' ? item.row.at : item.rows[0]?.at;
	const call = callOfItem(item);
	const note = call && noteOf(call, say);
	const indent = { paddingLeft: `${Math.min(item.depth, MOST_DEPTH) * STEP_REM}rem` };
	return (
		<span className="flex w-full min-w-0 flex-col justify-center">
			<span className="grid h-11 w-full grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 md:h-7 md:grid-cols-[4rem_minmax(0,1fr)_auto]">
				<time dateTime={at} className="whitespace-nowrap font-mono text-mono text-muted max-md:hidden">
					{at && item.depth === 0 && clockTime(at)}
				</time>
				<span className="flex min-w-0 items-center" style={indent}>
					<span
						aria-hidden
						data-toggle={isOpenable(item) || undefined}
						className={cn(
							'-my-1 -ml-1 grid h-7 w-5 shrink-0 place-items-center self-center text-muted pointer-coarse:h-10 pointer-coarse:w-10 pointer-coarse:-ml-3',
							isOpenable(item) ? 'cursor-pointer hover:text-text' : 'opacity-0 pointer-coarse:w-5',
						)}
					>
						{item.open ? '▾' : '▸'}
					</span>
					<span className="min-w-0 truncate">
						{actor !== '' && <AgentText className="text-muted">{`${actor} · `}</AgentText>}
						<ItemTitle item={item} folder={folder} />
					</span>
				</span>
				<span className="flex items-center gap-2 whitespace-nowrap">
					<Outcome item={item} />
					<span className="text-right text-muted max-sm:text-small sm:w-14">{durationText(item, say)}</span>
					<span className="hidden w-14 text-right text-muted xl:inline">{cost}</span>
				</span>
			</span>
			{note && <AgentText className="ml-4 h-5 truncate text-muted text-small md:ml-24">{note}</AgentText>}
		</span>
	);
}

function ItemTitle({ item, folder }: Pick<StoryLineProps, 'item' | 'folder'>): ReactNode {
	const say = useSay();
	switch (item.kind) {
		case 'row':
			return item.row.call ? <CallTitle call={item.row.call} folder={folder} /> : <EventTitle row={item.row} />;
		case 'fold':
			return (
				<>
					<AgentText className="font-medium">{item.rows[0]?.call?.tool}</AgentText> ×{item.rows.length}{' '}
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
					{item.agentIds.length > 0 && (
						<AgentText className={item.stage === undefined ? 'font-semibold' : ''}>{`${name} `}</AgentText>
					)}
					{call && <AgentText className="text-muted">{`${call.title} `}</AgentText>}
					{call?.background && <span className="text-muted">{say('background')} </span>}
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
	const isFailed = result !== undefined && hasFailedTests(result);
	return (
		<>
			<AgentText className="font-medium">{callName(call)}</AgentText>{' '}
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
	return (
		<>
			<Toned tone={row.tone} className={cn('font-medium', row.tone === 'plain' && 'text-text')}>
				<AgentText>{say.known(rowLabel(row))}</AgentText>
			</Toned>{' '}
			<AgentText className="text-muted">{plainLine(say.field(row, 'title'))}</AgentText>
			{row.unverified && <span className="text-err"> {say('unverified: no decision stands behind this line')}</span>}
		</>
	);
}

function Outcome({ item }: { item: StoryItem }) {
	const say = useSay();
	const call = callOfItem(item);
	const overridden = call && overriddenGate(call);
	const end = item.kind === 'branch' ? branchEnd(item, say) : undefined;
	if (item.kind === 'row' && !call) return null;
	const { word, tone } = end ?? wordsOf(call ? outcomeWords(call) : { word: 'ran', tone: 'ok' }, say);
	return (
		<>
			{overridden && (
				<span className="text-warn">
					{say('approved')}
					<AgentText className="hidden sm:inline">{` ${overridden}`}</AgentText>
				</span>
			)}
			<Toned tone={tone}>
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
function branchEnd({ rows, of }: Branch, say: Say): { word: string; tone: Tone } {
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

function durationText(item: StoryItem, say: Say): ReactNode {
	if (item.kind === 'branch') {
		const [first] = item.rows;
		const call = callIn(item.rows);
		const isRunning = call && outcomeWords(call).tone === 'run';
		const called = isRunning ? undefined : (call?.agentEnd?.at ?? call?.endedAt ?? call?.closed?.at);
		const end = item.of === 'stage' ? lastOf(item.rows, 'stage:complete')?.at : (endRow(item.rows)?.at ?? called);
		if (!first) return '';
		return end ? spanDuration(Date.parse(end) - Date.parse(first.at), say.language) : <LiveDuration from={first.at} />;
	}
	const calls = (item.kind === 'row' ? [item.row] : item.rows).flatMap(({ call }) => call ?? []);
	const times = calls.flatMap((call) => durationOf(call) ?? []);
	if (times.length > 0) {
		const total = times.reduce((sum, ms) => sum + ms, 0);
		return spanDuration(total, say.language);
	}
	const [call] = calls;
	return call && outcomeWords(call).tone === 'run' ? <LiveDuration from={call.calledAt} /> : '';
}
