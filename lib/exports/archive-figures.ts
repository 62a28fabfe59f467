import { spanDuration } from '../time/duration.ts';
import { tokensOf } from '../usage/usage-totals.ts';
import { costOfAll, tokenNumber } from '../usage/usage-words.ts';
import type { ArchiveStory } from './archive-story.ts';

/** What became of an archived feature, as names with values for a person. */
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
