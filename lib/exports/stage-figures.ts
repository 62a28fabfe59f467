import type { StageRun } from '../contract/sessions/read-model/session-view.ts';
import { spanDuration } from '../time/duration.ts';
import type { SessionStory } from './archive-story.ts';

/** A stage of an archive: how often it ran, how its runs ended, and how long they took together. */
export interface StageFigure {
	stage: string;
	/** The results of its runs in their order, agent text; `–` for one that did not end. */
	results: string;
	time: string;
}

/** The stages of all sessions in the order in which they were first begun. */
export function stageFigures(sessions: readonly SessionStory[]): StageFigure[] {
	const runs = sessions.flatMap(({ view }) => view.stageRuns ?? []).sort((one, other) => one.from - other.from);
	const byStage = new Map<string, StageRun[]>();
	for (const run of runs) byStage.set(run.stage, [...(byStage.get(run.stage) ?? []), run]);
	return [...byStage].map(([stage, own]) => ({
		stage,
		results: own.map(({ result }) => result ?? '–').join(', '),
		time: spanDuration(own.reduce((sum, { from, to }) => sum + Math.max(0, (to ?? from) - from), 0)),
	}));
}
