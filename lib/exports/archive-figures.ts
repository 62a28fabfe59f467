import type { StageRun } from '../contract/sessions/read-model/session-view.ts';
import type { Note } from '../contract/sessions/session-actions.ts';
import { spanDuration } from '../time/duration.ts';
import { noteLine } from '../timeline/note-marks.ts';
import { costOfAll, tokenNumber, tokensOf } from '../usage/usage-totals.ts';
import { type ArchiveStory, rowName, type SessionStory } from './archive-story.ts';

/** The figures of an archived feature, as names with values for a person. */
export function archiveFigures({ manifest, outcome }: Pick<ArchiveStory, 'manifest' | 'outcome'>): [string, string][] {
	const figures: [string, string][] = [
		['Archived', manifest.archivedAt],
		['Workflow', manifest.workflow ?? '–'],
		['Sessions', String(manifest.sessions.length)],
	];
	if (!outcome) return figures;
	const { durationMs, retries, passAt1, unclear = 0, denials, overrides, usage } = outcome;
	figures.push(['Duration', spanDuration(durationMs)], ['Retries', String(retries)]);
	figures.push(['pass@1', passAt1 === null ? '–' : `${Math.round(passAt1 * 100)} %`]);
	if (unclear > 0) figures.push(['No verdict', String(unclear)]);
	figures.push(['Denials', String(denials)], ['Overrides', String(overrides)]);
	if (usage) figures.push(['Tokens', tokenNumber(tokensOf(usage))], ['Cost', costOfAll(usage) ?? '–']);
	return figures;
}

/** Reviewers' notes in an export: time, author, subject and text. */
export function noteFigures(
	sessions: readonly SessionStory[],
): [at: string, by: string, about: string, words: string][] {
	return sessions.flatMap((session) =>
		session.notes.map((note): [string, string, string, string] => {
			const { at, by } = note;
			return [at.slice(0, 19).replace('T', ' '), by.name ?? by.via, aboutOf(note, session), noteLine(note)];
		}),
	);
}

function aboutOf({ row, stage, from = '', to = '' }: Note, { rows }: SessionStory): string {
	if (stage !== undefined) return `stage ${stage}`;
	if (row === undefined) return `${from.slice(11, 19)} to ${to.slice(11, 19)}`;
	const found = rows.find(({ key }) => key === row);
	return found ? `${found.at.slice(11, 19)} ${rowName(found)} ${found.title}` : row;
}

/** A stage of an archive: how often it ran, how its runs ended, and how long they took together. */
interface StageFigure {
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
