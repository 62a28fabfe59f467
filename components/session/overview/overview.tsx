import { memo, useContext, useState } from 'react';
import type { Tone } from '#lib/contract/events/event-labels.ts';
import type { UsageTotals } from '#lib/contract/events/usage.ts';
import type { SessionView, StageRun } from '#lib/contract/sessions/read-model/session-view.ts';
import type { Say } from '#lib/messages/say.ts';
import {
	filesTouched,
	stageTimes,
	toolShares,
	type UsageShare,
	usageByName,
	usageShares,
} from '#lib/overview/overview.ts';
import { resultTone } from '#lib/session/row.ts';
import { stageProgress, stagesOf, workflowProgress } from '#lib/session/workflow-progress.ts';
import { runningDuration, spanDuration } from '#lib/time/duration.ts';
import { costOfAll, tokenNumber, usageTokens } from '#lib/usage/usage-totals.ts';
import { useSay } from '../../language/use-say.ts';
import { InstantContext, useAtMostEvery, useClock } from '../../live/now.ts';
import { useSession, useSessionSource } from '../../live/session-source.ts';
import { Button } from '../../ui/button.tsx';
import { cn } from '../../ui/cn.ts';
import { Part } from '../../ui/part.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { toneText } from '../../ui/tone.tsx';
import { useNarrow } from '../../ui/use-size.ts';
import { SessionFacts } from '../session-facts.tsx';

/** Minimum interval (ms) between renders of the totals. */
const REFRESH_MS = 500;
const SECOND_MS = 1000;

export function Overview({ sessionId }: { sessionId: string }) {
	const say = useSay();
	const isNarrow = useNarrow();
	const view = useAtMostEvery(
		useSession(sessionId, (session) => session.view),
		REFRESH_MS,
	);
	return (
		<section
			aria-label={say('Overview')}
			// biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
			tabIndex={0}
			className="flex min-h-0 flex-1 flex-col gap-5 overflow-y-auto p-4"
		>
			{view && <Sections view={view} />}
			{/* On wide windows the facts are in the pane at the side. */}
			{isNarrow && <SessionFacts sessionId={sessionId} />}
		</section>
	);
}

const Sections = memo(function Sections({ view }: { view: SessionView }) {
	const say = useSay();
	const now = useInstant(view);
	return (
		<div className="grid grid-cols-1 gap-x-8 gap-y-6 xl:grid-cols-2 [&>section:nth-of-type(1):last-child]:col-span-full">
			<h2 className="sr-only">{say('Overview')}</h2>
			<Answers view={view} />
			<StageTable view={view} now={now} />
			<UsageBars view={view} />
			<ToolBars view={view} />
			<FileTable view={view} />
		</div>
	);
});

/** The end (ms) of unfinished stages: now, or the shown instant of a recording. */
function useInstant({ stageRuns = [], lastAt }: SessionView): number {
	const { isLive } = useSessionSource();
	const hasClock = useContext(InstantContext) !== null || isLive;
	const goesOn = hasClock && stageRuns.some(({ to }) => to === null);
	const now = useClock((at) => (goesOn ? Math.floor(at / SECOND_MS) * SECOND_MS : 0));
	return goesOn ? now : Date.parse(lastAt ?? '') || 0;
}

/** What came of it, and how long it waited for a person. */
function Answers({ view }: { view: SessionView }) {
	const say = useSay();
	const [wait] = view.work?.waits ?? [];
	const outcome = outcomeOf(view, say);
	const answers: [name: string, value: string, more: string][] = outcome ? [outcome] : [];
	if (wait) answers.push([say('Longest wait for a person'), spanDuration(wait.ms, say.language), wait.title]);
	return (
		<dl className="col-span-full flex flex-wrap gap-x-10 gap-y-3 empty:hidden">
			{answers.map(([name, value, more]) => (
				<div key={name} className="min-w-0">
					<dt className="text-muted">{name}</dt>
					<dd className="flex items-baseline gap-x-2">
						<AgentText className="max-w-full truncate font-semibold text-page">{value}</AgentText>
						<AgentText className="min-w-0 truncate text-muted">{more}</AgentText>
					</dd>
				</div>
			))}
		</dl>
	);
}

