'use client';
import { useMemo } from 'react';
import type { FeatureDetail } from '#lib/contract/features.ts';
import type { Chapter } from '#lib/timeline/chapters.ts';
import { useSessionParams } from '../row/search-params.ts';
import { AgentText } from '../text/agent-text.tsx';
import { Select } from '../ui/select.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useNarrow } from '../ui/use-narrow.ts';
import { ChapterList } from './chapter-list.tsx';
import { RecordedReadings } from './recorded-readings.tsx';
import type { RecordedSession } from './recorded-session.ts';
import { ReplayAxis } from './replay-axis.tsx';
import { ReplayControls } from './replay-controls.tsx';
import { ReplayHeadline } from './replay-headline.tsx';
import { replayMoments } from './replay-moments.ts';
import { useReplayParams } from './replay-params.ts';
import { useRecordings } from './use-recordings.ts';

/** The kept sessions of a feature on one axis, and one of them as it stood at the slider's instant. */
export function ReplayPage({ detail }: { detail: FeatureDetail }) {
	const { feature, manifest } = detail;
	const ids = manifest?.sessions.map(({ sessionId }) => sessionId) ?? [];
	const { sessions, isWhole, error } = useRecordings(feature.id, ids);
	const all = useMemo(() => replayMoments(sessions), [sessions]);
	const [{ at, session }, setReplay] = useReplayParams();
	const [, setReading] = useSessionParams();
	const isNarrow = useNarrow();
	const { moments, chapters } = all;
	const end = moments.at(-1);
	if (ids.length === 0) return <p className="p-4 text-muted">No session was kept with this feature.</p>;
	if (end === undefined) {
		if (!isWhole && !error) return <Skeleton label="The recorded sessions are loading" />;
		return <p className="p-4 text-muted">{error ?? 'The kept sessions hold no events.'}</p>;
	}
	const isAll = at === null;
	const instant = Math.min(Math.max(at ?? end, (moments[0] ?? 0) - 1), end);
	const recording = sessions.find(({ sessionId }) => sessionId === session) ?? lastBegun(sessions, isAll ? 0 : instant);

	const moveTo = (to: number) => void setReplay({ at: Math.round(Math.min(to, end)) });
	async function open(chapter: Chapter) {
		await Promise.all([
			setReplay({ at: chapter.at, session: chapter.sessionId }),
			setReading({ row: chapter.row, tab: 'story' }),
		]);
	}
	/** A step shows the moment; where the detail is a sheet over the controls, it stays closed. */
	async function step(chapter: Chapter) {
		if (!isNarrow) return open(chapter);
		await Promise.all([
			setReplay({ at: chapter.at, session: chapter.sessionId }),
			setReading({ row: null, tab: 'story' }),
		]);
	}
	async function choose(next: string) {
		await Promise.all([setReplay({ session: next }), setReading({ row: null, agent: null })]);
	}
	return (
		<div className="flex min-w-0 flex-1 flex-col xl:min-h-0">
			<div className="flex shrink-0 flex-col border-line border-b md:flex-row">
				<div className="flex min-w-0 flex-1 flex-col gap-2 p-3">
					<ReplayHeadline
						moments={moments}
						instant={isAll ? null : instant}
						onShowAll={() => void setReplay({ at: null })}
					/>
					<ReplayAxis
						all={all}
						instant={instant}
						isAll={isAll}
						shown={recording?.sessionId}
						onMove={moveTo}
						onChoose={(next) => void choose(next)}
					/>
					<ReplayControls
						all={all}
						instant={instant}
						isAll={isAll}
						onMove={moveTo}
						onOpen={(chapter) => void step(chapter)}
					/>
				</div>
				<ChapterList chapters={chapters} instant={isAll ? null : instant} onOpen={(chapter) => void open(chapter)} />
			</div>
			{error && (
				<p role="alert" className="border-line border-b px-4 py-1 text-warn">
					{error} What was read until then is shown.
				</p>
			)}
			{!isWhole && !error && (
				<p role="status" className="border-line border-b px-4 py-1 text-muted">
					Reading: {moments.length.toLocaleString('en')} moments so far
				</p>
			)}
			<div className="flex shrink-0 flex-wrap items-center gap-x-3 border-line border-b px-4 py-1">
				<span className="text-muted">Session</span>
				{sessions.length > 1 ? (
					<Select
						label="Session shown below"
						value={recording?.sessionId ?? ''}
						onChoose={(next) => void choose(next)}
						choices={sessions.map(({ sessionId }) => ({ value: sessionId, label: sessionId }))}
					/>
				) : (
					<AgentText className="min-w-0 font-mono text-mono [overflow-wrap:anywhere]">{recording?.sessionId}</AgentText>
				)}
				<span className="text-muted">recorded; read only</span>
			</div>
			{recording && (
				<RecordedReadings
					key={`${recording.sessionId} ${isAll}`}
					featureId={feature.id}
					recording={recording}
					instant={instant}
					readsFrom={isAll ? 'start' : 'end'}
				/>
			)}
		</div>
	);
}

/** The session that was begun last by an instant (ms); before the first one, that one. */
function lastBegun(sessions: readonly RecordedSession[], instant: number): RecordedSession | undefined {
	const begun = sessions.toSorted((a, b) => (a.times[0] ?? 0) - (b.times[0] ?? 0));
	return begun.findLast(({ times }) => (times[0] ?? 0) <= instant) ?? begun[0];
}
