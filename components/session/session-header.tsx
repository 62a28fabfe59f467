import Link from 'next/link';
import { useMemo } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { FIRST_AGENT } from '#lib/agents/agent-table.ts';
import type { Doing, Judgement } from '#lib/contract/sessions/read-model/session-summary.ts';
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
import { AgentText } from '../ui/text/agent-text.tsx';
import { StagePipeline } from './stage-pipeline.tsx';
import { StatusWord } from './status-words.tsx';
import { WorkflowControls } from './workflow/workflow-controls.tsx';
import { WorkflowLine } from './workflow-line.tsx';

/** Two lines: the identity of the session, and its state with problems. On phones four: stages have one of their own. */
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
				<div className="flex h-10 min-w-0 items-center gap-x-1 max-md:flex-1 md:max-w-[45%] md:shrink-0 lg:max-w-[65%]">
					<Link
						href="/"
						aria-label={say('Sessions')}
						className="-ml-3 grid size-10 shrink-0 place-items-center text-muted hover:text-text"
					>
						<span aria-hidden>‹</span>
					</Link>
					<h1 className="min-w-0 truncate font-semibold text-title" title={visibleString(title ?? '')}>
						<AgentText>{title === undefined ? (project ?? sessionId) : plainLine(title)}</AgentText>
					</h1>
				</div>
				<span className="flex h-5 min-w-0 flex-1 items-center gap-x-2 text-muted max-md:order-3 md:h-6">
					<span className="min-w-0 truncate max-md:sr-only">
						<AgentText>{placeWords(view)}</AgentText>
						{archivedAt && ` · ${say('archived {at}, not live', { at: dayAndTime(archivedAt) })}`}
					</span>
					<ClientMark client={view.agent ?? FIRST_AGENT} className="max-md:sr-only" />
				</span>
				<SessionNumbers sessionId={sessionId} />
			</div>
			{/* On phones the first line ends here. */}
			<span aria-hidden className="order-2 basis-full md:hidden" />
			<div className="min-w-0 items-center gap-x-3 max-md:contents md:flex md:h-8">
				<span className="flex shrink-0 items-center gap-2 max-md:order-2">
					<StatusWord status={status} />
					<LiveDuration className="text-muted" from={startedAt} to={over?.at} />
				</span>
				<WorkflowLine view={view}>
					<StagePipeline view={view} />
				</WorkflowLine>
				{failure ? (
					<p
						role="alert"
						title={visibleString(failure)}
						className="min-w-0 flex-1 truncate text-err max-md:order-4 max-md:basis-full"
					>
						<span aria-hidden>✕ </span>
						<AgentText>{failure}</AgentText>
					</p>
				) : (
					<DoingNow sessionId={sessionId} />
				)}
				<SessionJudgements sessionId={sessionId} />
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

/** Current activity of each actor. Compared as JSON, because most events do not change it. */
function DoingNow({ sessionId }: { sessionId: string }) {
	const json = useSession(sessionId, ({ view }) => (view ? JSON.stringify(doingOf(view) ?? null) : 'null')) ?? 'null';
	const doing = useMemo(() => JSON.parse(json) as Doing | null, [json]);
	return (
		<span className="min-w-0 flex-1 max-md:hidden">
			<DoingLine doing={doing?.since === undefined ? undefined : doing} />
		</span>
	);
}

/** Update interval (ms), so that postponed alarms return in time. */
const STEP_MS = 15_000;

/** Judgements that the header already shows: stages as a strip, the others as numbers. */
const SHOWN_ELSEWHERE: ReadonlySet<Judgement['by']> = new Set(['stage', 'gate', 'person', 'tool']);

/** Judgements that the header does not show otherwise. Compared as JSON, because most events do not change them. */
function SessionJudgements({ sessionId }: { sessionId: string }) {
	const now = useClock((at) => Math.floor(at / STEP_MS) * STEP_MS);
	const shown =
		useSession(sessionId, ({ view }) =>
			view ? JSON.stringify(judgementsOf(view, now).filter(({ by }) => !SHOWN_ELSEWHERE.has(by))) : '[]',
		) ?? '[]';
	const judgements = useMemo(() => JSON.parse(shown) as Judgement[], [shown]);
	return judgements.length === 0 ? null : (
		<JudgementLine
			judgements={judgements}
			className="shrink-0 max-md:order-4 max-md:basis-full md:max-w-[35%] md:justify-end"
		/>
	);
}

/** Label of each number. Those in `BAD` are shown as alarms unless they are zero. */
const numbers = {
	calls: '{count} {count:call|calls}',
	denials: '{count} denied#judgement',
	overrides: '{count} approved#judgement',
	fails: '{count} {count:fail|fails}',
	rejects: '{count} {count:reject|rejects}',
	unclear: '{count} {count:end|ends} without a verdict',
	errors: '{count} {count:tool error|tool errors}',
	warnings: '{count} {count:warning|warnings}',
	gaps: '{count} {count:gap|gaps}',
	unverified: '{count} {count:unverified line|unverified lines}',
	alarms: '{count} {count:alarm|alarms}',
} as const;
const BAD: ReadonlySet<string> = new Set(['fails', 'rejects', 'unverified', 'alarms']);
const names = Object.keys(numbers) as (keyof typeof numbers)[];

/** Key figures of the session. Apart from calls, only non-zero ones; usage if known. */
function SessionNumbers({ sessionId }: { sessionId: string }) {
	const say = useSay();
	const counters = useSession(sessionId, ({ view }) => view?.counters ?? null);
	const usage = useSession(sessionId, ({ view }) => view?.usage?.total);
	if (!counters) return null;
	return (
		<ul
			aria-label={say('Numbers')}
			className="flex h-5 min-w-0 flex-wrap items-center gap-x-3 overflow-hidden text-muted max-md:order-3 max-md:flex-[3_1_0] max-md:justify-end md:h-6 md:shrink-0"
		>
			{names.map((name) => {
				const count = counters[name];
				if (count === 0 && name !== 'calls') return null;
				return (
					<li key={name} className={BAD.has(name) ? 'text-err' : ''}>
						{say(numbers[name], { count })}
					</li>
				);
			})}
			{usage && (
				<li title={say('From the client’s own transcript, at list prices of the day; more under Overview')}>
					<span className="max-md:hidden">{say('{count} tokens', { count: tokenNumber(tokensOf(usage)) })} · </span>
					<span className="text-text">{costOfAll(usage) ?? say('no price known')}</span>
				</li>
			)}
		</ul>
	);
}
