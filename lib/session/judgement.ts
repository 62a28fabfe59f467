import type { Tone } from '../contract/event-labels.ts';
import type { Judgement } from '../contract/read-model/session-summary.ts';
import type { AlarmView } from '../contract/read-model/session-view.ts';
import { countOf } from '../text/count-of.ts';
import { alarmWords, isRaised } from './alarms.ts';
import { oneLine } from './call-title.ts';
import { isWorkflowLeft } from './fold-workflow.ts';
import { stuckStage } from './stuck-stage.ts';
import type { MismatchView, SessionView, SupervisorView } from './view.ts';
import { type StageView, stagesOf, standingOf, workflowProgress } from './workflow-progress.ts';

type Judged = Omit<SessionView, 'seq' | 'lastAt' | 'activity' | 'calls' | 'lastMessage' | 'rules' | 'moments'> & {
	lastAt?: string;
};

const LONGEST = 160;

/**
 * What judges say of a session at `now` (ms), in the one order of importance: alarms, stages that wait for a person, the
 * plan, the supervisor, validators, stages that failed, denials, overrides, tool errors; then what went well.
 */
export function judgementsOf(view: Judged, now: number): Judgement[] {
	const review = supervisorWord(view.supervisor.at(-1));
	const stuck = stuckWord(view);
	// Of a stage that waits for somebody it is said that it failed.
	const verdicts = stuck ? undefined : stageWords(view);
	const found: (Judgement | undefined)[] = [
		raisedAlarms(view, now),
		stuck,
		routingWord(view.mismatches),
		review?.tone === 'ok' ? undefined : review,
		validatorWord(view.assessment),
		verdicts?.tone === 'ok' ? undefined : verdicts,
		counted('gate', 'err', view.counters.denials - view.mismatches.filter(isStopped).length, 'denied'),
		counted('person', 'wait', view.counters.overrides, 'overridden'),
		counted('tool', 'warn', view.counters.errors, view.counters.errors === 1 ? 'tool error' : 'tool errors'),
		handledAlarms(view, now),
		review?.tone === 'ok' ? review : undefined,
		verdicts?.tone === 'ok' ? verdicts : undefined,
	];
	return found.filter((one) => one !== undefined);
}

/** What judges say of several sessions, in the same order of importance. */
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

/** A judgement as it stands at `now` (ms): one that nobody works on any more was cut off. */
export function judgementAt(judgement: Judgement, now: number): Judgement {
	const { until, since: _since, ...rest } = judgement;
	return until !== undefined && Date.parse(until) < now ? { ...rest, tone: 'warn', text: 'review cut off' } : judgement;
}

function counted(by: Judgement['by'], tone: Tone, count: number, word: string): Judgement | undefined {
	return count > 0 ? { by, tone, text: `${count} ${word}` } : undefined;
}

function raisedAlarms({ alarms = [], handled }: Judged, now: number): Judgement | undefined {
	const raised = alarms.filter((alarm) => isRaised(alarm, handled, now));
	const [first] = raised;
	if (!first) return undefined;
	const more = raised.length > 1 ? `, ${raised.length - 1} more` : '';
	return { by: 'alarm', tone: 'err', text: `${alarmWords[first.kind]}: ${first.cause}${more}`, row: first.key };
}

/** What somebody has seen, or put off, is still true. */
function handledAlarms({ alarms = [], handled }: Judged, now: number): Judgement | undefined {
	const seen = alarms.filter((alarm) => !isRaised(alarm, handled, now));
	const isPutOff = ({ key }: AlarmView) => handled?.some((word) => word.key === key && word.until !== undefined);
	const word = seen.every(isPutOff) ? 'put off' : 'seen';
	const text = `${countOf(seen.length, 'alarm')} ${word}`;
	return seen.length > 0 ? { by: 'alarm', tone: 'plain', text } : undefined;
}

