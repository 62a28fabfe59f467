import { useMemo } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { PageLink } from '#components/ui/text-link.tsx';
import { FIRST_AGENT } from '#lib/agents/agent-table.ts';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { plainLine } from '#lib/markdown/plain-line.ts';
import { judgementsOf } from '#lib/session/judgement.ts';
import type { SessionState } from '#lib/session/session-state.ts';
import { doingOf, statusOf } from '#lib/session/status.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { dayAndTime } from '#lib/time/clock.ts';
import { costOfAll, tokenNumber, tokensOf } from '#lib/usage/usage-totals.ts';
import { useSay } from '../language/use-say.ts';
import { LiveDuration } from '../live/live-duration.tsx';
import { useClock } from '../live/now.ts';
import { useSession } from '../live/session-source.ts';
import { ClientMark } from '../row/client.tsx';
import { DoingLine, JudgementLine } from '../row/session-lines.tsx';
import { cn } from '../ui/cn.ts';
import { AgentText } from '../ui/text/agent-text.tsx';
import { StagePipeline } from './stage-pipeline.tsx';
import { StatusWord } from './status-words.tsx';
import { WorkflowControls } from './workflow/workflow-controls.tsx';
import { WorkflowLine } from './workflow-line.tsx';

/** Two lines: the identity of the session, and its state with problems. On phones the stages have one of their own. */
export function SessionHeader({ sessionId }: { sessionId: string }) {
	// Compared shallowly, because most events do not change the header.
	const head = useSession(sessionId, useShallow(headOf));
	return head && <Header view={head} />;
}

type Head = NonNullable<ReturnType<typeof headOf>>;

function headOf({ view }: Pick<SessionState, 'view'>) {
	if (!view) return null;
	const { seq, lastAt, counters, activity, calls, lastMessage, rules, ...head } = view;
	return head;
}

function Header({ view }: { view: Head }) {
	const { project, archivedAt, sessionId, title, startedAt, failure } = view;
	const say = useSay();
	const status = useClock((now) => statusOf(view, now));
	const over = view.ended ?? view.lost;
	return (
		<header className="flex shrink-0 flex-wrap items-center gap-x-3 border-line border-b px-4 py-0.5 md:block md:py-1.5">
			<div className="min-w-0 items-center gap-x-4 max-md:contents md:flex md:h-9">
				<div className="flex h-10 min-w-0 items-center gap-x-1 max-md:basis-full md:max-w-[45%] md:shrink-0 lg:max-w-[65%]">
					<PageLink
						href="/"
						aria-label={say('Sessions')}
						className="-ml-3 grid size-10 shrink-0 place-items-center text-muted hover:text-text"
					>
						<span aria-hidden>‹</span>
					</PageLink>
					<h1
						className="line-clamp-2 min-w-0 font-semibold text-title md:line-clamp-1"
						title={visibleString(title ?? '')}
					>
						<AgentText>{title === undefined ? (project ?? sessionId) : plainLine(title)}</AgentText>
					</h1>
				</div>
				<span className="flex h-5 min-w-0 flex-1 items-center gap-x-2 text-muted max-md:sr-only md:h-6">
					<span className="min-w-0 truncate">
						<AgentText>{placeWords(view)}</AgentText>
						{archivedAt && ` · ${say('archived {at}, not live', { at: dayAndTime(archivedAt) })}`}
					</span>
					<ClientMark client={view.agent ?? FIRST_AGENT} />
				</span>
				<SessionNumbers sessionId={sessionId} />
			</div>
			<div className="min-w-0 items-center gap-x-4 max-md:contents md:flex md:h-8">
				<span className="flex shrink-0 items-center gap-2">
					<StatusWord status={status} />
					<LiveDuration className="text-muted" from={startedAt} to={over?.at} />
				</span>
				{/* On phones the line ends here. */}
				<span aria-hidden className="order-1 basis-full md:hidden" />
				<WorkflowLine view={view}>
					<StagePipeline view={view} />
				</WorkflowLine>
				{failure ? (
					<p
						role="alert"
						title={visibleString(failure)}
						className="min-w-0 flex-1 truncate text-err max-md:order-2 max-md:basis-full"
					>
						<span aria-hidden>✕ </span>
						<AgentText>{failure}</AgentText>
					</p>
				) : (
					<DoingNow sessionId={sessionId} />
				)}
				<SessionJudgements
					sessionId={sessionId}
					className={cn('min-w-40 flex-1 max-md:order-2', view.workflow && 'max-md:basis-full')}
				/>
				<WorkflowControls view={view} />
			</div>
		</header>
	);
}

/** `shop / feat/gift-cards · claude-opus-4-5`, on a hub with machine and team. */
function placeWords({ project, branch, machine, model }: Head): string {
	const location = [project, branch].filter(Boolean).join(' / ');
	return [location, machine && `${machine.name} · ${machine.team}`, model].filter(Boolean).join(' · ');
}

/** What `read` gives of the view, compared as JSON, because most events do not change it. */
function useSame<T>(sessionId: string, read: (view: SessionView) => T): T | undefined {
	const json = useSession(sessionId, ({ view }) => view && JSON.stringify(read(view))) ?? undefined;
	return useMemo(() => (json === undefined ? undefined : (JSON.parse(json) as T)), [json]);
}

/** Current activity of each actor. */
function DoingNow({ sessionId }: { sessionId: string }) {
	const doing = useSame(sessionId, (view) => doingOf(view));
	return (
		<span className="min-w-0 max-md:hidden">
			<DoingLine doing={doing?.since === undefined ? undefined : doing} />
		</span>
	);
}

/** Update interval (ms), so that postponed alarms return in time. */
const STEP_MS = 15_000;

/** Judgements that the strip of stages does not show. */
function SessionJudgements({ sessionId, className }: { sessionId: string; className: string }) {
	const now = useClock((at) => Math.floor(at / STEP_MS) * STEP_MS);
	const judgements = useSame(sessionId, (view) => judgementsOf(view, now).filter(({ by }) => by !== 'stage')) ?? [];
	return judgements.length === 0 ? null : <JudgementLine judgements={judgements} className={className} />;
}

/** How much was done, and what it cost if that is known. */
function SessionNumbers({ sessionId }: { sessionId: string }) {
	const say = useSay();
	const count = useSession(sessionId, ({ view }) => view?.counters.calls) ?? 0;
	const usage = useSession(sessionId, ({ view }) => view?.usage?.total);
	return (
		<p className="flex h-5 shrink-0 items-center gap-x-3 text-muted max-md:order-1 max-md:flex-1 max-md:justify-end md:h-6">
			{say('{count} {count:call|calls}', { count })}
			{usage && (
				<span title={say('From the client’s own transcript, at list prices of the day; more under Overview')}>
					<span className="max-md:hidden">{say('{count} tokens', { count: tokenNumber(tokensOf(usage)) })} · </span>
					<span className="text-text">{costOfAll(usage) ?? say('no price known')}</span>
				</span>
			)}
		</p>
	);
}
