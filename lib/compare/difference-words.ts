import type { ComparedRun, Difference, DifferenceGroup, StagePass } from '../contract/archives/compare.ts';
import type { Language } from '../messages/language.ts';
import type { Plain, Say } from '../messages/say.ts';
import { spanDuration } from '../time/duration.ts';
import { costNumber, tokenNumber } from '../usage/usage-totals.ts';

export const groupWords: Record<DifferenceGroup, Plain> = {
	run: 'In all',
	stages: 'Time by stage',
	agents: 'Agents started',
	tools: 'Calls by tool',
	rules: 'Denials by rule',
	models: 'Cost by model',
	files: 'Lines by file',
};

const totalWords = new Map<string, Plain>([
	['work', 'Time of work'],
	['idle', 'Idle in between'],
	['held', 'Waited for people'],
	['sessions', 'Sessions'],
	['stages', 'Runs of stages'],
	['repeats', 'Repeated runs'],
	['retries', 'Retries'],
	['passAt1', 'Passed first time'],
	['passed', 'Stages passed'],
	['failed', 'Stages failed'],
	['rejected', 'Stages rejected'],
	['issues', 'Stages with issues'],
	['unclear', 'Stages without a verdict'],
	['agents', 'Agents started'],
	['calls', 'Calls'],
	['errors', 'Calls that failed'],
	['denials', 'Denials'],
	['stops', 'Refused stops'],
	['overrides', 'Overrides'],
	['mismatches', 'Not as planned'],
	['prompts', 'Prompts'],
	['tokens', 'Tokens#model'],
	['inputTokens', 'Input tokens'],
	['outputTokens', 'Output tokens'],
	['cacheReadTokens', 'Cache read tokens'],
	['cacheWriteTokens', 'Cache write tokens'],
	['cost', 'Cost'],
	['files', 'Files touched'],
	['added', 'Lines added'],
	['removed', 'Lines removed'],
]);

/** The name of a row: our own words for a total, else agent text. */
export function differenceName({ group, name }: Pick<Difference, 'group' | 'name'>, say: Say): string {
	const own = group === 'run' ? totalWords.get(name) : undefined;
	return own === undefined ? name : say(own);
}

type Unit = Difference['unit'];

/** A value in few characters; a dash if a run does not record it. */
export function valueWords(value: number | null, unit: Unit, language: Language = 'en'): string {
	if (value === null) return '–';
	switch (unit) {
		case 'ms':
			return spanDuration(value, language);
		case 'tokens':
			return tokenNumber(value);
		case 'usd':
			return costNumber(value);
		case 'share':
			return `${Math.round(value * 100)} %`;
		default:
			return value.toLocaleString(language);
	}
}

/** By how much the second is more or less than the first: `+4:34`, `−2`, `=`; a dash if one of them is unknown. */
export function deltaWords({ a, b, unit }: Pick<Difference, 'a' | 'b' | 'unit'>, language: Language = 'en'): string {
	if (a === b) return '=';
	if (a === null || b === null) return '–';
	return `${b > a ? '+' : '−'}${valueWords(Math.abs(b - a), unit, language)}`;
}

const resultWord = new Map<string, Plain>([
	['pass', 'passed'],
	['fail', 'failed'],
	['reject', 'rejected'],
	['issues', 'issues'],
	['unclear', 'no verdict'],
]);

/** How a run of a stage ended, in a word; an unknown one is agent text. */
export function resultWords({ result, isOpen }: Pick<StagePass, 'result' | 'isOpen'>, say: Say): string {
	if (isOpen) return say('not ended');
	const known = resultWord.get(result ?? '');
	return known === undefined ? (result ?? say('ended')) : say(known);
}

/** Whether a run continues, or how its workflow ended. */
export function endWords({ isOpen, ended }: Pick<ComparedRun, 'isOpen' | 'ended'>, say: Say): string {
	if (isOpen) return say('goes on');
	return say(({ complete: 'completed', abort: 'aborted', open: 'ended' } as const)[ended]);
}
