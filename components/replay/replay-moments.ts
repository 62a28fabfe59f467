import { runsAt, type StageRun, stageRuns } from '#lib/session/stage-runs.ts';
import type { Chapter } from '#lib/timeline/chapters.ts';
import { busySpans, type Span } from '#lib/timeline/time-scale.ts';
import type { RecordedSession } from './recorded-session.ts';

/** All sessions of a feature on one axis. Times are ms since the epoch. */
export interface ReplayMoments {
	/** When something happened, ascending, each once. */
	moments: readonly number[];
	busy: readonly Span[];
	/** Ascending. */
	chapters: readonly Chapter[];
	/** From its first to its last event each, the first begun first. */
	sessions: readonly (Span & { sessionId: string })[];
	/** The runs of each stage in all sessions, in the order in which stages were first begun. */
	rows: readonly { stage: string; bars: readonly StageRun[] }[];
}

/** Puts recordings on one axis. */
export function replayMoments(recordings: readonly RecordedSession[]): ReplayMoments {
	const moments = [...new Set(recordings.flatMap(({ times }) => times))].filter(Number.isFinite).sort((a, b) => a - b);
	const bars = recordings.flatMap(({ events }) => stageRuns(events)).sort((a, b) => a.from - b.from);
	const byStage = new Map<string, StageRun[]>();
	for (const bar of bars) byStage.set(bar.stage, [...(byStage.get(bar.stage) ?? []), bar]);
	return {
		moments,
		busy: busySpans(moments.map((at) => ({ from: at, to: at }))),
		chapters: recordings.flatMap(({ chapters }) => chapters).sort((a, b) => a.at - b.at),
		sessions: recordings
			.map(({ sessionId, times }) => ({ sessionId, from: times[0] ?? 0, to: times.at(-1) ?? 0 }))
			.sort((a, b) => a.from - b.from),
		rows: [...byStage].map(([stage, own]) => ({ stage, bars: own })),
	};
}

/** The stages' rows as they stood at an instant. */
export function rowsAt(rows: ReplayMoments['rows'], instant: number): ReplayMoments['rows'] {
	return rows.map((row) => ({ ...row, bars: runsAt(row.bars, instant) }));
}
