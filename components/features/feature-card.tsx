'use client';
import Link from 'next/link';
import type { FeatureRecord } from '#lib/contract/features.ts';
import { useMayDecide } from '../live/use-may-decide.ts';
import { useSummary } from '../live/use-summary.ts';
import { StatusWord } from '../session/status-words.tsx';
import { AgentText } from '../text/agent-text.tsx';
import { FeatureActions } from './feature-actions.tsx';

/** An open feature: how far its tasks are, what comes next, who works on it, and where it can be moved. */
export function FeatureCard({ feature, onChange }: { feature: FeatureRecord; onChange: () => void }) {
	const { id, name, project, workflow, tasks, sessions } = feature;
	const mayAct = useMayDecide();
	return (
		<li className="flex flex-col gap-1 border-line border-b py-2">
			<div className="flex flex-wrap items-baseline gap-x-3">
				<h3 className="font-semibold">
					<Link href={`/features/${encodeURIComponent(id)}`} className="hover:underline">
						<AgentText>{name}</AgentText>
					</Link>
				</h3>
				<AgentText className="text-muted">{[project, workflow].filter(Boolean).join(' · ')}</AgentText>
			</div>
			<TaskProgress done={tasks.done} total={tasks.total} />
			{tasks.next.length > 0 && (
				<p className="truncate">
					<span className="text-muted">Next </span>
					<AgentText>{tasks.next[0]}</AgentText>
				</p>
			)}
			{sessions.length > 0 && (
				<ul aria-label="Sessions" className="flex flex-wrap gap-x-3">
					{sessions.map((sessionId) => (
						<SessionLink key={sessionId} sessionId={sessionId} />
					))}
				</ul>
			)}
			{mayAct && <FeatureActions feature={feature} onDone={onChange} />}
		</li>
	);
}

/** Boxes of the tasks file as a bar and in words. */
function TaskProgress({ done, total }: { done: number; total: number }) {
	if (total === 0) return <p className="text-muted">No tasks are written down.</p>;
	return (
		<p className="flex items-center gap-2">
			<span aria-hidden className="h-1.5 w-24 rounded bg-hover">
				<span className="block h-full rounded bg-ok" style={{ width: `${(done / total) * 100}%` }} />
			</span>
			{done} of {total} tasks done
		</p>
	);
}

/** A session of the feature by its status; one that this machine does not list any more by its id. */
function SessionLink({ sessionId }: { sessionId: string }) {
	const session = useSummary(sessionId);
	return (
		<li className="min-w-0">
			<Link
				href={`/sessions/${encodeURIComponent(sessionId)}`}
				className="inline-flex min-h-6 max-w-full items-center gap-1.5 hover:underline"
			>
				{session && <StatusWord status={session.status} />}
				<AgentText className="max-w-40 truncate font-mono text-mono text-muted">{sessionId}</AgentText>
			</Link>
		</li>
	);
}
