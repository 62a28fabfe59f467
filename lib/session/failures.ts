import { english, type Say } from '../messages/say.ts';
import { withoutAnsi } from '../text/ansi.ts';

const MAX_FAILURES = 5;
const MAX_LINES = 2_000;
/** Lines after a failed test in which its assertion is looked for. */
const NEAR = 30;
const TEST = /^\s*(?:not ok \d+ (?:- )?|(?:FAIL|FAILED|✕|✗|×|✖)\s+)(\S.*)$/;
const ERROR = /\b\w*(?:Error|Exception)\b.*:\s*\S|^\s*(?:error|fatal)\b/i;
/** The `error` of a TAP block: a text on its line, or the lines below that are further in. */
const TAP_ERROR = /^( *)error: (?:[|>]-?((?:\n\1 +.*|\n(?=\n))+)|(.*))/m;

/** What failed, from the output of a command: at most five tests with their assertions, else the first error. */
export function failuresIn(output: string): { name: string; why: string }[] {
	const lines = withoutAnsi(output).split('\n', MAX_LINES);
	const tests = lines.flatMap((line, at) => {
		const name = TEST.exec(line)?.[1];
		return name === undefined ? [] : [{ name, why: assertionIn(lines.slice(at + 1, at + NEAR)) }];
	});
	if (tests.length > 0) return tests.slice(0, MAX_FAILURES);
	const error = lines.find((line) => ERROR.test(line));
	return error === undefined ? [] : [{ name: error.trim(), why: '' }];
}

function assertionIn(below: readonly string[]): string {
	const next = below.findIndex((line) => TEST.test(line));
	const own = next === -1 ? below : below.slice(0, next);
	const [, indent = '', block, text] = TAP_ERROR.exec(own.join('\n')) ?? [];
	if (block !== undefined) return block.replaceAll(`\n${indent}  `, '\n').trim();
	return (text ?? own.find((line) => ERROR.test(line)) ?? '').trim().replaceAll(/^'|'$/g, '');
}

/** The part of an error in one line that says what failed. */
export function failureLine(error: string, say: Say = english): string {
	const what = /\bnot ok \d+ (?:- )?(.+?)(?: ---| # | not ok | ok \d|$)/.exec(error)?.[1];
	if (what !== undefined) return say('failed: {what}', { what });
	return /\b\w*(?:Error|Exception)\b: .*/.exec(error)?.[0] ?? error;
}
