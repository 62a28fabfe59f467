'use client';
import dynamic from 'next/dynamic';
import { useEffect, useMemo, useState } from 'react';
import type { RequestOf } from '#lib/contract/routes/route-table.ts';
import type { ListGroup, SessionCounts, SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import type { AlarmView } from '#lib/contract/sessions/read-model/session-view.ts';
import { mayAnywhere } from '#lib/hub/may.ts';
import { alarmWords } from '#lib/session/judgement.ts';
import { alarmedOf, findSessions, groupSessions, isFromSource, isMarked, stuckOf } from '#lib/session/session-list.ts';
import { useQuestions } from '../../approvals/waiting.ts';
import { Phrase } from '../../language/phrase.tsx';
import { useSay } from '../../language/use-say.ts';
import { callRoute } from '../../live/call-route.ts';
import { useCan, useHub, useMayAct } from '../../live/hub.tsx';
import { LiveDuration } from '../../live/live-duration.tsx';
import { useClock } from '../../live/now.ts';
import { fetchAlarmed, fetchFound, fetchNextPage, type ListRequest, queryOf } from '../../live/session-pages.ts';
import { useLive } from '../../live/store.ts';
import { useAction } from '../../live/use-action.ts';
import { rowAddress } from '../../row/addresses.ts';
import { useClientFilter } from '../../row/client.tsx';
import { Alert, Skeleton } from '../../ui/answer-state.tsx';
import { Button } from '../../ui/button.tsx';
import { cn } from '../../ui/cn.ts';
import { FilterControl } from '../../ui/filter-control.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { Toned, toneText } from '../../ui/tone.tsx';
import { useRoving } from '../../ui/use-roving.ts';
import { useNarrow } from '../../ui/use-size.ts';
import { FleetStrip } from '../fleet/fleet-strip.tsx';
import { NeedsYou, needsYouKeys, needySessions } from './needs-you.tsx';
import { MORE_ROWS, ROWS_AT_FIRST, usePlaces, useSessionListParams } from './place-filter.tsx';
import { DO_CELL, NEED_GRID, NeedLine, SessionRow, SessionSection, WHY_CELL } from './session-row.tsx';

const FEW = 20;
/** Update interval (ms) for days and silence. Deadlines and durations tick in their rows. */
const STEP_MS = 5000;

export function SessionsPage() {
	const say = useSay();
	const now = useClock((at) => Math.floor(at / STEP_MS) * STEP_MS);
	const isHub = useHub();
	const canSeeFleet = useCan('fleet');
	const questions = useQuestions();
	const [{ q, rows: requestedRows, ...source }, setParams] = useSessionListParams();
	const clientFilter = useClientFilter();
	const places = usePlaces(isHub);
	const client = clientFilter.value;
	const request = { q: q.trim(), make: client, ...source };
	const rows = Math.max(ROWS_AT_FIRST, requestedRows);
	const { listRef, active } = useRoving();
	const isNarrow = useNarrow();
	const { isLoaded, isLooking, count, groups, alarmed, stuck, alarms, next, loadMore } = useList(request, now);
	const isShort = rows > ROWS_AT_FIRST && groups.some((group) => group.known.length < Math.min(rows, group.count));
	// biome-ignore lint/correctness/useExhaustiveDependencies: load again while the loaded pages have too few rows.
	useEffect(() => {
		if (isShort && next !== null) loadMore();
	}, [isShort, next]);
	if (!isLoaded)
		return (
			<>
				<h1 className="sr-only">{say('Sessions')}</h1>
				<Skeleton label={say('Sessions are loading')} />
			</>
		);
	if (count === 0) return <EmptySessions />;
	// Sessions that need a person are shown above, so omit them here.
	const needy = needySessions({ questions, stuck });
	const alarmLines = alarmed.flatMap(({ session, alarms: each }) => each.map((alarm) => ({ session, alarm })));
	const raised = new Set(alarmLines.slice(0, AT_FIRST).map(({ session }) => session.sessionId));
	const listed = groups.flatMap(({ known, count: inGroup, ...group }) => {
		const others = known.filter(({ sessionId }) => !needy.has(sessionId) && !raised.has(sessionId));
		const left = inGroup - known.length + others.length;
		return left > 0 ? [{ ...group, known: others, count: left }] : [];
	});
	const drawn = listed.flatMap(({ known }) => known.slice(0, rows));
	const rowIds = [...needsYouKeys({ questions, stuck }), ...drawn.map(({ sessionId }) => sessionId)];
	const tabStop = rowIds.find((id) => id === active) ?? rowIds[0];
	const connected = places.machines.filter((machine) => machine.connected).length;
	const isAway = ({ machine: at }: SessionSummary) =>
		places.machines.some(({ name, team, connected }) => !connected && name === at?.name && team === at.team);
	const hasSearch = count > FEW || q !== '';
	const isInHead = !isNarrow || (isHub && !hasSearch);
	const tools = (
		<div className="ml-auto flex items-center gap-2 empty:hidden max-md:flex-row-reverse max-md:px-4 max-md:pt-4">
			{hasSearch && (
				<TextField
					isBare
					type="search"
					label={say('Find sessions')}
					placeholder={say('project, branch, prompt, status…')}
					value={q}
					maxLength={200}
					onWrite={(words) => void setParams({ q: words || null, rows: null })}
					className="h-7 w-72 max-md:w-auto max-md:min-w-0 max-md:flex-1"
				/>
			)}
			<FilterControl isAtEnd filters={[clientFilter, ...places.filters]} />
		</div>
	);
	const sectionOf = ({ name, known, count: inGroup }: ListedGroup) => (
		<SessionSection
			key={name}
			title={isRunning({ name }) && known.every(isAway) ? say('Running when last heard') : say(name)}
			count={inGroup}
		>
			{known.slice(0, rows).map((session) => (
				<SessionRow
					key={session.sessionId}
					session={session}
					isTabStop={session.sessionId === tabStop}
					isAway={isAway(session)}
				/>
			))}
			{inGroup > Math.min(rows, known.length) && (
				<li className="flex flex-wrap items-center gap-x-2 px-4 py-1 text-muted">
					{say('The newest {shown} of {all} are shown.', { shown: Math.min(rows, known.length), all: inGroup })}
					<Button kind="quiet" size="small" onClick={() => void setParams({ rows: rows + MORE_ROWS })}>
						{say('Show {count} more', { count: Math.min(MORE_ROWS, inGroup - Math.min(rows, known.length)) })}
					</Button>
				</li>
			)}
		</SessionSection>
	);
	return (
		<div ref={listRef} className="pb-8">
			<div className="flex flex-wrap items-center gap-x-3 gap-y-1 md:px-4 md:pt-3">
				<h1 className="font-semibold text-page max-md:p-4 max-md:pb-0 max-md:only:sr-only">{say('Sessions')}</h1>
				{places.machines.length > 0 && (
					<Toned as="p" tone={connected === 0 ? 'warn' : 'plain'} className="max-md:px-4 max-md:pt-4">
						{say('{count} of {all} {all:machine is|machines are} connected', {
							count: connected,
							all: places.machines.length,
						})}
					</Toned>
				)}
				{isInHead && tools}
			</div>
			<NeedsYou questions={questions} stuck={stuck} tabStop={tabStop} />
			<AlarmList
				lines={alarmLines}
				unknown={Math.max(0, alarms - alarmed.length)}
				onAll={() => void fetchAlarmed(request)}
			/>
			{!isInHead && tools}
			{groups.length === 0 && (
				<p role="status" className="px-4 pt-4 text-muted">
					{isLooking ? (
						say('Looking through all sessions…')
					) : q === '' ? (
						say(isHub ? 'No session is of this kind.' : 'No session is of this client.')
					) : (
						<Phrase
							of="No session has {words} in its project, branch, prompt, workflow, status or id."
							with={{ words: <AgentText>{`“${q}”`}</AgentText> }}
						/>
					)}
				</p>
			)}
			{listed.filter(isRunning).map(sectionOf)}
			{canSeeFleet && <FleetStrip />}
			{listed.filter((group) => !isRunning(group)).map(sectionOf)}
		</div>
	);
}

/** Limits the alarms, so that running sessions stay in view below. */
const AT_FIRST = 8;
const SNOOZE_MINUTES = 60;
const ROUTE = 'POST /api/sessions/:id/alarms';

interface AlarmListProps {
	lines: readonly { session: SessionSummary; alarm: AlarmView }[];
	/** Number of alarmed sessions that are not loaded. */
	unknown: number;
	onAll: () => void;
}

function AlarmList({ lines, unknown, onAll }: AlarmListProps) {
	const say = useSay();
	const [isOpen, setOpen] = useState(false);
	const all = lines.length + unknown;
	if (all === 0) return null;
	return (
		<SessionSection title={say('Alarms')} {...(all > AT_FIRST && { count: all })}>
			{(isOpen ? lines : lines.slice(0, AT_FIRST)).map(({ session, alarm }) => (
				<AlarmLine key={`${session.sessionId} ${alarm.key}`} session={session} alarm={alarm} />
			))}
			{!isOpen && all > AT_FIRST && (
				<li className="px-4 py-1">
					<Button
						kind="quiet"
						size="small"
						onClick={() => {
							setOpen(true);
							if (unknown > 0) onAll();
						}}
					>
						{say('Show all {all} alarms', { all })}
					</Button>
				</li>
			)}
		</SessionSection>
	);
}

function AlarmLine({ session, alarm }: { session: SessionSummary; alarm: AlarmView }) {
	const say = useSay();
	const { sessionId } = session;
	const { isBusy, refusal, run } = useAction();
	const act = (request: Omit<RequestOf<typeof ROUTE>['body'], 'alarm'>) =>
		run(callRoute(ROUTE, { params: { id: sessionId }, body: { alarm: alarm.key, ...request } }));
	const mayDecide = useMayAct('alarms');
	const other = session.judgements.find(({ by }) => by !== 'alarm');
	return (
		<li className={NEED_GRID}>
			<NeedLine
				glyph="▲"
				tone="text-err"
				time={
					<Phrase
						of={alarm.kind === 'silent' ? 'silent {time}' : '{time} ago'}
						with={{ time: <LiveDuration from={alarm.at} /> }}
					/>
				}
				session={session}
				href={rowAddress(sessionId, alarm.kind === 'silent' ? undefined : alarm.key)}
				isShort
			/>
			<span className={cn(WHY_CELL, 'row-start-2 truncate')}>
				{alarm.kind !== 'silent' && <span className="text-err">{say(alarmWords[alarm.kind])} </span>}
				<AgentText className="text-muted">{say.field(alarm, 'cause')}</AgentText>
				{other && <AgentText className={cn('ml-3', toneText[other.tone])}>{say.field(other, 'text')}</AgentText>}
			</span>
			{mayDecide && (
				<span className={cn(DO_CELL, 'flex gap-2')}>
					<Button size="small" disabled={isBusy} onClick={() => void act({ action: 'acknowledge' })}>
						{say('Acknowledge')}
					</Button>
					<Button
						size="small"
						disabled={isBusy}
						onClick={() => void act({ action: 'snooze', minutes: SNOOZE_MINUTES })}
					>
						<Phrase
							of="Later{more}"
							with={{ more: <span className="sr-only">{say(': tell me again in an hour')}</span> }}
						/>
					</Button>
				</span>
			)}
			<Alert className="col-span-full">{refusal}</Alert>
		</li>
	);
}

const FirstSteps = dynamic(() => import('./first-steps.tsx').then((module) => module.FirstSteps));

function EmptySessions() {
	const say = useSay();
	const isHub = useHub();
	return (
		<div className="mx-auto max-w-3xl p-8 max-md:p-4">
			<h1 className="font-semibold text-page">{say('No sessions yet')}</h1>
			<p className="text-muted">
				{say('Signalbox shows what your coding agents do, stops what your rules forbid, and asks you.')}
			</p>
			{isHub ? <NoMachines /> : <FirstSteps />}
		</div>
	);
}

function NoMachines() {
	const say = useSay();
	const mayAdd = useLive(({ me }) => mayAnywhere(me?.hub?.roles ?? [], 'edges'));
	return (
		<p className="mt-2 text-muted">
			{say('Sessions of the machines that have joined appear here, and those that they had before.')}{' '}
			{mayAdd ? (
				<TextLink href="/machines">{say('Add a machine')}</TextLink>
			) : (
				say('An admin of a team adds its machines.')
			)}
		</p>
	);
}

/** Delay (ms) after the last key before a search is sent. */
const PAUSE_MS = 150;

const isRunning = ({ name }: Pick<ListedGroup, 'name'>) => name === 'Running';

interface ListedGroup {
	name: ListGroup;
	known: readonly SessionSummary[];
	count: number;
}

interface Found {
	request: ListRequest;
	reloads: number;
	counts: SessionCounts;
	next: string | null;
}

/** The loaded sessions that match the filter at `now` (ms), with the counts of all that match. */
function useList(filter: ListRequest, now: number) {
	const text = JSON.stringify(filter);
	const request = useMemo(() => JSON.parse(text) as ListRequest, [text]);
	const sessions = useLive((state) => state.sessions);
	const list = useLive((state) => state.list);
	const [found, setFound] = useFound(request);
	const isNarrowed = isFiltered(request);
	const all = useMemo(() => Object.values(sessions ?? {}).filter(({ reviewer }) => !reviewer), [sessions]);
	// The counts of a search are unknown until it is answered.
	const { counts, next } = (!isNarrowed || list?.next === null ? list : found) ?? { counts: null, next: null };
	const known = useMemo(() => {
		const { q, make: client } = request;
		const source = queryOf(request);
		const fromSource = all.filter(
			(session) => (client === null || session.agent === client) && isFromSource(session, source),
		);
		const fitting = findSessions(fromSource, q);
		const marked = fitting.filter((session) => isMarked(session, now));
		return { groups: groupSessions(fitting, now), alarmed: alarmedOf(fitting, now), stuck: stuckOf(all, now), marked };
	}, [all, request, now]);

	const groups = [...known.groups].map(([name, group]): ListedGroup => {
		// If everything is loaded, count here: days and deadlines also pass between updates.
		const count = next === null ? group.length : Math.max(group.length, counts?.groups[name] ?? 0);
		return { name, known: group, count };
	});
	const unknownAlarms = next === null ? 0 : Math.max(0, (counts?.alarmed ?? 0) - known.marked.length);
	return {
		isLooking: isNarrowed && list?.next !== null && !found,
		isLoaded: sessions !== null && list !== null,
		count: list?.counts.all ?? 0,
		groups: groups.filter(({ count }) => count > 0),
		alarmed: known.alarmed,
		stuck: known.stuck,
		alarms: known.alarmed.length + unknownAlarms,
		/** Cursor of the next page; null if all is loaded. */
		next,
		loadMore() {
			if (!isNarrowed || list?.next === null) return void fetchNextPage();
			if (!found?.next) return;
			void fetchFound(request, found.next).then((page) => page && setFound({ ...found, next: page.next }));
		},
	};
}

const isFiltered = ({ q, ...chosen }: ListRequest) => q !== '' || Object.values(chosen).some((one) => one !== null);

/** The server's answer to the current search; null until it arrives. */
function useFound(request: ListRequest): [Found | null, (found: Found) => void] {
	const [found, setFound] = useState<Found | null>(null);
	const reloads = useLive(({ list }) => list?.reloads ?? 0);
	const isNarrowed = isFiltered(request);
	const isWhole = useLive(({ list }) => list?.next === null);
	useEffect(() => {
		if (!isNarrowed || isWhole || reloads === 0) return;
		let current = true;
		const timer = setTimeout(() => {
			void fetchFound(request).then((page) => {
				if (current && page) setFound({ request, reloads, counts: page.counts, next: page.next });
			});
		}, PAUSE_MS);
		return () => {
			current = false;
			clearTimeout(timer);
		};
	}, [request, isNarrowed, isWhole, reloads]);
	return [found?.request === request && found.reloads === reloads ? found : null, setFound];
}
