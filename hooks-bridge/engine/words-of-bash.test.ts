import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { parse } from 'unbash';
import { expect, test } from 'vitest';
import { knownText } from '#lib/commands/shell-field.ts';
import { expandWords } from '#lib/commands/word-fields.ts';

const RUNS = 400;
/** Stands behind the words of each line; no piece makes it. */
const END = 'end-of-words';
/** What words are made of: each way to write a letter that bash has, and what it has beside letters. */
const PIECES = [
	...['a', 'zap', 'p', '-', '=', '/', '.', ',', '%', '@', '+', ':'],
	...["'q'", '"d"', "''", '""', '\\z', '\\\\', '\\ ', '\\"', '"\\$"', '"\\a"', '"\\\\"', "'\\'", '"\'"'],
	...["$'a'", "$'\\x61'", "$'\\x7ap'", "$'\\x{61}'", "$'z\\x{7a}p'", "$'\\x{7a61}p'", "$'\\141'", "$'\\0141'"],
	...[
		"$'\\u0061'",
		"$'\\U00000061'",
		"$'\\u61'",
		"$'\\cA'",
		"$'\\n'",
		"$'\\t'",
		"$'\\e'",
		"$'\\''",
		"$'\\\\'",
		"$'\\q'",
	],
	...['$"s"', '{a,p}', '{1..3}', '\\{a,b}', "{'a',b}", 'é', '漢'],
];

/** What bash makes of each line: its words, as a list. */
function wordsOfBash(lines: readonly string[]): string[][] {
	const script = lines.map((line) => `printf '%s\\0' ${line} ${END}`).join('\n');
	const env = { ...process.env, LC_ALL: 'C.UTF-8' };
	const printed = execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8', env });
	return printed
		.split(`${END}\0`)
		.slice(0, -1)
		.map((words) => words.split('\0').slice(0, -1));
}

const nothing = { get: () => undefined, isUntouched: () => true, isNoFunction: () => true };

/** What the policy takes a line for: its words, or null where it does not know them. */
function wordsOfPolicy(line: string): string[] | null {
	const [statement] = parse(`x ${line}`).commands;
	if (statement?.type !== 'Statement' || statement.command.type !== 'Command') return null;
	const words = statement.command.suffix.filter((word) => word.type === 'Word');
	if (words.length < statement.command.suffix.length) return null;
	const [reading, ...others] = expandWords(words, nothing);
	if (!reading || others.length > 0) return null;
	const texts = reading.map(knownText);
	return texts.every((text) => text !== undefined) ? texts : null;
}

test('of generated words the policy knows what bash makes of them, or knows that it does not', () => {
	const line = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(''));
	const lines = fc.sample(line, RUNS);
	const real = wordsOfBash(lines);
	expect(real).toHaveLength(RUNS);
	const read = lines.map((one) => wordsOfPolicy(one));
	const wrong = lines.flatMap((one, index) => {
		const known = read[index];
		return known && JSON.stringify(known) !== JSON.stringify(real[index]) ? [{ one, known, real: real[index] }] : [];
	});
	expect(wrong).toEqual([]);
	expect(read.filter((known) => known !== null).length).toBeGreaterThan(RUNS / 4);
});

test('a letter written as bash alone reads it is not confused with another', () => {
	expect(wordsOfBash(["$'z\\x{61}p'"])).toEqual([['zap']]);
	expect(wordsOfPolicy("$'z\\x{61}p'")).toBeNull();
});
