import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeCommand } from '../command-policy.ts';
import { textField } from '../shell-field.ts';
import { findProgram, programRows } from './find-program.ts';
import { optionValues } from './option-values.ts';

const names = programRows.flatMap((row) => row.names.split(' '));
const pieces = [
	'-',
	'--',
	'-e',
	'-c ',
	'-x',
	'=',
	' ',
	'"',
	"'",
	'$X',
	'$(a)',
	'<(a)',
	'!',
	'|',
	'\\',
	'\n',
	'\r',
	'{',
	'é\ud800',
	'/dev/fd/0',
	'<<< a',
];

describe('programs that start others', () => {
	test.each([
		['perl5.36-x86_64-linux-gnu', 'perl'],
		['tclsh8.6', 'tclsh'],
		['python3.11', 'python'],
		['x86_64-linux-gnu-gcc-12', 'gcc'],
		['vim.tiny', 'vim'],
		['sqlite3', 'sqlite3'],
		['VIMDIFF', 'vimdiff'],
	])('%s is known by the row of %s', (name, row) => {
		expect(findProgram(name)?.names.split(' ')).toContain(row);
	});

	test('no name is in two rows', () => {
		expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
	});

	test('whatever a row says, options are read without a failure', () => {
		fc.assert(
			fc.property(fc.string(), fc.array(fc.string()), fc.string(), (written, words, flags) => {
				for (const { next } of optionValues(words.map(textField), written, flags)) expect(next).toBeGreaterThan(0);
			}),
		);
	});

	test('whatever a known program is given, the line is judged without a failure', () => {
		const line = fc
			.tuple(fc.constantFrom(...names), fc.array(fc.constantFrom(...pieces), { maxLength: 12 }))
			.map(([name, parts]) => `${name} ${parts.join('')}`);
		fc.assert(
			fc.property(
				line,
				(each) => void expect(['pass', 'deny']).toContain(judgeCommand(each, { exclude: ['zap'] }).decision),
			),
			{ numRuns: 800 },
		);
	});
});