function stuckWord(view: Judged): Judgement | undefined {
	const stuck = isWorkflowLeft(view) ? undefined : stuckStage(view);
	if (!stuck) return undefined;
	const name = stuck.stages.join(', ') || 'Workflow';
	return { by: 'stage', tone: 'wait', text: oneLine(`${name} waits for you: ${stuck.why}`, LONGEST), since: stuck.at };
}

function routingWord(mismatches: readonly MismatchView[]): Judgement | undefined {
	const last = mismatches.at(-1);
	if (!last) return undefined;
	const { tone, word } = mismatchEnd(last);
	const times = mismatches.length > 1 ? ` ×${mismatches.length}` : '';
	const row = last.toolUseId === undefined ? {} : { row: `call:${last.toolUseId}` };
	return { by: 'routing', tone, text: `${oneLine(last.actual, 60)} ≠ plan${times}, ${word}`, ...row };
}

/** The word for the plan has told of its denial already. */
const isStopped = ({ toolUseId, outcome }: MismatchView) => toolUseId !== undefined && outcome === 'stopped';

function mismatchEnd({ outcome, approval, grant }: MismatchView): { tone: Tone; word: string } {
	if (outcome === 'waiting') return { tone: 'wait', word: 'held' };
	if (grant || approval?.state === 'approved') return { tone: 'warn', word: 'overridden' };
	return outcome === 'ran' || outcome === 'failed' ? { tone: 'err', word: 'ran' } : { tone: 'err', word: 'denied' };
}

function supervisorWord(review: SupervisorView | undefined): Judgement | undefined {
	if (!review) return undefined;
	const { allow, iteration, max, feedback = '', by, failed, error, cutOffAt, at, deadline, toolUseId } = review;
	const row = toolUseId === undefined ? {} : { row: `call:${toolUseId}` };
	const say = (tone: Tone, text: string): Judgement => ({
		...{ by: 'supervisor', tone, text: oneLine(text, LONGEST) },
		...row,
	});
	if (allow === undefined) {
		if (cutOffAt !== undefined) return say('warn', 'review cut off');
		return { ...say('run', 'reviewing'), since: at, ...(deadline !== undefined && { until: deadline }) };
	}
	const nth = `${iteration} of ${max}`;
	if (failed) return say('err', `review failed, ${allow ? 'allowed' : 'blocked'}${error ? `: ${error}` : ''}`);
	if (by === 'limit') return say('warn', 'review limit reached, allowed unreviewed');
	if (allow) return say('ok', by === 'person' ? 'review allowed by a person' : `review ${nth} passed`);
	return say('err', `blocked ${nth}${feedback ? `: ${feedback}` : ''}`);
}

function validatorWord(assessment: SessionView['assessment']): Judgement | undefined {
	if (!assessment || assessment.allowed) return undefined;
	const { validator, reasoning, rating, row } = assessment;
	return { by: 'validator', tone: 'err', text: oneLine(`${validator}: ${reasoning ?? rating ?? 'no'}`, LONGEST), row };
}

const endWords = { fail: 'failed', reject: 'rejected', unclear: 'without a verdict' } as const;

/** The stages that did not pass; where all did, the one that ended last. */
function stageWords(view: Judged): Judgement | undefined {
	if (isWorkflowLeft(view)) return undefined;
	const { failed } = workflowProgress(view);
	if (failed.length > 0) {
		return { by: 'stage', tone: 'err', text: oneLine(failed.map(failedWords).join(', '), LONGEST) };
	}
	const [last] = stagesOf(view.workflow)
		.filter((stage) => standingOf(stage) === 'pass')
		.sort((one, other) => ((one.completedAt ?? '') < (other.completedAt ?? '') ? 1 : -1));
	return last && { by: 'stage', tone: 'ok', text: `${last.key} passed` };
}

function failedWords(stage: StageView): string {
	const standing = standingOf(stage);
	const word = standing in endWords ? endWords[standing as keyof typeof endWords] : standing;
	const times = stage.attempts && stage.attempts.length > 1 ? ` ×${stage.attempts.length}` : '';
	return `${stage.key} ${word}${times}${stage.again ? `: ${stage.again}` : ''}`;
}
