import type { Plain } from '../messages/say.ts';
import { type MessageKey, tell } from '../messages/tell.ts';
import { oneLine } from '../session/call-title.ts';
import type { NumberedPass } from './align-passes.ts';
import { isAfterEnd, type Side } from './compared-side.ts';
import type { Mark } from './pass-facts.ts';

const other = (side: Side): Side => (side === 'a' ? 'b' : 'a');
const name = (text: string) => oneLine(text, 80);

/** A run of a stage by name: `TEST`, `TEST (run 2)`, or what comes before the first. */
export function passWords({ stage, nth }: Pick<NumberedPass, 'stage' | 'nth'>): string {
	if (stage === '') return tell('Before the first stage#pass');
	return nth === 1 ? name(stage) : tell('{name} (run {nth})#pass', { name: name(stage), nth });
}

function times(count: number): string {
	if (count === 0) return tell('not at all#times');
	if (count > 2) return tell('{count} times#times', { count });
	return count === 1 ? tell('once#times') : tell('twice#times');
}

function ordinal(count: number): string {
	if (count > 3) return tell('{count} times#again', { count });
	return count === 3 ? tell('a third time#again') : tell('a second time#again');
}

type EndWord = Extract<Plain, MessageKey & `${string}#how`>;

/** How a stage's run stands, the worst last. */
const verdicts = [...['pass', 'ended', 'left', 'issues', 'unclear', 'reject', 'fail']] as const;
const verdictWords = new Map<string, EndWord>([
	['pass', 'passed#how'],
	['ended', 'ended without a word on how#how'],
	['left', 'was never ended#how'],
	['issues', 'ended with issues#how'],
	['unclear', 'ended without a verdict#how'],
	['reject', 'was rejected#how'],
	['fail', 'failed#how'],
]);

/** `REVIEW was rejected in the second run; it passed in the first.` */
export function explainVerdict(pass: NumberedPass, results: Record<Side, string>): string {
	const rank = (side: Side) => (verdicts as readonly string[]).indexOf(results[side]);
	const lead = rank('a') > rank('b') || (rank('a') === rank('b') && results.a > results.b) ? 'a' : 'b';
	const ending = (side: Side) => {
		const known = verdictWords.get(results[side]);
		return known === undefined ? tell('ended as “{word}”#how', { word: name(results[side]) }) : tell(known);
	};
	const filling = { pass: passWords(pass), how: ending(lead), instead: ending(other(lead)) };
	return lead === 'a'
		? tell('{pass} {how} in the first run; it {instead} in the second.', filling)
		: tell('{pass} {how} in the second run; it {instead} in the first.', filling);
}

/** A run of a stage that only one side has; `had` is how many the other one has of that stage. */
export function explainAlone(pass: NumberedPass, side: Side, had: number): string {
	const isFirst = side === 'a';
	if (pass.stage === '') {
		return isFirst
			? tell('The first run has one more session than the second.')
			: tell('The second run has one more session than the first.');
	}
	const stage = name(pass.stage);
	if (had === 0) {
		return isFirst
			? tell('{pass} ran in the first run only.', { pass: stage })
			: tell('{pass} ran in the second run only.', { pass: stage });
	}
	const filling = { pass: stage, again: ordinal(pass.nth), often: times(had), reason: name(pass.why ?? '') };
	const why = pass.why ? ' ({reason})' : '';
	return isFirst
		? tell(`{pass} ran {again} in the first run${why}; in the second it ran {often}.` as const, filling)
		: tell(`{pass} ran {again} in the second run${why}; in the first it ran {often}.` as const, filling);
}

/** What came next in each of the two. */
export function explainOrder(a: NumberedPass, b: NumberedPass): string {
	return tell('In the first run {pass} came next, in the second {next}.', { pass: passWords(a), next: passWords(b) });
}

/** Another agent in the place of one. */
export function explainAgents(pass: NumberedPass, agents: Record<Side, string>): string {
	const filling = { pass: passWords(pass), first: name(agents.a), second: name(agents.b) };
	return tell('{pass}: {first} was started in the first run, {second} in the second.', filling);
}

/** What is told more often on one side; `pass` is that of `mark`. */
export function explainMark(pass: NumberedPass, mark: Mark, counts: Record<Side, number>): string {
	const lead = counts.a > counts.b ? 'a' : 'b';
	const [most, least] = [counts[lead], counts[other(lead)]];
	const filling = { pass: passWords(pass), clause: clauseOf(mark), often: times(most), seldom: times(least) };
	const after = isAfterEnd(pass, mark) ? 'After ' : '';
	return tell(`${after}${least === 0 && most === 1 ? ONLY[lead] : OFTEN[lead]}` as const, filling);
}

const ONLY = {
	a: '{pass}: {clause} in the first run only.',
	b: '{pass}: {clause} in the second run only.',
} as const;
const OFTEN = {
	a: '{pass}: {clause} {often} in the first run, {seldom} in the second.',
	b: '{pass}: {clause} {often} in the second run, {seldom} in the first.',
} as const;

function clauseOf({ kind, text, name: rule }: Mark): string {
	const what = oneLine(text, 120);
	switch (kind) {
		case 'agent':
			return tell('{what} was started#clause', { what });
		case 'denial':
			return tell('{what} was denied ({rule})#clause', { what, rule: name(rule) });
		case 'stop':
			return tell('a stop was refused ({rule})#clause', { rule: name(rule) });
		case 'override':
			return tell('a person let {what} run (against {rule})#clause', { what, rule: name(rule) });
		case 'review':
			return tell('the supervisor blocked ({what})#clause', { what });
		case 'mismatch':
		case 'failure':
		case 'call':
			return what;
	}
}

/** The first call that is another one; undefined where a run made no further one. */
export function explainCalls(nth: number, calls: { a: Mark | undefined; b: Mark | undefined }): string {
	const { a, b } = calls;
	if (a && b) {
		const filling = { nth, first: name(a.text), second: name(b.text) };
		return tell('Call {nth} was {first} in the first run and {second} in the second.', filling);
	}
	const filling = { nth: nth - 1, call: name((a ?? b)?.text ?? '') };
	const after = nth === 1 ? '' : ' after {nth}';
	return a
		? tell(`The second run made no call${after}; the first went on with {call}.` as const, filling)
		: tell(`The first run made no call${after}; the second went on with {call}.` as const, filling);
}

/** What kinds of workflow they are. */
export function explainWorkflow(workflows: Record<Side, string | undefined>): string {
	const kind = (side: Side) =>
		workflows[side] === undefined
			? tell('no workflow#how')
			: tell('the workflow {name}#how', { name: name(workflows[side]) });
	return tell('The first run followed {how}, the second {instead}.', { how: kind('a'), instead: kind('b') });
}

const endWords = { complete: 'was completed#how', abort: 'was aborted#how', open: 'was not ended#how' } as const;

/** How the two ended. */
export function explainEnd(ended: Record<Side, keyof typeof endWords>): string {
	const [how, instead] = [tell(endWords[ended.a]), tell(endWords[ended.b])];
	return tell('The first run {how}, the second {instead}.', { how, instead });
}