/** `Complete`, and what did not go smoothly: `1 retry · RETRO: issues`. Undefined without a workflow. */
function outcomeOf({ workflow, agents }: SessionView, say: Say): [string, string, string] | undefined {
	if (!workflow) return undefined;
	const { done, total } = workflowProgress({ workflow, agents });
	const stages = stagesOf(workflow);
	const retries = stages.reduce((sum, stage) => sum + (stage.retries ?? 0), 0);
	const troubled = stages.filter((stage) => ['fail', 'reject', 'issues', 'unclear'].includes(stageProgress(stage)));
	const more = [
		...(retries > 0 ? [say('{count} {count:retry|retries}', { count: retries })] : []),
		...troubled.map((stage) => `${stage.key} ${say.known(stageProgress(stage))}`),
	];
	if (!workflow.ended) return [say('Workflow'), say('{done} of {total} stages', { done, total }), more.join(' · ')];
	const how = workflow.ended.how === 'complete' ? say('Complete') : say('Aborted');
	return [say('Outcome'), how, more.join(' · ')];
}

function useAgentName({ agents }: SessionView): (agentId: string) => string {
	const say = useSay();
	return (id) => (id === '' ? say('main') : (agents.find(({ agentId }) => agentId === id)?.name ?? id));
}

const SHOWN_AT_FIRST = 12;

function FileTable({ view }: { view: SessionView }) {
	const say = useSay();
	const [isOpen, setOpen] = useState(false);
	const files = filesTouched(view);
	if (files.length === 0) return null;
	const shown = isOpen ? files : files.slice(0, SHOWN_AT_FIRST);
	const { moreFiles = 0 } = view.work ?? {};
	return (
		<Part title={say('Files written')} count={files.length + moreFiles}>
			<ul>
				{shown.map(({ path, edits, added, removed, isMore }) => (
					<li key={path} className="flex min-w-0 items-center gap-3">
						<AgentText className="min-w-0 flex-1 truncate font-mono text-mono">{path}</AgentText>
						<span className="whitespace-nowrap text-muted">{say('{count} {count:edit|edits}', { count: edits })}</span>
						<span className="w-24 whitespace-nowrap text-right">
							<span className="text-ok">+{added}</span> <span className="text-err">−{removed}</span>
							{isMore && <span className="text-muted">{say(' and more')}</span>}
						</span>
					</li>
				))}
			</ul>
			{files.length > shown.length && (
				<Button size="small" className="mt-1" onClick={() => setOpen(true)}>
					{say('Show all {count}', { count: files.length })}
				</Button>
			)}
		</Part>
	);
}

function StageTable({ view, now }: { view: SessionView; now: number }) {
	const say = useSay();
	const stages = stageTimes(view, now);
	if (stages.length === 0) return null;
	const longest = Math.max(1, ...stages.map(({ ms }) => ms));
	const hasUsage = stages.some(({ usage }) => usage);
	const cost: Column<(typeof stages)[number]> = {
		...{ key: 'cost', head: say('Cost'), isNumber: true },
		cell: ({ usage }) => (usage ? (costOfAll(usage) ?? usageTokens(usage, say)) : '–'),
	};
	return (
		<Part title={say('Time per stage')}>
			<Table
				rows={stages}
				keyOf={({ stage }) => stage}
				rowClassName="border-none"
				columns={[
					{
						key: 'stage',
						head: say('Stage'),
						className: 'pl-0',
						cellClassName: 'w-24 max-w-32 truncate',
						cell: ({ stage }) => <AgentText>{stage}</AgentText>,
					},
					{
						key: 'runs',
						head: say('Runs'),
						cellClassName: 'whitespace-nowrap',
						cell: ({ runs }) =>
							runs.map((run) => (
								<span key={run.from} className="pr-3 text-muted">
									{timeOf(run, now, say)}{' '}
									<AgentText className={toneText[runTone(run)]}>
										{run.to === null ? say('running') : say.known(run.result?.toLowerCase() ?? 'ended')}
									</AgentText>
								</span>
							)),
					},
					{
						key: 'bar',
						head: <span className="sr-only">{say('Time')}</span>,
						cellClassName: 'w-full max-md:hidden',
						cell: ({ ms, runs }) => (
							<span aria-hidden className="flex h-2 gap-px" style={{ width: `${Math.max(1, (ms / longest) * 100)}%` }}>
								{runs.map((run) => (
									<span
										key={run.from}
										className={cn('min-w-px rounded-xs bg-current', toneText[runTone(run)])}
										style={{ flexGrow: (run.to ?? now) - run.from }}
									/>
								))}
							</span>
						),
					},
					...(hasUsage ? [cost] : []),
				]}
			/>
		</Part>
	);
}

