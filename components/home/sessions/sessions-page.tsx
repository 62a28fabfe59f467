'use client';
import dynamic from 'next/dynamic';
import { useEffect } from 'react';
import { useQuestions } from '../../approvals/use-questions.ts';
import { Phrase } from '../../language/phrase.tsx';
import { useSay } from '../../language/use-say.ts';
import { useCan, useHub } from '../../live/hub.tsx';
import { useClock } from '../../live/now.ts';
import { takeAlarmed } from '../../live/session-pages.ts';
import { MakeFilter } from '../../row/agent/make-filter.tsx';
import { useMakeParam } from '../../row/agent/use-makes.ts';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { useRoving } from '../../ui/use-roving.ts';
import { FleetStrip } from '../fleet/fleet-strip.tsx';
import { AlarmList } from './alarm-list.tsx';
import { EmptySessions } from './empty-sessions.tsx';
import { NeedsYou, needsYouKeys, needySessions } from './needs-you.tsx';
import { MORE_ROWS, ROWS_AT_FIRST, useSessionListParams } from './session-list-params.ts';
import { SessionRow } from './session-row.tsx';
import { SessionSection } from './session-section.tsx';
import { sparkScale } from './sparkline.tsx';
import { UnaskedLine } from './unasked-line.tsx';
import { useList } from './use-list.ts';

const PlaceFilter = dynamic(() => import('./place-filter.tsx').then((module) => module.PlaceFilter));

/** With so few sessions nobody has to look for one. */
const FEW = 20;
/** Days and silence change that seldom; deadlines and durations tick in their rows. */
const STEP_MS = 5000;

/** The list of sessions: who needs a person first, then who runs. */
export function SessionsPage() {
	const say = useSay();
	const now = useClock((at) => Math.floor(at / STEP_MS) * STEP_MS);
	const isHub = useHub();
	const canSeeFleet = useCan('GET /api/fleet');
	const questions = useQuestions();
	const [{ q, rows: wanted, ...place }, setParams] = useSessionListParams();
	const [make] = useMakeParam();
	const wish = { q, make, ...place };
	const rows = Math.max(ROWS_AT_FIRST, wanted);
	const { listRef, active } = useRoving();
	const { isLoaded, isLooking, count, groups, alarmed, stuck, alarms, next, takeMore } = useList(wish, now);
	const isShort = rows > ROWS_AT_FIRST && groups.some((group) => group.known.length < Math.min(rows, group.count));
	// biome-ignore lint/correctness/useExhaustiveDependencies: each page that has come may have been too few.
	useEffect(() => {
		if (isShort && next !== null) takeMore();
	}, [isShort, next]);
	if (!isLoaded)
		return (
			<>
				<h1 className="sr-only">{say('Sessions')}</h1>
				<Skeleton label={say('Sessions are loading')} />
			</>
		);
	if (count === 0) return <EmptySessions />;
	// A session that needs somebody stands above, and so not here.
	const needy = needySessions({ questions, stuck });
	const listed = groups.flatMap(({ known, count: inGroup, ...group }) => {
		const others = known.filter(({ sessionId }) => !needy.has(sessionId));
		const left = inGroup - known.length + others.length;
		return left > 0 ? [{ ...group, known: others, count: left }] : [];
	});
	const drawn = listed.flatMap(({ known }) => known.slice(0, rows));
	const rowIds = [...needsYouKeys({ questions, stuck }), ...drawn.map(({ sessionId }) => sessionId)];
	const scale = sparkScale(
		drawn.map(({ spark }) => spark),
		now,
	);
	const tabStop = rowIds.find((id) => id === active) ?? rowIds[0];
	return (
		<div ref={listRef} className="pb-8">
			<h1 className="sr-only">{say('Sessions')}</h1>
			{canSeeFleet && <FleetStrip />}
			<NeedsYou questions={questions} stuck={stuck} tabStop={tabStop} />
			<UnaskedLine />
			{/* Beside the heading that follows, whichever that is. */}
			<div className="relative">
				<div className="flex flex-wrap items-center gap-2 px-4 pt-3 empty:hidden md:absolute md:right-0 md:z-10 md:justify-end md:pt-2">
					{(count > FEW || q !== '') && (
						<input
							type="search"
							aria-label={say('Find sessions')}
							placeholder={say('project, branch, prompt, status…')}
							value={q}
							maxLength={200}
							onChange={(event) => void setParams({ q: event.target.value || null, rows: null })}
							className="h-7 w-72 max-w-full rounded border border-edge bg-surface px-2 placeholder:text-muted pointer-coarse:h-10"
						/>
					)}
					<MakeFilter />
					{isHub && <PlaceFilter />}
				</div>
			</div>
			<AlarmList alarmed={alarmed} count={alarms} onAll={() => void takeAlarmed(wish)} />
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
			{listed.map(({ name, known, count: inGroup }) => (
				<SessionSection key={name} title={say(name)} count={inGroup}>
					{known.slice(0, rows).map((session) => (
						<SessionRow
							key={session.sessionId}
							session={session}
							isTabStop={session.sessionId === tabStop}
							scale={scale}
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
			))}
		</div>
	);
}
