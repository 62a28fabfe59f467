import type { Tone } from '../contract/events/event-labels.ts';
import type { Judgement } from '../contract/sessions/read-model/session-summary.ts';
import type {
	AlarmView,
	HandledAlarm,
	MismatchView,
	SessionView,
	SupervisorView,
} from '../contract/sessions/read-model/session-view.ts';
import type { Plain } from '../messages/say.ts';
import { inWords, listed, type Sentence, sentence, wordsOf } from '../messages/sentence.ts';
import { oneLine } from '../text/printable.ts';
import { find } from './call.ts';
import {
	isWorkflowLeft,
	type StageView,
	stageProgress,
	stagesOf,
	stuckStage,
	workflowProgress,
} from './workflow-progress.ts';

type Judged = Omit<SessionView, 'seq' | 'lastAt' | 'activity' | 'calls' | 'lastMessage' | 'rules' | 'moments'> & {
	lastAt?: string;
};

const MAX_CHARS = 160;
const clip = (text: string) => oneLine(text, MAX_CHARS);

/** The judgements about a session by gates, reviewers and people at `now` (ms), in order of importance. */
export function judgementsOf(view: Judged, now: number): Judgement[] {
	const review = supervisorWord(view.supervisor.at(-1));
	const stuck = stuckWord(view);
	const verdicts = stuck ? undefined : stageWords(view);
	const found: (Judgement | undefined)[] = [
		raisedAlarms(view, now),
		stuck,
		routingWord(view.mismatches),
		review?.tone === 'ok' ? undefined : review,
		validatorWord(view.assessment),
		verdicts?.tone === 'ok' ? undefined : verdicts,
		counted(
			'gate',
			'err',
			view.counters.denials - view.mismatches.filter(isStopped).length,
			'{count} denied#judgement',
		),
		counted(
			'person',
			'wait',
			view.counters.overrides - view.mismatches.filter(isApproved).length,
			'{count} approved#judgement',
		),
		counted('tool', 'warn', view.counters.errors, '{count} failed {count:call|calls}'),
		handledAlarms(view, now),
		review?.tone === 'ok' ? review : undefined,
		verdicts?.tone === 'ok' ? verdicts : undefined,
	];
	return found.filter((one) => one !== undefined);
}

/** Judgements of several sessions, in the common order of importance. */
export function judgementsOfAll(lists: readonly (readonly Judgement[])[]): Judgement[] {
	return lists.flat().sort((one, other) => rankOf(one) - rankOf(other));
}

const inOrder: readonly Judgement['by'][] = [
	...(['alarm', 'routing', 'supervisor', 'validator', 'stage', 'gate', 'person', 'tool'] as const),
];

function rankOf({ by, tone }: Judgement): number {
	if (tone === 'ok' || tone === 'plain') return inOrder.length + inOrder.indexOf(by);
	return by === 'stage' && tone === 'wait' ? 0.5 : inOrder.indexOf(by);
}

/** A review past its deadline was cut off. */
export function judgementAt(judgement: Judgement, now: number): Judgement {
	const { until, since: _since, ...rest } = judgement;
	return until !== undefined && Date.parse(until) < now
		? { ...rest, tone: 'warn', ...inWords({ text: sentence('review cut off') }) }
		: judgement;
}

function counted(
	by: Judgement['by'],
	tone: Tone,
	count: number,
	words: '{count} denied#judgement' | '{count} approved#judgement' | '{count} failed {count:call|calls}',
): Judgement | undefined {
	return count > 0 ? { by, tone, ...inWords({ text: sentence(words, { count }) }) } : undefined;
}

function raisedAlarms({ alarms = [], handled }: Judged, now: number): Judgement | undefined {
	const raised = alarms.filter((alarm) => isRaised(alarm, handled, now));
	const [first] = raised;
	if (!first) return undefined;
	const { kind, cause, key } = first;
	const filling = { alarm: sentence(alarmWords[kind]), cause, count: raised.length - 1 };
	const text = sentence(raised.length > 1 ? '{alarm}: {cause}, {count} more' : '{alarm}: {cause}', filling);
	return { by: 'alarm', tone: 'err', ...inWords({ text }), row: key };
}

