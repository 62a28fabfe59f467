import { memo, type ReactNode } from 'react';
import { PageLink } from '#components/ui/text-link.tsx';
import type { Tone } from '#lib/contract/events/event-labels.ts';
import type { UsageTotals } from '#lib/contract/events/usage.ts';
import type { SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import { plainLine } from '#lib/markdown/plain-line.ts';
import type { Plain, Say } from '#lib/messages/say.ts';
import { locationWords, namesakesOf, statusNow } from '#lib/session/session-list.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { clockOrDate } from '#lib/time/clock.ts';
import { runningDuration } from '#lib/time/duration.ts';
import { costOfAll, tokenNumber, tokensOf } from '#lib/usage/usage-totals.ts';
import { useSay } from '../../language/use-say.ts';
import { LiveDuration } from '../../live/live-duration.tsx';
import { useClock } from '../../live/now.ts';
import { useLive } from '../../live/store.ts';
import { rowAddress } from '../../row/addresses.ts';
import { ClientMark } from '../../row/client.tsx';
import { DoingLine, JudgementLine } from '../../row/session-lines.tsx';
import { StatusWord } from '../../session/status-words.tsx';
import { cn } from '../../ui/cn.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { toneGlyph, toneText } from '../../ui/tone.tsx';
import { When } from '../../ui/when.tsx';

interface SessionRowProps {
	session: SessionSummary;
	isTabStop: boolean;
	/** Where the stages are drawn beside it. */
	hasStagesNearby?: boolean;
	/** Its machine is not connected to this hub. */
	isAway?: boolean;
}

const MINUTE_MS = 60_000;

/** Column widths depend only on the width of the list, so that new content never moves a column sideways. */
const grid = [
	'grid grid-cols-[0.75rem_minmax(0,1fr)_fit-content(45%)] items-center gap-x-2 @min-[640px]:gap-x-3',
	'@min-[640px]:grid-cols-[0.75rem_7rem_minmax(0,1.4fr)_minmax(0,7rem)_minmax(0,1.2fr)_minmax(0,0.8fr)]',
	'@min-[900px]:grid-cols-[0.75rem_7rem_26%_minmax(0,8rem)_minmax(0,1.2fr)_minmax(0,1fr)_3.5rem]',
	'@min-[1400px]:grid-cols-[0.75rem_7rem_25%_14rem_minmax(0,1.3fr)_minmax(0,1.2fr)_4rem]',
	'@min-[1800px]:grid-cols-[0.75rem_7rem_25%_22rem_minmax(0,1.3fr)_minmax(0,1.2fr)_4rem]',
].join(' ');

/** A session as one line of 32 px (two lines below 640 px): task, place, activity, judgements and cost. */
export const SessionRow = memo(function SessionRow(props: SessionRowProps) {
	const { session, isTabStop, hasStagesNearby, isAway = false } = props;
	const { sessionId, stages, doing, judgements, startedAt, endedAt, lastAt, usage } = session;
	const say = useSay();
	const status = useClock((now) => statusNow(session, now));
	const minute = useClock((at) => Math.floor(at / MINUTE_MS) * MINUTE_MS);
	// Without a start time, `doing` is only the last message. On phones the activity replaces the place.
	const now = isAway || doing?.since === undefined ? undefined : doing;
	const over = !isAway && (status === 'running' || status === 'waiting') ? undefined : (endedAt ?? lastAt);
	return (
		<li>
			<PageLink
				data-row={sessionId}
				tabIndex={isTabStop ? 0 : -1}
				href={rowAddress(sessionId)}
				className={`${grid} min-h-8 border-line border-b px-4 py-1 hover:bg-hover @min-[640px]:py-0`}
			>
				<StatusWord status={isAway ? 'idle' : status} className="[&>:last-child]:sr-only" />
				<span className={`${TIME_CELL} text-muted`}>
					{over === undefined ? (
						<LiveDuration from={startedAt} to={endedAt} />
					) : (
						<time dateTime={over}>{clockOrDate(over, minute, say.language)}</time>
					)}
				</span>
				<span className="col-start-2 row-start-1 min-w-0 @min-[640px]:col-start-3">
					<TaskName session={session} className="font-medium" />
				</span>
				<span className="col-start-2 row-start-2 flex min-w-0 gap-x-3 @min-[640px]:contents">
					<span
						className={cn(
							'min-w-0 @min-[640px]:col-start-4 @min-[640px]:row-start-1',
							now !== undefined && !session.machine && '@max-[640px]:sr-only',
						)}
					>
						<PlaceName session={session} />
					</span>
					<span className="flex min-w-0 items-center gap-x-3 @min-[640px]:col-start-5 @min-[640px]:row-start-1">
						{!hasStagesNearby && (
							<span className={cn('max-w-3/5 shrink-0 empty:hidden', now && '@min-[640px]:@max-[900px]:sr-only')}>
								<StageSegments stages={stages} isPaused={session.paused} />
							</span>
						)}
						{now ? (
							<DoingLine doing={now} />
						) : (
							<span className="min-w-0 truncate text-muted @max-[900px]:hidden">
								{over !== undefined && lastedWords(session, over, say)}
							</span>
						)}
					</span>
				</span>
				<JudgementLine
					judgements={judgements}
					className="col-start-3 row-start-2 text-small @min-[640px]:col-start-6 @min-[640px]:row-start-1 @min-[640px]:text-ui"
				/>
				<span className="row-start-1 hidden @min-[900px]:col-start-7 @min-[900px]:block">
					<UsageCell usage={usage} />
				</span>
			</PageLink>
		</li>
	);
});

function lastedWords({ startedAt, counts }: SessionSummary, to: string, say: Say) {
	if (startedAt === undefined || counts.calls === 0) return undefined;
	const time = runningDuration(Date.parse(to) - Date.parse(startedAt), say.language);
	return say('{count} {count:call|calls} in {time}', { count: counts.calls, time });
}

/** Cost of a session in a list column. Shows tokens if there is no price, and nothing without usage. */
function UsageCell({ usage }: { usage: UsageTotals | undefined }) {
	const cost = usage && costOfAll(usage);
	const say = useSay();
	const tokens = usage && say('{count} tokens', { count: tokenNumber(tokensOf(usage)) });
	return (
		<span className="block truncate text-right text-muted" title={cost ? tokens : undefined}>
			{cost ?? tokens}
		</span>
	);
}

/**
 * Columns of a line about what a session needs: glyph, time, task, place, reason, action. The first four align with `SessionRow`.
 */
export const NEED_GRID = [
	'grid min-h-8 grid-cols-[0.75rem_minmax(0,1fr)_auto] items-center gap-x-2 gap-y-1 border-line border-b px-4 py-1',
	'@min-[640px]:grid-cols-[0.75rem_7rem_minmax(0,1fr)_minmax(0,10rem)_auto] @min-[640px]:gap-x-3',
	'@min-[900px]:grid-cols-[0.75rem_7rem_26%_minmax(0,9rem)_minmax(0,1fr)_auto]',
	'@min-[1400px]:grid-cols-[0.75rem_7rem_25%_14rem_minmax(0,1fr)_auto]',
	'@min-[1800px]:grid-cols-[0.75rem_7rem_25%_22rem_minmax(0,1fr)_auto]',
].join(' ');

export const WHY_CELL =
	'col-span-full col-start-2 row-start-3 min-w-0 @min-[640px]:col-start-3 @min-[640px]:col-span-2 @min-[640px]:row-start-2 @min-[900px]:col-span-1 @min-[900px]:col-start-5 @min-[900px]:row-start-1';

export const DO_CELL =
	'col-span-full col-start-2 @min-[640px]:col-span-1 @min-[640px]:col-start-5 @min-[640px]:row-start-2 @min-[900px]:col-start-6 @min-[900px]:row-start-1';

/** Cell of the time: before the task, or at the end of the line in narrow lists. */
export const TIME_CELL =
	'col-start-3 row-start-1 whitespace-nowrap text-right tabular-nums @min-[640px]:col-start-2 @min-[640px]:text-left';

/** What a session works on; with its start, if another one has the same task in the same place. */
export function TaskName({ session, className }: { session: SessionSummary; className?: string }) {
	const say = useSay();
	const { sessionId, title, startedAt } = session;
	const hasNamesake = useLive(({ sessions }) => namesakesOf(sessions ?? NONE).has(sessionId));
	return (
		<span className={cn('flex min-w-0 items-baseline gap-x-2', title ? className : 'text-muted')}>
			<AgentText className="min-w-0 truncate">{title ? plainLine(title) : say('no task yet')}</AgentText>
			{hasNamesake && startedAt && (
				<span className="shrink-0 font-normal text-muted text-small max-sm:contents">
					<span className="max-sm:hidden">{say('began')}</span> <When at={startedAt} className="text-small" />
				</span>
			)}
		</span>
	);
}

const NONE: Record<string, SessionSummary> = {};

function PlaceName({ session: { project, branch, sessionId, machine, agent } }: { session: SessionSummary }) {
	const location = locationWords(project, branch, sessionId, machine);
	return (
		<span className="flex min-w-0 items-center gap-1.5 text-muted">
			<span className="min-w-0 truncate" title={visibleString(location)}>
				<AgentText>{location}</AgentText>
			</span>
			<ClientMark client={agent} />
		</span>
	);
}

interface NeedLeadProps {
	glyph: string;
	tone: string;
	time: ReactNode;
	session: SessionSummary;
	/** Where the task links to; absent if the whole line is a link. */
	href?: ReturnType<typeof rowAddress>;
	notice?: ReactNode;
	/** Leaves the place out where the list is narrow. */
	isShort?: boolean;
}

export function NeedLine({ glyph, tone, time, session, href, notice, isShort = false }: NeedLeadProps) {
	const task = <TaskName session={session} className="font-medium" />;
	const cell = 'col-start-2 row-start-1 min-w-0 @min-[640px]:col-start-3';
	return (
		<>
			<span aria-hidden className={`col-start-1 row-start-1 text-center ${tone}`}>
				{glyph}
			</span>
			<span className={`${TIME_CELL} ${tone}`}>{time}</span>
			{href === undefined ? (
				<span className={cell}>{task}</span>
			) : (
				<PageLink
					href={href}
					className={`${cell} relative min-h-6 content-center after:absolute after:inset-x-0 after:-inset-y-2 hover:underline`}
				>
					{task}
				</PageLink>
			)}
			<span
				className={cn(
					'col-start-2 row-start-2 min-w-0 @min-[640px]:col-span-2 @min-[640px]:col-start-4 @min-[640px]:row-start-1 @min-[900px]:col-span-1',
					isShort && '@max-[640px]:sr-only',
				)}
			>
				{notice || <PlaceName session={session} />}
			</span>
		</>
	);
}

export function SessionSection({ title, count, children }: { title: string; count?: number; children: ReactNode }) {
	return (
		<section aria-label={title}>
			<h2 className="px-4 pt-4 pb-1 font-semibold">
				{title} {count !== undefined && <span className="font-normal text-muted">{count}</span>}
			</h2>
			<ul className="@container border-line border-t">{children}</ul>
		</section>
	);
}

type Stages = SessionSummary['stages'];
type State = Stages[number]['state'];

/** Height and pattern differ as well as colour. */
export const stageLooks: Record<State, { segment: string; word: Plain; tone: Tone }> = {
	pending: { segment: 'h-1 bg-edge', word: 'to come', tone: 'plain' },
	active: { segment: 'h-3 border border-run bg-run stripes', word: 'current', tone: 'run' },
	done: { segment: 'h-2 bg-ok', word: 'done', tone: 'ok' },
	failed: { segment: 'h-3 bg-err', word: 'failed', tone: 'err' },
	issues: { segment: 'h-2.5 bg-warn', word: 'done with issues', tone: 'warn' },
};

/** A workflow as one segment per stage, with the name of the most relevant stage. Fixed width. */
export function StageSegments({ stages, isPaused }: { stages: Stages; isPaused?: boolean | undefined }) {
	const say = useSay();
	if (stages.length === 0) return null;
	const focus = stageInFocus(stages);
	const tone = isPaused ? 'wait' : stageLooks[focus.state].tone;
	return (
		<span
			className="flex min-w-0 items-center gap-1 sm:gap-2"
			title={visibleString(stages.map(({ key, state }) => `${key} ${say(stageLooks[state].word)}`).join(', '))}
		>
			<ol aria-label={say('Stages')} className="flex h-3 w-7 shrink-0 items-end gap-px overflow-hidden sm:w-12 md:w-16">
				{stages.map(({ key, state }) => (
					<li key={key} className={`min-w-0 flex-1 ${stageLooks[state].segment}`}>
						<span className="sr-only">
							<AgentText>{key}</AgentText>, {say(stageLooks[state].word)}
						</span>
					</li>
				))}
			</ol>
			<span className={cn('flex min-w-0 gap-1 text-small', toneText[tone])}>
				{tone !== 'run' && tone !== 'plain' && <span aria-hidden>{toneGlyph[tone]}</span>}
				<AgentText className="min-w-0 truncate">{focus.key}</AgentText>
				{isPaused && <span className="sr-only">{say(', workflow paused')}</span>}
			</span>
		</span>
	);
}

/** The running stage, else a failed one, else the next, else the last. */
function stageInFocus(stages: Stages): Stages[number] {
	const of = (value: State) => stages.find(({ state }) => state === value);
	return of('active') ?? of('failed') ?? of('pending') ?? (stages.at(-1) as Stages[number]);
}
