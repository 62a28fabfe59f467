'use client';
import Link from 'next/link';
import { type ReactNode, useId } from 'react';
import type { FeatureRecord } from '#lib/contract/archives/features.ts';
import type { UsageTotals } from '#lib/contract/events/usage.ts';
import { workMs } from '#lib/features/feature-work.ts';
import type { Plain } from '#lib/messages/say.ts';
import { judgementsOfAll } from '#lib/session/judgement.ts';
import { spanDuration } from '#lib/time/duration.ts';
import { costOfAll, tokenNumber, tokensOf } from '#lib/usage/usage-totals.ts';
import { LedgerCount } from '../decisions/ledger-count.tsx';
import { useSay } from '../language/use-say.ts';
import { useMayDecide } from '../live/use-may-decide.ts';
import { useSummaries } from '../live/use-summaries.ts';
import { compareAddress } from '../row/compare-address.ts';
import { JudgementLine } from '../row/judgement/judgement-line.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { ExportButton } from './export-button.tsx';
import { FeatureActions } from './feature-actions.tsx';

const stateWords = {
	'in-progress': 'In progress',
	paused: 'Paused',
	backlog: 'Backlog',
	archived: 'Archived',
} as const;

function usageFigures(usage: UsageTotals): Figures {
	return [
		['tokens', tokenNumber(tokensOf(usage))],
		['cost', costOfAll(usage) ?? <NoPrice key="none" />],
	];
}

type Figures = readonly (readonly [label: Plain, value: ReactNode])[];

function NoPrice() {
	const say = useSay();
	return say('no price known');
}

/** What the feature is, where it stands, and in numbers what became of it. */
export function FeatureHeader({ feature, onChange }: { feature: FeatureRecord; onChange: () => void }) {
	const say = useSay();
	const { name, project, workflow, state, tasks, archivedAt, outcome, sessions, usage, machine } = feature;
	// A hub exports and compares nothing: each machine does.
	const isKept = state === 'archived' && sessions.length > 0 && machine === undefined;
	const mayAct = useMayDecide();
	const noteId = useId();
	const facts: Figures = [
		['tasks', tasks.total === 0 ? '–' : say('{done} of {total}', { done: tasks.done, total: tasks.total })],
		['sessions', sessions.length],
		...(usage ? usageFigures(usage) : []),
	];
	const counted: Figures | undefined = outcome && [
		['duration', sessions.length === 0 ? '–' : spanDuration(workMs(outcome), say.language)],
		...(outcome.idleMs ? [['idle', spanDuration(outcome.idleMs, say.language)] satisfies Figures[number]] : []),
		['retries', outcome.retries],
		['pass@1', outcome.passAt1 === null ? '–' : `${Math.round(outcome.passAt1 * 100)} %`],
		...(outcome.unclear ? [['no verdict', outcome.unclear] satisfies Figures[number]] : []),
		['denials', <LedgerCount key="denials" count={outcome.denials} kind="denied-calls" spans={outcome.spans} />],
		['overrides', <LedgerCount key="overrides" count={outcome.overrides} kind="overridden" spans={outcome.spans} />],
		...(outcome.usage ? usageFigures(outcome.usage) : []),
	];
	return (
		<header className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-line border-b px-4 py-2">
			<Link href="/features" className="inline-flex h-6 items-center gap-1 text-muted hover:text-text">
				<span aria-hidden>‹</span>
				{say('Features')}
			</Link>
			<h1 className="min-w-0 truncate font-semibold text-title">
				<AgentText>{name}</AgentText>
			</h1>
			<span>
				{say(stateWords[state])}
				{archivedAt && <span className="text-muted"> {archivedAt.slice(0, 10)}</span>}
			</span>
			<AgentText className="text-muted">{[project, machine?.name, workflow].filter(Boolean).join(' · ')}</AgentText>
			<FigureList figures={facts} />
			{counted && (
				<section
					aria-label={say('Outcome')}
					aria-describedby={sessions.length > 0 ? noteId : undefined}
					className="order-last flex basis-full flex-wrap items-baseline gap-x-4"
				>
					<FigureList figures={counted} />
					{sessions.length > 0 && (
						<p id={noteId} className="text-muted text-small">
							{say('counted from when each session took it up until it was archived')}
						</p>
					)}
				</section>
			)}
			{isKept && <ExportButton feature={feature} />}
			{isKept && (
				<Link
					href={compareAddress('previous', feature.id)}
					prefetch={false}
					className="inline-flex min-h-6 items-center text-accent underline"
				>
					{say('Compare with the archive before')}
				</Link>
			)}
			{mayAct && state !== 'archived' && <FeatureActions feature={feature} onDone={onChange} />}
			{state !== 'archived' && <FeatureJudgement sessionIds={sessions} />}
		</header>
	);
}

/** What judges say of the sessions that work on it. */
function FeatureJudgement({ sessionIds }: { sessionIds: readonly string[] }) {
	const judgements = judgementsOfAll(useSummaries(sessionIds).map((session) => session.judgements));
	return judgements.length > 0 && <JudgementLine judgements={judgements} className="basis-full" />;
}

function FigureList({ figures }: { figures: Figures }) {
	const say = useSay();
	return (
		<dl className="flex flex-wrap gap-x-3 text-muted">
			{figures.map(([label, value]) => (
				<div key={label} className="flex gap-1">
					<dt>{say(label)}</dt>
					<dd className="text-text">{value}</dd>
				</div>
			))}
		</dl>
	);
}