function handledAlarms({ alarms = [], handled }: Judged, now: number): Judgement | undefined {
	const seen = alarms.filter((alarm) => !isRaised(alarm, handled, now));
	const isPostponed = ({ key }: AlarmView) => handled?.some((word) => word.key === key && word.until !== undefined);
	const word = seen.every(isPostponed) ? 'put off' : 'seen';
	const text = sentence(`{count} {count:alarm|alarms} ${word}` as const, { count: seen.length });
	return seen.length > 0 ? { by: 'alarm', tone: 'plain', ...inWords({ text }) } : undefined;
}

function stuckWord(view: Judged): Judgement | undefined {
	const stuck = isWorkflowLeft(view) ? undefined : stuckStage(view);
	if (!stuck) return undefined;
	const need = wordsOf(stuck, 'why');
	const stages = stuck.stages.join(', ');
	const text = stages
		? sentence('{stages} waits for you: {need}', { stages, need })
		: sentence('Workflow waits for you: {need}', { need });
	return { by: 'stage', tone: 'wait', ...inWords({ text }, clip), since: stuck.at };
}

function routingWord(mismatches: readonly MismatchView[]): Judgement | undefined {
	const last = mismatches.at(-1);
	if (!last) return undefined;
	const { tone, word } = mismatchEnd(last);
	const same = mismatches.filter((one) => one.actual === last.actual && mismatchEnd(one).word === word).length;
	const filling = {
		agent: oneLine(last.actual, 60),
		count: same,
		outcome: sentence(word),
		others: mismatches.length - same,
	};
	const row = last.toolUseId === undefined ? {} : { row: `call:${last.toolUseId}` };
	const times = same > 1 ? ' ×{count}' : '';
	const more = filling.others > 0 ? '; {others} more' : '';
	const text = sentence(`{agent} not in plan${times}, {outcome}${more}` as const, filling);
	return { by: 'routing', tone, ...inWords({ text }), ...row };
}

/** The plan's own judgement already reports this denial. */
const isStopped = ({ toolUseId, outcome }: MismatchView) => toolUseId !== undefined && outcome === 'stopped';

/** The plan's own judgement already reports this approval. */
const isApproved = ({ grant, approval }: MismatchView) => grant !== undefined || approval?.state === 'approved';

function mismatchEnd(mismatch: MismatchView): {
	tone: Tone;
	word: 'waiting' | 'approved' | 'ran' | 'denied';
} {
	const { outcome } = mismatch;
	if (outcome === 'waiting') return { tone: 'wait', word: 'waiting' };
	if (isApproved(mismatch)) return { tone: 'warn', word: 'approved' };
	return outcome === 'ran' || outcome === 'failed' ? { tone: 'err', word: 'ran' } : { tone: 'err', word: 'denied' };
}

function supervisorWord(review: SupervisorView | undefined): Judgement | undefined {
	if (!review) return undefined;
	const { allow, iteration, max, feedback = '', by, failed, error, cutOffAt, at, deadline, toolUseId } = review;
	const row = toolUseId === undefined ? {} : { row: `call:${toolUseId}` };
	const judgementOf = (tone: Tone, text: Sentence): Judgement => ({
		by: 'supervisor',
		tone,
		...inWords({ text }, clip),
		...row,
	});
	if (allow === undefined) {
		if (cutOffAt !== undefined) return judgementOf('warn', sentence('review cut off'));
		return {
			...judgementOf('run', sentence('reviewing')),
			since: at,
			...(deadline !== undefined && { until: deadline }),
		};
	}
	const nth = { nth: iteration, max };
	if (failed) {
		const why = error ? ': {error}' : '';
		return judgementOf(
			'err',
			sentence(`review failed, ${allow ? 'allowed' : 'sent back'}${why}` as const, { error: error ?? '' }),
		);
	}
	if (by === 'limit') return judgementOf('warn', sentence('review limit reached, allowed unreviewed'));
	if (allow)
		return judgementOf(
			'ok',
			by === 'person' ? sentence('review allowed by a person') : sentence('allowed, review {nth} of {max}', nth),
		);
	return judgementOf(
		'warn',
		sentence(`sent back {nth} of {max}${feedback ? ': {feedback}' : ''}` as const, { ...nth, feedback }),
	);
}

