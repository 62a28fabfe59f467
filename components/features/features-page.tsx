'use client';

import dynamic from 'next/dynamic';
import { PageLink, TextLink } from '#components/ui/text-link.tsx';
import type { FeatureProject, FeatureRecord, FeatureState } from '#lib/contract/archives/features.ts';
import type { SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import { fitsFilter } from '#lib/features/feature-list.ts';
import type { Plain } from '#lib/messages/say.ts';
import { judgementsOfAll } from '#lib/session/judgement.ts';
import { statusNow, stuckOf } from '#lib/session/session-list.ts';
import { isSilent } from '#lib/session/status.ts';
import { costOfAll, usageTokens } from '#lib/usage/usage-totals.ts';
import { StageSegments } from '../home/sessions/session-row.tsx';
import { Phrase } from '../language/phrase.tsx';
import { useSay } from '../language/use-say.ts';
import { useHub, useMayDecide } from '../live/hub.tsx';
import { LiveDuration } from '../live/live-duration.tsx';
import { useClock } from '../live/now.ts';
import { useSummaries } from '../live/session-pages.ts';
import { featureAddress, rowAddress } from '../row/addresses.ts';
import { ClientMark, useClientFilter } from '../row/client.tsx';
import { DoingLine, JudgementLine } from '../row/session-lines.tsx';
import { StatusWord } from '../session/status-words.tsx';
import { AnswerPending } from '../ui/answer-state.tsx';
import { CommandBox } from '../ui/copy-button.tsx';
import { type Filter, FilterControl, namesToChoose } from '../ui/filter-control.tsx';
import { Page, PageMessage } from '../ui/page.tsx';
import { Part } from '../ui/part.tsx';
import { useProgram } from '../ui/text/advice.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { Toned, toneGlyph } from '../ui/tone.tsx';
import { ArchiveTable } from './archive-table.tsx';
import { FeatureActions, NewFeatureButton } from './feature-actions.tsx';
import { NameFilter, useFeatureParams, useFeatures, withoutPassed } from './feature-list.tsx';

const columns: readonly { state: Exclude<FeatureState, 'archived'>; title: Plain }[] = [
	{ state: 'in-progress', title: 'In progress' },
	{ state: 'paused', title: 'Paused' },
	{ state: 'backlog', title: 'Backlog' },
];

export function FeaturesPage() {
	const say = useSay();
	const { features, projects, error, reload } = useFeatures();
	const [params, setParams] = useFeatureParams();
	const clientFilter = useClientFilter();
	const client = clientFilter.value;
	if (!features) return <AnswerPending label={say('Features are loading')} error={error} />;
	if (features.length === 0) return <EmptyFeatures projects={projects} onDone={reload} />;
	const { project, workflow, name } = params;
	const shown = features.filter((feature) => fitsFilter(feature, { project, workflow, name, make: client }));
	const filterBy = (of: 'project' | 'workflow'): Filter => ({
		...{ label: say(of), value: params[of], choices: namesToChoose(features.map((feature) => feature[of])) },
		onChoose: (next) => void setParams({ [of]: next }),
	});
	return (
		<Page
			title={say('Features')}
			aside={
				<>
					<span className="max-md:ml-auto md:order-last">
						<NewFeatureButton projects={projects} onDone={reload} />
					</span>
					<span className="flex flex-wrap items-center gap-x-3 gap-y-1 max-md:basis-full md:ml-auto">
						<NameFilter />
						<FilterControl isAtEnd filters={[filterBy('project'), filterBy('workflow'), clientFilter]} />
					</span>
				</>
			}
			error={error}
			className="max-w-none"
		>
			<div className="flex flex-col gap-4 empty:hidden">
				{columns.map(({ state, title }) => {
					const group = shown.filter((feature) => feature.state === state);
					if (group.length === 0) return null;
					return (
						<Part key={state} isList title={say(title)} count={group.length}>
							{group.map((feature) => (
								<FeatureLine key={feature.id} feature={feature} onChange={reload} />
							))}
						</Part>
					);
				})}
			</div>
			<ArchiveTable features={shown.filter(({ state }) => state === 'archived')} />
		</Page>
	);
}

function EmptyFeatures({ projects, onDone }: { projects: readonly FeatureProject[]; onDone: () => void }) {
	const say = useSay();
	const program = useProgram();
	return (
		<PageMessage title={say('No features yet')}>
			<p className="text-muted">
				{say('A feature is a folder of documents and tasks that sessions work on. Make one:')}
			</p>
			<CommandBox>{`${program} feature new NAME`}</CommandBox>
			<p className="text-muted">
				{say('inside a project that an agent has worked in. Features of projects without a session are not found.')}
			</p>
			<NewFeatureButton projects={projects} onDone={onDone} />
		</PageMessage>
	);
}

const MAX_SESSIONS = 3;
const STEP_MS = 5000;

/** A feature as one line: how far it is, who works on it, what is stuck, what it cost. */
function FeatureLine({ feature, onChange }: { feature: FeatureRecord; onChange: () => void }) {
	const say = useSay();
	const { id, name, project, workflow, tasks, usage } = feature;
	const mayAct = useMayDecide();
	const sessions = useSummaries(feature.sessions).map(withoutPassed);
	const address = featureAddress(id);
	const lastFirst = sessions.toSorted((a, b) => ((a.lastAt ?? '') < (b.lastAt ?? '') ? 1 : -1));
	const judgements = judgementsOfAll(sessions.map((session) => session.judgements));
	const isRunning = sessions.some(({ stages }) => stages.some(({ state }) => state === 'active'));
	return (
		<li className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-4 border-line border-b py-2 md:grid-cols-[minmax(0,4fr)_8rem_minmax(0,17fr)_8rem_9rem]">
			<div className="flex min-w-0 flex-wrap items-baseline gap-x-3 md:block md:pt-0.5">
				<h3 className="font-semibold">
					<TextLink href={address} className="text-text">
						<AgentText className="[overflow-wrap:anywhere]">{name}</AgentText>
					</TextLink>
				</h3>
				<p className="flex flex-wrap gap-x-3 text-muted text-small">
					<AgentText>{[project, workflow].filter(Boolean).join(' · ')}</AgentText>
					{feature.makes.map((client) => (
						<ClientMark key={client} client={client} className="max-md:hidden" />
					))}
				</p>
			</div>
			<div className="min-w-0">
				<p className="tabular-nums md:leading-7">
					{tasks.total === 0 ? say('no tasks') : say('{done} of {total} tasks done', tasks)}
				</p>
				{!isRunning && tasks.next[0] !== undefined && (
					<p className="truncate text-muted text-small max-md:text-right">
						{say('next ')}
						<AgentText className="text-text">{tasks.next[0]}</AgentText>
					</p>
				)}
			</div>
			<div className="min-w-0 max-md:col-span-2">
				{lastFirst.length > 0 && (
					<ul aria-label={say('Sessions')} className="flex flex-col">
						{lastFirst.slice(0, MAX_SESSIONS).map((session) => (
							<FeatureSession key={session.sessionId} session={session} />
						))}
					</ul>
				)}
				{feature.sessions.length > MAX_SESSIONS && (
					<TextLink href={address} className="w-fit">
						{say('{count} more sessions', { count: feature.sessions.length - MAX_SESSIONS })}
					</TextLink>
				)}
				<div className="sm:pl-44">
					{judgements.length > 0 && <JudgementLine judgements={judgements} />}
					<SessionNotice state={feature.state} sessions={sessions} />
				</div>
			</div>
			<p className="whitespace-nowrap text-right leading-7 text-muted tabular-nums max-md:hidden">
				{usage && [usageTokens(usage, say), costOfAll(usage)].filter(Boolean).join(' · ')}
			</p>
			<div className="justify-self-end pt-0.5 max-md:hidden">
				{mayAct && <FeatureActions feature={feature} onDone={onChange} />}
			</div>
		</li>
	);
}

const running: Partial<Record<FeatureState, Plain>> = {
	paused: 'Paused, but a session still works on it',
	backlog: 'In the backlog, but a session already works on it',
};

/** What the sessions of a feature need; else, that they work although the feature is paused or not begun. */
function SessionNotice({ state, sessions }: { state: FeatureState; sessions: readonly SessionSummary[] }) {
	const say = useSay();
	const now = useClock((at) => Math.floor(at / STEP_MS) * STEP_MS);
	const asking = sessions.filter((session) => statusNow(session, now) === 'waiting');
	const waiting = [...new Set([...asking, ...stuckOf(sessions, now)])];
	const [first] = waiting;
	const words = running[state];
	if (!first) {
		const isRunning = sessions.some((session) => statusNow(session, now) === 'running');
		return words && isRunning && <Toned tone="warn">{say(words)}</Toned>;
	}
	return (
		<p>
			<TextLink href={asking.length > 0 ? '/approvals' : rowAddress(first.sessionId)} className="gap-1.5 text-wait">
				<span aria-hidden>{toneGlyph.wait}</span>
				{say('{count} {count:session waits|sessions wait} for you', { count: waiting.length })}
			</TextLink>
		</p>
	);
}

function FeatureSession({ session }: { session: SessionSummary }) {
	const status = useClock((now) => statusNow(session, now));
	const isQuiet = useClock((now) => isSilent(session, status, now));
	return (
		<li>
			<PageLink
				href={rowAddress(session.sessionId)}
				className="grid min-h-7 grid-cols-[0.75rem_minmax(0,7rem)_minmax(0,1fr)] items-center gap-x-2 hover:bg-hover sm:grid-cols-[0.75rem_9.25rem_minmax(0,1fr)]"
			>
				{isQuiet ? (
					<span className="text-center text-err">▲</span>
				) : (
					<StatusWord status={status} className="[&>:last-child]:sr-only" />
				)}
				<StageSegments stages={session.stages} isPaused={session.paused} />
				{isQuiet && session.lastAt ? (
					<span className="text-err">
						<Phrase of="silent {time}" with={{ time: <LiveDuration from={session.lastAt} /> }} />
					</span>
				) : session.doing ? (
					<DoingLine doing={session.doing} />
				) : (
					<AgentText className="truncate text-muted">{session.title ?? session.branch ?? session.sessionId}</AgentText>
				)}
			</PageLink>
		</li>
	);
}

const HubFeatures = dynamic(() => import('./hub-features.tsx').then((module) => module.HubFeatures));

/** On a machine its board; on a hub the archives of all machines. */
export function FeaturesHere() {
	return useHub() ? <HubFeatures /> : <FeaturesPage />;
}
