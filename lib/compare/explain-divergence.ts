import { oneLine } from '../session/call-title.ts';
import type { NumberedPass } from './align-passes.ts';
import { isAfterEnd, type Side } from './compared-side.ts';
import type { Mark } from './pass-facts.ts';

/** How the two runs are called in a sentence. */
export const runWords = { a: 'the first run', b: 'the second run' } as const satisfies Record<Side, string>;
const shortWords = { a: 'the first', b: 'the second' } as const satisfies Record<Side, string>;

const other = (side: Side): Side => (side === 'a' ? 'b' : 'a');
const name = (text: string) => oneLine(text, 80);

/** A run of a stage by name: `TEST`, `TEST (run 2)`, or what comes before the first. */
export function passWords({ stage, nth }: Pick<NumberedPass, 'stage' | 'nth'>): string {
	if (stage === '') return 'Before the first stage';
	return nth === 1 ? name(stage) : `${name(stage)} (run ${nth})`;
}

const times = (count: number) =>
	count === 0 ? 'not at all' : count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`;
const ordinal = (nth: number) => ({ 2: 'a second time', 3: 'a third time' })[nth] ?? `${nth} times`;

/** How a stage's run stands, the worst last. */
const verdicts = [...['pass', 'ended', 'left', 'issues', 'unclear', 'reject', 'fail']] as const;
const verdictWords = new Map([
	['pass', 'passed'],
	['ended', 'ended without a word on how'],
	['left', 'was never ended'],
	['issues', 'ended with issues'],
	['unclear', 'ended without a verdict'],
	['reject', 'was rejected'],
	['fail', 'failed'],
]);

/** `REVIEW was rejected in the second run; it passed in the first.` */
export function explainVerdict(pass: NumberedPass, results: Record<Side, string>): string {
	const rank = (side: Side) => (verdicts as readonly string[]).indexOf(results[side]);
	const lead = rank('a') > rank('b') || (rank('a') === rank('b') && results.a > results.b) ? 'a' : 'b';
	const say = (side: Side) => verdictWords.get(results[side]) ?? `ended as “${name(results[side])}”`;
	return `${passWords(pass)} ${say(lead)} in ${runWords[lead]}; it ${say(other(lead))} in ${shortWords[other(lead)]}.`;
}

/** A run of a stage that only one side has; `had` is how many the other one has of that stage. */
export function explainAlone(pass: NumberedPass, side: Side, had: number): string {
	if (pass.stage === '') return `${upper(runWords[side])} has one more session than ${shortWords[other(side)]}.`;
	if (had === 0) return `${name(pass.stage)} ran in ${runWords[side]} only.`;
	const why = pass.why ? ` (${name(pass.why)})` : '';
	return `${name(pass.stage)} ran ${ordinal(pass.nth)} in ${runWords[side]}${why}; in ${shortWords[other(side)]} it ran ${times(had)}.`;
}

/** What came next in each of the two. */
export function explainOrder(a: NumberedPass, b: NumberedPass): string {
	return `In the first run ${passWords(a)} came next, in the second ${passWords(b)}.`;
}

/** Another agent in the place of one. */
export function explainAgents(pass: NumberedPass, agents: Record<Side, string>): string {
	return `${passWords(pass)}: ${name(agents.a)} was started in the first run, ${name(agents.b)} in the second.`;
}

/** What is told more often on one side; `pass` is that of `mark`. */
export function explainMark(pass: NumberedPass, mark: Mark, counts: Record<Side, number>): string {
	const lead = counts.a > counts.b ? 'a' : 'b';
	const [most, least] = [counts[lead], counts[other(lead)]];
	const often =
		least === 0 && most === 1
			? `in ${runWords[lead]} only`
			: `${times(most)} in ${runWords[lead]}, ${times(least)} in ${shortWords[other(lead)]}`;
	return `${isAfterEnd(pass, mark) ? 'After ' : ''}${passWords(pass)}: ${clauseOf(mark)} ${often}.`;
}

function clauseOf({ kind, text, name: rule }: Mark): string {
	const what = oneLine(text, 120);
	switch (kind) {
		case 'agent':
			return `${what} was started`;
		case 'denial':
			return `${what} was denied (${name(rule)})`;
		case 'stop':
			return `a stop was refused (${name(rule)})`;
		case 'override':
			return `a person let ${what} run (against ${name(rule)})`;
		case 'review':
			return `the supervisor blocked (${what})`;
		case 'mismatch':
		case 'failure':
		case 'call':
			return what;
	}
}

/** The first call that is another one; undefined where a run made no further one. */
export function explainCalls(nth: number, calls: { a: Mark | undefined; b: Mark | undefined }): string {
	const { a, b } = calls;
	if (a && b) return `Call ${nth} was ${name(a.text)} in the first run and ${name(b.text)} in the second.`;
	const [side, mark] = a ? (['a', a] as const) : (['b', b] as const);
	const ended = nth === 1 ? 'made no call' : `made no call after ${nth - 1}`;
	return `${upper(runWords[other(side)])} ${ended}; ${shortWords[side]} went on with ${name(mark?.text ?? '')}.`;
}

/** What kinds of workflow they are. */
export function explainWorkflow(workflows: Record<Side, string | undefined>): string {
	const say = (side: Side) => (workflows[side] === undefined ? 'no workflow' : `the workflow ${name(workflows[side])}`);
	return `The first run followed ${say('a')}, the second ${say('b')}.`;
}

const endWords = { complete: 'was completed', abort: 'was aborted', open: 'was not ended' } as const;

/** How the two ended. */
export function explainEnd(ended: Record<Side, keyof typeof endWords>): string {
	return `The first run ${endWords[ended.a]}, the second ${endWords[ended.b]}.`;
}

const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