function validatorWord(assessment: SessionView['assessment']): Judgement | undefined {
	if (!assessment || assessment.allowed) return undefined;
	const { validator, reasoning, rating, row } = assessment;
	return { by: 'validator', tone: 'err', text: clip(`${validator}: ${reasoning ?? rating ?? 'no'}`), row };
}

const endWords = { fail: 'failed', reject: 'rejected', unclear: 'without a verdict' } as const;

function stageWords(view: Judged): Judgement | undefined {
	if (isWorkflowLeft(view)) return undefined;
	const { active, failed } = workflowProgress(view);
	if (failed.length > 0) {
		return { by: 'stage', tone: 'err', ...inWords({ text: listed(failed.map(failedWords)) }, clip) };
	}
	// While a stage runs, the strip says so; an earlier one that passed would read like the state.
	if (active.length > 0) return undefined;
	const [last] = stagesOf(view.workflow)
		.filter((stage) => stageProgress(stage) === 'pass')
		.sort((one, other) => ((one.completedAt ?? '') < (other.completedAt ?? '') ? 1 : -1));
	return last && { by: 'stage', tone: 'ok', ...inWords({ text: sentence('{stage} passed', { stage: last.key }) }) };
}

function failedWords(stage: StageView): Sentence {
	const status = stageProgress(stage);
	const ended = status === 'reject' || status === 'unclear' ? endWords[status] : endWords.fail;
	const { key, again: reason = '', attempts = [] } = stage;
	const times = attempts.length > 1 ? ' ×{count}' : '';
	const why = reason ? ': {reason}' : '';
	return sentence(`{stage} {ended}${times}${why}` as const, {
		stage: key,
		ended: sentence(ended),
		count: attempts.length,
		reason,
	});
}
/** The state of a review at an instant (ms); without a verdict past its deadline it was cut off. */
export function reviewLook(review: SupervisorView, now: number): { word: Plain; tone: Tone; isRunning: boolean } {
	const { allow, failed, by, cutOffAt, deadline } = review;
	if (allow === undefined) {
		const isOver = cutOffAt !== undefined || (deadline !== undefined && now > Date.parse(deadline));
		return isOver
			? { word: 'cut off: no verdict', tone: 'warn', isRunning: false }
			: { word: 'reviewing', tone: 'run', isRunning: true };
	}
	if (failed) {
		return { word: allow ? 'review failed, allowed' : 'review failed, sent back', tone: 'err', isRunning: false };
	}
	if (by === 'limit') return { word: 'limit reached, allowed unreviewed', tone: 'warn', isRunning: false };
	const tone = allow ? 'ok' : 'warn';
	if (by === 'person') return { word: allow ? 'allowed by a person' : 'sent back by a person', tone, isRunning: false };
	return { word: allow ? 'allowed' : 'sent back', tone, isRunning: false };
}

export const alarmWords = {
	'denied-but-ran': 'denied, but ran',
	'other-input-ran': 'ran with another input than was judged',
	'ran-unjudged': 'ran without being judged',
	'allowed-never-ran': 'allowed, but did not run',
	silent: 'silent',
} as const satisfies Record<AlarmView['kind'], Plain>;

export function isUnseen(key: string, handled: readonly HandledAlarm[] | undefined): boolean {
	const word = handled && find(handled, 'key', key);
	return word === undefined || word.until !== undefined;
}

export function isRaised({ key }: AlarmView, handled: readonly HandledAlarm[] | undefined, now: number): boolean {
	const word = handled && find(handled, 'key', key);
	return word === undefined || (word.until !== undefined && Date.parse(word.until) <= now);
}
