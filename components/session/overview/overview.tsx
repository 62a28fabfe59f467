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
const AGAIN_MS = 500;
const SECOND_MS = 1000;

export function Overview({ sessionId }: { sessionId: string }) {
	const say = useSay();
	const isNarrow = useNarrow();
	const view = useAtMostEvery(
		useSession(sessionId, (session) => session.view),
		AGAIN_MS,
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
		<div className="grid grid-cols-1 gap-x-8 gap-y-5 xl:grid-cols-2">
			<h2 className="sr-only">{say('Overview')}</h2>
			<Answers view={view} now={now} />
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

const ANSWERS = 4;

/** Where most time and cost went, and what came of it. */
function Answers({ view, now }: { view: SessionView; now: number }) {
	const say = useSay();
	const nameOf = useAgentName(view);
	const [slowest] = stageTimes(view, now).sort((one, other) => other.ms - one.ms);
	const [dearest] = usageShares(usageByName(view.usage?.agents ?? [], nameOf));
	const [wait] = view.work?.waits ?? [];
	const [tool] = toolShares(view);
	const answers: [name: string, value: string, more?: string][] = [];
	if (slowest) answers.push([say('Slowest stage'), slowest.stage, spanDuration(slowest.ms, say.language)]);
	if (dearest) answers.push([say('Highest cost'), dearest.name, costOfAll(dearest.part) ?? undefined]);
	if (wait) answers.push([say('Longest wait for a person'), spanDuration(wait.ms, say.language), wait.title]);
	if (tool) answers.push([say('Most used tool'), tool.name, `×${tool.calls}`]);
	const files = filesTouched(view);
	if (files.length > 0) answers.push([say('Files written'), String(files.length + (view.work?.moreFiles ?? 0))]);
	return (
		<dl className="col-span-full grid grid-cols-2 gap-4 empty:hidden md:grid-cols-4">
			{answers.slice(0, ANSWERS).map(([name, value, more]) => (
				<div key={name} className="min-w-0">
					<dt className="text-muted">{name}</dt>
					<dd className="flex items-baseline gap-x-2">
						<AgentText className="max-w-full truncate font-semibold text-xl leading-7">{value}</AgentText>
						<AgentText className="min-w-0 truncate text-muted">{more}</AgentText>
					</dd>
				</div>
			))}
		</dl>
	);
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
						cell: ({ ms, runs }) => (
							<span className="flex items-center gap-x-3">
								<span aria-hidden className="w-1/3 shrink-0">
									<span className="flex h-2 gap-px" style={{ width: `${Math.max(2, (ms / longest) * 100)}%` }}>
										{runs.map((run) => (
											<span
												key={run.from}
												className={cn('min-w-px rounded-xs bg-current', toneText[runTone(run)])}
												style={{ flexGrow: (run.to ?? now) - run.from }}
											/>
										))}
									</span>
								</span>
								{runs.map((run) => (
									<AgentText key={run.from} className={cn('whitespace-nowrap text-small', toneText[runTone(run)])}>
										{runWords(run, now, say)}
									</AgentText>
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

/** `2:11 pass`; running stages say so. */
function runWords({ from, to, result }: StageRun, now: number, say: Say): string {
	const time = runningDuration((to ?? now) - from, say.language);
	return `${time} ${to === null ? say('running') : say.known(result?.toLowerCase() ?? 'ended')}`;
}

function ToolBars({ view }: { view: SessionView }) {
	const say = useSay();
	const tools = toolShares(view);
	if (tools.length === 0) return null;
	const tried = tools.reduce((sum, { calls }) => sum + calls, 0);
	const made = Math.max(tried, view.counters.calls);
	return (
		<Part
			title={say('Calls by tool')}
			note={tried === made ? undefined : say('{tried} of {count} {count:call|calls} ran', { tried, count: made })}
		>
			<ul>
				{tools.map(({ name, calls, ms, share }) => (
					<li key={name} className="flex min-w-0 items-center gap-3">
						<AgentText className="w-28 shrink-0 truncate">{name || say('others')}</AgentText>
						<span aria-hidden className="h-2 min-w-0 flex-1">
							<span className="block h-2 rounded-sm bg-run" style={{ width: `${Math.max(1, share * 100)}%` }} />
						</span>
						<span className="w-10 text-right">{calls}</span>
						<span className="w-16 text-right text-muted">{runningDuration(ms, say.language)}</span>
					</li>
				))}
			</ul>
		</Part>
	);
}

const FILLS = ['bg-accent', 'bg-run', 'bg-ok', 'bg-wait', 'bg-warn', 'bg-muted'] as const;
const LAST = FILLS.length - 1;

export function UsageBars({ view }: { view: SessionView }) {
	const say = useSay();
	const { usage } = view;
	const nameOf = useAgentName(view);
	if (!usage) return null;
	return (
		<Part title={say('Tokens and cost')} note={totalWords(usage.total, say)}>
			{usage.total.unpriced > 0 && (
				<p className="text-muted">
					{say('{count} {count:answer|answers} of a model without a price: its tokens are counted, its cost is not.', {
						count: usage.total.unpriced,
					})}
				</p>
			)}
			{usage.models.length > 1 && (
				<UsageBar label={say('By model, at list prices')} shares={usageShares(usage.models)} />
			)}
			<UsageBar label={say('By agent, at list prices')} shares={usageShares(usageByName(usage.agents, nameOf))} />
		</Part>
	);
}

function totalWords(
	{ answers, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: UsageTotals,
	say: Say,
): string {
	return [
		say('{count} {count:answer|answers}', { count: answers }),
		say('{count} in', { count: tokenNumber(inputTokens) }),
		say('{count} out', { count: tokenNumber(outputTokens) }),
		say('{count} from cache', { count: tokenNumber(cacheReadTokens) }),
		say('{count} to cache', { count: tokenNumber(cacheWriteTokens) }),
	].join(' · ');
}

interface UsageBarProps {
	label: string;
	shares: readonly UsageShare[];
}

function UsageBar({ label, shares }: UsageBarProps) {
	const say = useSay();
	const id = (part: UsageShare['part']) => (part.others ? 'others' : `of ${part.name}`);
	return (
		<div className="pt-2">
			<div className="pb-0.5 text-muted text-small">{label}</div>
			<div aria-hidden className="flex h-3 w-full overflow-hidden rounded-sm bg-raised">
				{shares.map(({ part, share }, index) => (
					<span key={id(part)} className={FILLS[Math.min(index, LAST)]} style={{ width: `${share * 100}%` }} />
				))}
			</div>
			<ul aria-label={label} className="pt-0.5">
				{shares.map(({ part, share, name }, position) => (
					<li key={id(part)} className="flex min-w-0 items-center gap-2">
						<span aria-hidden className={cn('h-2 w-2 shrink-0 rounded-sm', FILLS[Math.min(position, LAST)])} />
						<AgentText className="min-w-0 truncate">{part.others ? say('others') : name}</AgentText>
						<span className="ml-auto whitespace-nowrap text-muted">{usageTokens(part, say)}</span>
						<span className="w-20 whitespace-nowrap text-right">{costOfAll(part) ?? say('no price')}</span>
						<span className="w-10 shrink-0 whitespace-nowrap text-right text-muted">{Math.round(share * 100)} %</span>
					</li>
				))}
			</ul>
		</div>
	);
}
