import { useMemo } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { PageLink } from '#components/ui/text-link.tsx';
import { FIRST_AGENT } from '#lib/agents/agent-table.ts';
import type { Judgement } from '#lib/contract/sessions/read-model/session-summary.ts';
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

/** Two lines: the identity of the session, and its state with problems. On phones the stages have one of their own, the last. */
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
	const isWaiting = status === 'waiting';
	return (
		<header className="flex shrink-0 flex-wrap items-center gap-x-3 border-line border-b px-4 py-1 md:block md:py-1.5">
			<div className="min-w-0 items-center gap-x-4 max-md:contents md:flex md:h-9">
				<div className="flex min-w-0 max-md:basis-full md:max-w-[45%] md:shrink-0 md:items-center lg:max-w-[65%]">
					<PageLink
						href="/"
						aria-label={say('Sessions')}
						className="-ml-2.5 grid size-10 shrink-0 place-items-center text-muted hover:text-text"
					>
						<svg aria-hidden="true" viewBox="0 0 20 20" className="size-5 fill-none stroke-2 stroke-current">
							<path d="M12 4l-6 6 6 6" />
						</svg>
					</PageLink>
					<h1
						className="line-clamp-2 min-w-0 font-semibold text-page max-md:my-2.5 max-md:text-title md:line-clamp-1"
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
					<StatusWord status={status} className="font-medium" />
					{!isWaiting && <LiveDuration className="text-muted" from={startedAt} to={over?.at} />}
				</span>
				<WorkflowLine view={view}>
					<StagePipeline view={view} />
				</WorkflowLine>
				{failure ? (
					<p
						role="alert"
						title={visibleString(failure)}
						className="min-w-0 flex-1 truncate text-err max-md:order-2 max-md:min-h-7 max-md:basis-full"
					>
						<span aria-hidden>✕ </span>
						<AgentText>{failure}</AgentText>
					</p>
				) : (
					!isWaiting && <DoingNow sessionId={sessionId} />
				)}
				<SessionJudgements sessionId={sessionId} />
				<WorkflowControls view={view} isWaiting={isWaiting} />
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

/** Judgements that neither the strip of stages nor the status shows. */
function SessionJudgements({ sessionId }: { sessionId: string }) {
	const now = useClock((at) => Math.floor(at / STEP_MS) * STEP_MS);
	const isNews = ({ by, tone }: Judgement) =>
		by !== 'stage' && (by !== 'routing' || tone !== 'wait') && (by !== 'supervisor' || tone !== 'ok');
	const judgements = useSame(sessionId, (view) => judgementsOf(view, now).filter(isNews)) ?? [];
	if (judgements.length === 0) return null;
	return <JudgementLine judgements={judgements} className="min-w-40 flex-1 max-md:order-2 max-md:basis-full" />;
}

/** How much was done, and what it cost if that is known. */
function SessionNumbers({ sessionId }: { sessionId: string }) {
	const say = useSay();
	const count = useSession(sessionId, ({ view }) => view?.counters.calls) ?? 0;
	const usage = useSession(sessionId, ({ view }) => view?.usage?.total);
	return (
		<p className="flex h-5 shrink-0 items-center gap-x-3 text-muted max-md:order-1 max-md:flex-1 max-md:justify-end md:h-6">
			<span className={cn(usage && 'max-md:hidden')}>{say('{count} {count:call|calls}', { count })}</span>
			{usage && (
				<span title={say('From the client’s own transcript, at list prices of the day; more under Overview')}>
					<span className="max-md:hidden">{say('{count} tokens', { count: tokenNumber(tokensOf(usage)) })} · </span>
					<span className="text-text">{costOfAll(usage) ?? say('no price known')}</span>
				</span>
			)}
		</p>
	);
}
