import { describe, expect, it } from 'vitest';
import { guardedProgram, searchProgram, wordingMismatches } from './tool-advice.ts';

describe('R278 the wording of Markdown', () => {
	it.each([
		['⛔ you should not push', 'should'],
		['📋 tests may be left out', 'may'],
		['💡 you must write tests', 'must'],
		['🔧 never use tabs', 'never'],
		['⛔ 建議先測試', '建議'],
	])('R278 "%s" contradicts itself', (line, word) => {
		expect(wordingMismatches(`# Title\n${line}\n`)).toMatchObject([{ line: 2, word }]);
	});

	it.each(['⛔ you must not push', '💡 consider tests', '🔧 you may use tabs', 'you should and must', '| ⛔ should |'])(
		'R278 "%s" does not',
		(line) => {
			expect(wordingMismatches(line)).toEqual([]);
		},
	);

	it('R278 passes over code, reads 1,000 lines and gives ten', () => {
		expect(wordingMismatches('```\n⛔ should\n```\n~~~\n💡 must\n~~~')).toEqual([]);
		expect(wordingMismatches(`${'\n'.repeat(1000)}⛔ should`)).toEqual([]);
		expect(wordingMismatches('⛔ should\n'.repeat(500))).toHaveLength(10);
	});
});

describe('R278 the programs of a command', () => {
	it.each([
		['npm test', 'npm'],
		['cd app && NODE_ENV=test /usr/bin/node x.js', 'node'],
		['ls; git push', 'git'],
		['echo npm', undefined],
		['make all', undefined],
	])('R278 "%s" is guarded as %s', (command, program) => {
		expect(guardedProgram(command, 'a message that is long enough')).toBe(program);
		expect(guardedProgram(command, 'short')).toBeUndefined();
	});

	it.each(['node', 'bun', 'npm', 'yarn', 'git', 'python', 'tsc', 'eslint', 'jest'])(
		'R278 the error guard knows %s, from more than 20 characters of stderr on',
		(program) => {
			expect(guardedProgram(`${program} x`, 'e'.repeat(21))).toBe(program);
			expect(guardedProgram(`${program} x`, ` ${'e'.repeat(20)} `)).toBeUndefined();
		},
	);

	it('R278 searching is known by its program', () => {
		expect(['cat a | grep b', 'find . -name x', 'cd a && rg y'].map(searchProgram)).toEqual(['grep', 'find', 'rg']);
		expect(searchProgram('echo grep')).toBeUndefined();
	});
});