const runTone = ({ to, result }: StageRun): Tone => (to === null ? 'run' : resultTone(result, 'ok'));

const timeOf = ({ from, to }: StageRun, now: number, { language }: Say) =>
	to === null ? runningDuration(now - from, language) : spanDuration(to - from, language);

function ToolBars({ view }: { view: SessionView }) {
	const say = useSay();
	const tools = toolShares(view);
	// A single bar compares nothing.
	if (tools.length < 2) return null;
	const tried = tools.reduce((sum, { calls }) => sum + calls, 0);
	const made = Math.max(tried, view.counters.calls);
	return (
		<Part
			title={say('Calls by tool')}
			note={tried === made ? undefined : say('{tried} of {count} {count:call|calls} ran', { tried, count: made })}
		>
			<Bars
				bars={tools.map(({ name, calls, ms, share }) => ({
					...{ name: name || say('others'), share, value: String(calls), more: spanDuration(ms, say.language) },
				}))}
			/>
		</Part>
	);
}

export function UsageBars({ view }: { view: SessionView }) {
	const say = useSay();
	const { usage } = view;
	const nameOf = useAgentName(view);
	if (!usage) return null;
	const barsOf = (shares: readonly UsageShare[]) =>
		shares.map(({ part, share, name }) => ({
			...{ name: part.others ? say('others') : name, share },
			...{ value: costOfAll(part) ?? say('no price'), more: usageTokens(part, say) },
		}));
	return (
		<Part title={say('Tokens and cost')}>
			<dl className="flex flex-wrap gap-x-8 pb-2">
				{totals(usage.total, say).map(([name, count]) => (
					<div key={name}>
						<dt className="text-muted text-small">{name}</dt>
						<dd className="font-medium">{tokenNumber(count)}</dd>
					</div>
				))}
			</dl>
			{usage.total.unpriced > 0 && (
				<p className="text-muted">
					{say('{count} {count:answer|answers} of a model without a price: its tokens are counted, its cost is not.', {
						count: usage.total.unpriced,
					})}
				</p>
			)}
			{usage.models.length > 1 && (
				<Bars label={say('By model, at list prices')} bars={barsOf(usageShares(usage.models))} />
			)}
			<Bars label={say('By agent, at list prices')} bars={barsOf(usageShares(usageByName(usage.agents, nameOf)))} />
		</Part>
	);
}

const totals = ({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: UsageTotals, say: Say) =>
	[
		[say('In'), inputTokens],
		[say('Out'), outputTokens],
		[say('From cache'), cacheReadTokens],
		[say('To cache'), cacheWriteTokens],
	] as const;

interface BarsProps {
	label?: string;
	/** `share` is from 0 to 1. */
	bars: readonly { name: string; share: number; value: string; more: string }[];
}

function Bars({ label, bars }: BarsProps) {
	return (
		<>
			{label && <p className="text-muted text-small">{label}</p>}
			<ul aria-label={label}>
				{bars.map(({ name, share, value, more }) => (
					<li key={name} className="flex min-h-6 min-w-0 items-center gap-3">
						<AgentText className="w-28 shrink-0 truncate">{name}</AgentText>
						<span aria-hidden className="h-2 min-w-0 flex-1">
							<span className="block h-2 rounded-xs bg-accent/60" style={{ width: `${Math.max(1, share * 100)}%` }} />
						</span>
						<span className="whitespace-nowrap text-right text-muted">{more}</span>
						<span className="min-w-12 whitespace-nowrap text-right tabular-nums">{value}</span>
					</li>
				))}
			</ul>
		</>
	);
}
