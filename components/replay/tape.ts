import type { ChapterKind, Recording, SessionOutline } from '#lib/contract/archives/replay.ts';
import type { StageRun } from '#lib/contract/sessions/read-model/session-view.ts';
import { busySpans, type Span } from '#lib/timeline/time-scale.ts';

/** All recorded sessions of a feature on one axis. Times are ms since the epoch. */
export interface Tape extends Span {
	events: number;
	busy: readonly Span[];
	/** The first begun first. */
	sessions: readonly SessionOutline[];
	/** The runs of each stage in all sessions, in the order in which stages were first begun. */
	stages: readonly { stage: string; runs: readonly StageRun[] }[];
	chapters: Readonly<Partial<Record<ChapterKind, number>>>;
	marks: SessionOutline['marks'];
}

/** Puts what is known of recorded sessions on one axis; null where none of them has an event. */
export function tapeSpans({ sessions }: Recording): Tape | null {
	if (sessions.length === 0) return null;
	const byStage = new Map<string, StageRun[]>();
	const runs = sessions.flatMap((session) => session.runs).sort((a, b) => a.from - b.from);
	for (const run of runs) byStage.set(run.stage, [...(byStage.get(run.stage) ?? []), run]);
	const chapters: Partial<Record<ChapterKind, number>> = {};
	for (const session of sessions) {
		for (const [kind, count] of Object.entries(session.chapters) as [ChapterKind, number][]) {
			chapters[kind] = (chapters[kind] ?? 0) + count;
		}
	}
	return {
		from: Math.min(...sessions.map(({ from }) => from)),
		to: Math.max(...sessions.map(({ to }) => to)),
		events: sessions.reduce((sum, { events }) => sum + events, 0),
		busy: busySpans(sessions.flatMap(({ busy }) => busy)),
		sessions: sessions.toSorted((a, b) => a.from - b.from),
		stages: [...byStage].map(([stage, own]) => ({ stage, runs: own })),
		chapters,
		marks: sessions.flatMap(({ marks }) => marks),
	};
}

/** The session that was begun last by an instant (ms); before the first one, that one. */
export function lastBegun({ sessions }: Tape, instant: number): SessionOutline | undefined {
	return sessions.findLast(({ from }) => from <= instant) ?? sessions[0];
}
