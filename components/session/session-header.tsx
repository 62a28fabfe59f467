'use client';
import Link from 'next/link';
import { useShallow } from 'zustand/react/shallow';
import { FIRST_AGENT } from '#lib/agents/agent-table.ts';
import { isWorkflowLeft } from '#lib/session/fold-workflow.ts';
import { statusOf } from '#lib/session/status.ts';
import type { SessionView } from '#lib/session/view.ts';
import { dayAndTime } from '#lib/time/clock.ts';
import { useSay } from '../language/use-say.ts';
import { LiveDuration } from '../live/live-duration.tsx';
import { useClock } from '../live/now.ts';
import { useSession } from '../live/session-source.ts';
import { MakeMark } from '../row/agent/make-mark.tsx';
import { compareAddress } from '../row/compare-address.ts';
import { AgentText } from '../ui/text/agent-text.tsx';
import { ActiveAgents } from './active-agents.tsx';
import { SessionJudgements } from './session-judgements.tsx';
import { SessionNumbers } from './session-numbers.tsx';
import { StagePipeline } from './stage-pipeline.tsx';
import { StatusWord } from './status-words.tsx';
import { TodoLine } from './todo-list.tsx';
import { WorkflowControls } from './workflow/workflow-controls.tsx';
import { WorkflowLine } from './workflow-line.tsx';

type Head = Omit<SessionView, 'seq' | 'lastAt' | 'counters' | 'activity' | 'calls' | 'lastMessage' | 'rules'>;

/** What the header shows beside the numbers: the same one until something of it changes, which most events do not do. */
function useHead(sessionId: string): Head | null {
	return useSession(
		sessionId,
		useShallow(({ view }) => {
			if (!view) return null;
			const { seq, lastAt, counters, activity, calls, lastMessage, rules, ...head } = view;
			return head;
		}),
	);
}

/** Answers at once: what, whose, in which state, for how long, and what went wrong. */
export function SessionHeader({ sessionId }: { sessionId: string }) {
	const view = useHead(sessionId);
	return view && <Header view={view} />;
}

function Header({ view }: { view: Head }) {
	const { project, branch, machine, archivedAt, sessionId, title, workflow, plan, startedAt, failure } = view;
	const say = useSay();
	const status = useClock((now) => statusOf(view, now));
	const over = view.ended ?? view.lost;
	return (
		<header className="relative flex max-h-1/2 shrink-0 flex-col gap-1 overflow-y-auto short:max-h-none border-line border-b px-4 py-2">
			<div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-0.5">
				<Link href="/" className="inline-flex h-6 items-center text-muted hover:text-text">
					<span aria-hidden className="pr-1">
						‹
					</span>
					{say('Sessions')}
				</Link>
				<h1 className="min-w-0 truncate font-semibold text-title">
					<AgentText>{[project ?? sessionId, branch].filter(Boolean).join(' · ')}</AgentText>
				</h1>
				<MakeMark make={view.agent ?? FIRST_AGENT} />
				<span className="flex items-center gap-2">
					<StatusWord status={status} />
					<span className="text-muted">
						<LiveDuration from={startedAt} to={over?.at} />
					</span>
				</span>
				{(workflow || plan) && (
					<AgentText className="min-w-0 text-muted [overflow-wrap:anywhere]">
						{[isWorkflowLeft(view) ? null : workflow?.workflowType, plan?.planId].filter(Boolean).join(' · ')}
					</AgentText>
				)}
				<SessionNumbers sessionId={sessionId} />
				{machine ? (
					<AgentText className="min-w-0 truncate text-muted">{`${machine.name} · ${machine.team}`}</AgentText>
				) : (
					<Link
						href={compareAddress('previous', sessionId)}
						prefetch={false}
						title={say('With the session before it, of the same project and workflow')}
						className="inline-flex min-h-6 items-center text-accent underline max-sm:hidden"
					>
						{say('Compare with predecessor')}
					</Link>
				)}
				<WorkflowControls view={view} />
			</div>
			{archivedAt && (
				<p className="text-muted">
					{say('Archived {at}: read from the hub’s object store, not live', { at: dayAndTime(archivedAt) })}
				</p>
			)}
			{title && <AgentText className="block min-w-0 shrink-0 truncate text-muted">{title}</AgentText>}
			{failure && (
				<p role="alert" className="text-err [overflow-wrap:anywhere]">
					<span aria-hidden>✕ </span>
					<AgentText>{failure}</AgentText>
				</p>
			)}
			<SessionJudgements sessionId={sessionId} />
			<StagePipeline view={view} />
			<WorkflowLine view={view} />
			<ActiveAgents agents={view.agents} />
			{view.todos && <TodoLine todos={view.todos} className="min-[900px]:hidden" />}
		</header>
	);
}
