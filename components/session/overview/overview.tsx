import { type CSSProperties, memo, useContext, useState } from 'react';
import type { Tone } from '#lib/contract/events/event-labels.ts';
import type { UsageTotals } from '#lib/contract/events/usage.ts';
import type { SessionView, StageRun } from '#lib/contract/sessions/read-model/session-view.ts';
import type { Say } from '#lib/messages/say.ts';
import {
	filesTouched,
	type StageTime,
	stageTimes,
	toolShares,
	type UsageShare,
	usageByName,
	usageShares,
} from '#lib/overview/overview.ts';
import { resultTone } from '#lib/session/row.ts';
import { type StageView, stageProgress, stagesOf, workflowProgress } from '#lib/session/workflow-progress.ts';
import { runningDuration, spanDuration } from '#lib/time/duration.ts';
import { costsOfParts, noUsage, tokenNumber, usageTokens } from '#lib/usage/usage-totals.ts';
import { useSay } from '../../language/use-say.ts';
import { InstantContext, useAtMostEvery, useClock } from '../../live/now.ts';
import { useSession, useSessionSource } from '../../live/session-source.ts';
import { Button } from '../../ui/button.tsx';
import { cn } from '../../ui/cn.ts';
import { Part } from '../../ui/part.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { Toned, toneText } from '../../ui/tone.tsx';
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
	const answers: Answer[] = outcome ? [outcome] : [];
	if (wait) answers.push([say('Longest wait for a person'), spanDuration(wait.ms, say.language), wait.title]);
	return (
		<dl className="col-span-full flex flex-wrap gap-x-10 gap-y-3 empty:hidden">
			{answers.map(([name, value, more, troubled = []]) => (
				<div key={name} className="min-w-0">
					<dt className="text-muted">{name}</dt>
					<dd className="flex items-baseline gap-x-2">
						<AgentText className="max-w-full truncate font-semibold text-page">{value}</AgentText>
						<AgentText className="min-w-0 truncate text-muted empty:hidden">{more}</AgentText>
						{troubled.map((stage) => (
							<Toned key={stage.key} tone={resultTone(stageProgress(stage), 'warn')}>
								<AgentText>{`${stage.key} ${say.known(stageProgress(stage))}`}</AgentText>
							</Toned>
						))}
					</dd>
				</div>
			))}
		</dl>
	);
}

type Answer = [name: string, value: string, more: string, troubled?: StageView[]];

/** `Complete`, and what did not go smoothly: `1 retry`, RETRO. Undefined without a workflow. */
function outcomeOf({ workflow, agents }: SessionView, say: Say): Answer | undefined {
	if (!workflow) return undefined;
	const { done, total } = workflowProgress({ workflow, agents });
	const stages = stagesOf(workflow);
	const retries = stages.reduce((sum, stage) => sum + (stage.retries ?? 0), 0);
	const troubled = stages.filter((stage) => ['fail', 'reject', 'issues', 'unclear'].includes(stageProgress(stage)));
	const more = retries > 0 ? say('{count} {count:retry|retries}', { count: retries }) : '';
	if (!workflow.ended) return [say('Workflow'), say('{done} of {total} stages', { done, total }), more, troubled];
	return [say('Outcome'), workflow.ended.how === 'complete' ? say('Complete') : say('Aborted'), more, troubled];
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
	const begun = stageTimes(view, now);
	if (begun.length === 0) return null;
	const isComing = ({ key }: StageView) => !view.workflow?.ended && begun.every(({ stage }) => stage !== key);
	const coming = stagesOf(view.workflow).filter(isComing);
	const stages: StageTime[] = [...begun, ...coming.map(({ key }) => ({ stage: key, runs: [], ms: 0 }))];
	const longest = Math.max(1, ...stages.map(({ ms }) => ms));
	const costs = costsOfParts(stages.map(({ usage }) => usage ?? noUsage));
	return (
		<Part title={say('Time per stage')}>
			<ul className="grid grid-cols-[fit-content(8rem)_minmax(0,1fr)_auto] gap-x-3">
				{stages.map(({ stage, ms, runs, usage }, at) => (
					<li key={stage} className="col-span-full grid min-h-7 grid-cols-subgrid items-center">
						<AgentText className="truncate">{stage}</AgentText>
						<span className="flex gap-x-2 gap-y-1 max-md:flex-col md:items-center">
							<span
								aria-hidden
								className="flex h-2 w-[calc(var(--part)*100%)] shrink-0 gap-px empty:hidden max-md:order-last max-md:h-1 md:w-[calc(var(--part)*(100%-13rem))]"
								style={{ '--part': ms / longest } as CSSProperties}
							>
								{runs.map((run) => (
									<span
										key={run.from}
										className={cn('min-w-0.5 rounded-xs bg-current', toneText[runTone(run)])}
										style={{ flexGrow: (run.to ?? now) - run.from }}
									/>
								))}
							</span>
							<span className="flex flex-wrap gap-x-3 whitespace-nowrap text-muted">
								{runs.length === 0 && say('still to come')}
								{runs.map((run) => (
									<span key={run.from}>
										{timeOf(run, now, say)}{' '}
										<AgentText className={toneText[runTone(run)]}>
											{run.to === null ? say('running') : say.known(run.result?.toLowerCase() ?? 'ended')}
										</AgentText>
									</span>
								))}
							</span>
						</span>
						<span className="text-right tabular-nums">{usage && (costs[at] ?? usageTokens(usage, say))}</span>
					</li>
				))}
			</ul>
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
	const barsOf = (shares: readonly UsageShare[]) => {
		const costs = costsOfParts(shares.map(({ part }) => part));
		return shares.map(({ part, share, name }, at) => ({
			...{ name: part.others ? say('others') : name, share },
			...{ value: costs[at] ?? say('no price'), more: usageTokens(part, say) },
		}));
	};
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
			<ul aria-label={label} className="grid grid-cols-[7rem_minmax(0,1fr)_auto_auto] gap-x-3">
				{bars.map(({ name, share, value, more }) => (
					<li key={name} className="col-span-full grid min-h-6 grid-cols-subgrid items-center">
						<AgentText className="truncate">{name}</AgentText>
						<span
							aria-hidden
							className="h-2 rounded-xs bg-accent/60"
							style={{ width: `${Math.max(1, share * 100)}%` }}
						/>
						<span className="whitespace-nowrap text-right text-muted tabular-nums">{more}</span>
						<span className="whitespace-nowrap text-right tabular-nums">{value}</span>
					</li>
				))}
			</ul>
		</>
	);
}
