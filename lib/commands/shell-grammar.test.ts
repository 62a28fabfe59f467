import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../text/testing/any-text.ts';
import { readEditArguments, replaceLiterally } from './edit-command.ts';
import { readExtend, toolArguments } from './extend-command.ts';
import { judgeLine } from './judge-line.ts';
import { readMcpServers } from './mcp-servers.ts';
import { numberedLines, readReadArguments } from './read-command.ts';
import { baseCommandOf, classOf } from './shell-class.ts';
import { wantsHelp } from './shell-help.ts';
import { limitOf } from './shell-settings.ts';
import { readSkillHeader } from './skill-header.ts';
import { accessOf, readTask } from './task-command.ts';
import { readTodos } from './todo-list.ts';
import { tokenise } from './tokenise.ts';
import { readWriteArguments } from './write-command.ts';

describe('R500 the tokeniser', () => {
	test.each([
		['a  b\tc', ['a', 'b', 'c']],
		['a\nb', ['a\nb']],
		[`pre"in side"post'x'`, ['prein sidepostx']],
		[String.raw`"a\n\t\r\\\"b\'c\x"`, ['a\n\t\r\\"b\\\'c\\x']],
		[String.raw`'it\'s "so"'`, [`it's "so"`]],
		['a "" b', ['a', '', 'b']],
		[String.raw`outside\n`, [String.raw`outside\n`]],
		['', []],
	])('R500 reads %j', (line, tokens) => {
		expect(tokenise(line)).toEqual({ ok: true, tokens });
	});

	test.each(['"', "a 'b", '"a\\"', 'x "y\' z'])('R500 refuses the open quote of %j', (line) => {
		expect(tokenise(line)).toEqual({ ok: false, error: 'Unclosed quote in arguments' });
	});

	test('R500 whatever words are quoted come back', () => {
		const quote = (word: string) =>
			`"${word.replace(/[\\"\n\t\r]/g, (char) => `\\${{ '\n': 'n', '\t': 't', '\r': 'r' }[char] ?? char}`)}"`;
		fc.assert(
			fc.property(fc.array(fc.string({ unit: 'grapheme' })), (words) => {
				expect(tokenise(words.map(quote).join(' '))).toEqual({ ok: true, tokens: words });
			}),
		);
	});
});

test.each([
	['read a', 'agent'],
	['read', 'agent'],
	['TodoWrite {}', 'agent'],
	['bash ls', 'agent'],
	['command:search x', 'agent'],
	['task:explore', 'agent'],
	['task:', 'agent'],
	['skill:list', 'agent'],
	['skill:unknown', 'agent'],
	['skill:load a:b', 'agent'],
	['skill:a:b', 'extend'],
	['mcp:a:b', 'extend'],
	['mcp:a', 'extend'],
	['todowrite', 'native'],
	['editor a', 'native'],
	['glob', 'native'],
	['search', 'native'],
	['  read a', 'agent'],
	['', 'native'],
	['readme', 'native'],
] as const)('R501 %j is of class %s', (line, wanted) => {
	expect(classOf(line)).toBe(wanted);
});

describe('R502 task commands', () => {
	test.each([
		['task:general', '--prompt is missing'],
		['task:general -p x', '--description is missing'],
		['task:general -p "" -d y', '--prompt is missing'],
		['task:general -p -d y', '-p needs a value'],
		['task:general -p x -d', '-d needs a value'],
		['task:general -p x -d y --max-turns ten', '--max-turns must be'],
		['task:general -p x -d y --max-turns 0', '--max-turns must be'],
		['task:general -p x -d y --model --dangerous', '--model cannot start with a dash'],
	])('R502 %j: %s', (line, message) => {
		const read = readTask(line);
		expect(read).toMatchObject({ kind: 'error', message: expect.stringContaining(`Invalid parameters: ${message}`) });
		expect(read).toMatchObject({ message: expect.stringContaining('Required: --prompt, --description') });
	});

	test('R502 unknown words are ignored, `--name=value` is read, the action of a skill is kept', () => {
		expect(readTask('task:skill:search extra --prompt=a=b --loud -d d')).toEqual({
			kind: 'task',
			task: { type: 'skill', action: 'search', prompt: 'a=b', description: 'd' },
		});
		expect(readTask('task:explore:deep -p x -d y')).toMatchObject({ kind: 'error' });
	});

	test('nobody who was started by a task starts another, explorers write nothing, a search uses no tool', () => {
		expect(accessOf({ type: 'explore' }).exclude).toEqual(['task:', 'edit', 'write']);
		expect(accessOf({ type: 'general' }).exclude).toEqual(['task:']);
		expect(accessOf({ type: 'skill', action: 'search' })).toMatchObject({ tools: 'none', maxTurns: 1 });
		expect(accessOf({ type: 'skill' })).toMatchObject({ tools: 'all', exclude: ['task:'] });
	});
});

describe('R504 read', () => {
	test.each([
		['', 'Usage: read'],
		['a --offset', '--offset requires a number argument'],
		['a --limit -1', '--limit must be a non-negative number'],
		['a --offset 1.5', '--offset must be a non-negative number'],
		['a b', 'Unexpected argument: b'],
	])('R504 %j: %s', (text, message) => {
		expect(readReadArguments(text, 2000)).toMatchObject({ ok: false, message: expect.stringContaining(message) });
	});

	test('R504 lines keep the numbers of the file; the end of the last line is no line', () => {
		expect(readReadArguments('"a b.txt" --limit 0', 2000)).toEqual({
			ok: true,
			request: { path: 'a b.txt', offset: 0, limit: 0 },
		});
		expect(numberedLines('a\nb\r\n', { offset: 0, limit: 0 })).toBe('     1\ta\n     2\tb\r\n');
		expect(numberedLines('a\n\n', { offset: 1, limit: 5 })).toBe('     2\t\n');
		expect(numberedLines('', { offset: 0, limit: 0 })).toBe('');
		expect(numberedLines('x\n'.repeat(1_000_001), { offset: 1_000_000, limit: 0 })).toBe('1000001\tx\n');
	});
});

describe('R505 write', () => {
	test.each([
		['a.txt hello world', 'a.txt', 'hello world'],
		[`'a b.txt' "x\\ty"`, 'a b.txt', 'x\ty'],
		['a.txt ""', 'a.txt', ''],
		[String.raw`a.txt one\ntwo\\n`, 'a.txt', 'one\ntwo\\n'],
		['a.txt <<EOF\n  one\\ttwo\nEOF', 'a.txt', 'one\ttwo'],
		["a.txt <<'EOF'\n  one\\ttwo\n\nEOF\n", 'a.txt', '  one\\ttwo\n\n'],
		['a.txt use -h or --help', 'a.txt', 'use -h or --help'],
		["a.txt it's fine; rm -rf x", 'a.txt', "it's fine; rm -rf x"],
	])('R505 %j', (text, path, content) => {
		expect(readWriteArguments(text)).toEqual({ ok: true, path, content });
	});

	test.each([
		['', 'Usage: write'],
		['a.txt', 'Usage: write'],
		['"a.txt hello', 'Unclosed quote in file path'],
		['a.txt <<EOF\nno end', 'The heredoc has no end'],
	])('R505 %j: %s', (text, message) => {
		expect(readWriteArguments(text)).toMatchObject({ ok: false, message: expect.stringContaining(message) });
	});
});

test('edit takes three words; --all beside them is the option, as one of them it is text', () => {
	const edit = (text: string) => readEditArguments(text);
	expect(edit('a "x y" z')).toEqual({ ok: true, request: { path: 'a', old: 'x y', fresh: 'z', all: false } });
	expect(edit('a x "" --all')).toEqual({ ok: true, request: { path: 'a', old: 'x', fresh: '', all: true } });
	expect(edit('a --all x')).toEqual({ ok: true, request: { path: 'a', old: '--all', fresh: 'x', all: false } });
	expect(edit('a x')).toMatchObject({ ok: false });
	expect(edit('a x y z')).toMatchObject({ ok: false, message: expect.stringContaining('Unexpected argument: z') });
	fc.assert(
		fc.property(fc.string(), fc.string({ minLength: 1 }), fc.string(), (text, old, fresh) => {
			const all = replaceLiterally(text, { path: '', old, fresh, all: true });
			expect(all.text).toBe(text.split(old).join(fresh));
			expect(replaceLiterally(text, { path: '', old, fresh, all: false }).count).toBe(Math.min(all.count, 1));
		}),
	);
});

describe('R506 todos', () => {
	const one = { content: 'c', activeForm: 'a', status: 'pending' };
	test.each([
		['', 'Missing JSON parameter'],
		["'{", 'Unclosed quote'],
		["'{'", 'Invalid JSON format'],
		['[]', '- todos: must be a list'],
		['{"todos":[],"x":1}', '- x: nothing is known of this field'],
		[JSON.stringify({ todos: [{ ...one, content: ' ' }] }), '- todos.0.content: must be a text'],
		[JSON.stringify({ todos: [{ ...one, status: 'later' }] }), '- todos.0.status: must be'],
		[JSON.stringify({ todos: [{ ...one, extra: 1 }] }), '- todos.0.extra: nothing is known'],
		[JSON.stringify({ todos: [{ ...one, content: 'x'.repeat(201) }] }), 'at most 200 characters'],
	])('R506 %j: %s', (text, message) => {
		expect(readTodos(text, {})).toMatchObject({ ok: false, message: expect.stringContaining(message) });
	});

	test('R506 an empty list clears; quotes around the JSON and in it are kept apart', () => {
		expect(readTodos('{"todos":[]}', {})).toEqual({ ok: true, todos: [] });
		const todos = [{ ...one, content: `it's "so"` }];
		expect(readTodos(`'${JSON.stringify({ todos })}'`, {})).toEqual({ ok: true, todos });
		expect(readTodos(JSON.stringify(JSON.stringify({ todos: [one] })), {})).toEqual({ ok: true, todos: [one] });
	});

	test('R506 a limit is a whole number above 0; anything else is the default', () => {
		expect(limitOf({ X: ' 7 ' }, 'X', 3)).toBe(7);
		for (const X of ['0', '-1', '5abc', '1e3', '', undefined]) expect(limitOf({ X }, 'X', 3)).toBe(3);
	});
});

describe('R507 judging a line', () => {
	const judge = (line: string, ...exclude: string[]) => judgeLine(line, { exclude }).decision;
	test.each([
		['task:explore -p x', 'task:', 'deny'],
		['"task:explore" -p x', 'task:', 'deny'],
		['edit a b c', 'edit', 'deny'],
		['editor a', 'edit', 'pass'],
		['rm -rf x', 'rm', 'deny'],
		['ls; rm -rf x', 'rm', 'deny'],
		['bash rm -rf x', 'rm', 'deny'],
		['bash bash ls && rm x', 'rm', 'deny'],
		['write notes.md first ls; rm x', 'rm', 'pass'],
		[`write notes.md it's`, 'rm', 'pass'],
		['write notes.md $(rm x)', 'write', 'deny'],
		['mcp:files:delete a', 'mcp:', 'deny'],
		['bash', 'bash', 'deny'],
		['', 'rm', 'pass'],
	])('R507 %j without %s: %s', (line, pattern, decision) => {
		expect(judge(line, pattern)).toBe(decision);
	});

	test('R507 a denial names the command and the pattern', () => {
		expect(judgeLine("  'task:explore' -p x", { exclude: ['task:'] })).toMatchObject({
			rule: 'command.excluded',
			command: 'task:explore',
			pattern: 'task:',
			argv: ['task:explore', '-p', 'x'],
		});
		expect(baseCommandOf('"unclosed x')).toBe('"unclosed');
		expect(judge('bash read x; edit y', 'edit')).toBe('deny');
	});
});

describe('tools from outside', () => {
	const schema = {
		properties: {
			n: { type: 'integer' },
			text: { type: 'string' },
			flag: { type: 'boolean' },
			list: { type: ['array', 'null'] },
		},
		required: ['text'],
	};
	test.each([
		[['hello', '3'], { text: 'hello', n: 3 }],
		[['--text=a=b', '--flag', '7'], { text: 'a=b', flag: true, n: 7 }],
		[['--n', '4', 'x'], { n: 4, text: 'x' }],
		[['x', '--list=[1,"2"]', '--other=1'], { text: 'x', list: [1, '2'], other: '1' }],
		[['x', '--list=null', '--flag=false'], { text: 'x', list: null, flag: false }],
		[['--text=12'], { text: '12' }],
	])('maps %j by the schema', (words, values) => {
		expect(toolArguments(words, schema)).toEqual({ ok: true, values });
	});

	test.each([
		[[], 'Missing: --text'],
		[['a', '1', 'true', '[]', 'b'], 'Unexpected argument: b'],
		[['a', '--n=1.5'], '--n must be integer'],
		[['a', '--flag=maybe'], '--flag must be boolean'],
	])('%j: %s', (words, message) => {
		expect(toolArguments(words, schema)).toEqual({ ok: false, message });
	});

	test('a name is one path part; anything else is refused with how it is used', () => {
		expect(readExtend('mcp:a:b "x y"')).toEqual({
			ok: true,
			request: { kind: 'mcp', server: 'a', tool: 'b', words: ['x y'] },
		});
		for (const line of [
			'mcp:a',
			'mcp:a:b:c',
			'skill:../x:run',
			'skill:a:../../x',
			'skill:a:.hidden',
			'mcp::x',
			'skill:-a:b',
		]) {
			expect(readExtend(line)).toMatchObject({ ok: false, message: expect.stringContaining('Usage: ') });
		}
	});

	test('.mcp.json: variables are filled in, what cannot be started says why', () => {
		const filled = (inner: string) => `$\{${inner}}`;
		const text = JSON.stringify({
			mcpServers: {
				a: { command: filled('BIN:-node'), args: [filled('X'), filled('Y:-z')], env: { K: filled('X'), bad: 1 } },
				web: { type: 'http', url: 'https://x' },
				odd: { command: 'x', args: 'y' },
			},
		});
		const read = readMcpServers(text, { X: '1' });
		expect(read.ok && Object.fromEntries(read.servers)).toEqual({
			a: { command: 'node', args: ['1', 'z'], env: { K: '1' } },
			web: { problem: expect.stringContaining('names no command') },
			odd: { problem: expect.stringContaining('no list of texts') },
		});
		expect(readMcpServers('{', {})).toMatchObject({ ok: false });
		expect(readMcpServers('[]', {})).toMatchObject({ ok: false });
	});

	test('the head of a SKILL.md', () => {
		expect(readSkillHeader('---\nname: pdf\ndescription: "Reads: PDFs"\n---\nbody')).toEqual({
			name: 'pdf',
			description: 'Reads: PDFs',
		});
		expect(readSkillHeader('---\ndescription: >-\n  one\n  two\nname: x\n---\n').description).toBe('one two');
		expect(readSkillHeader('no head')).toEqual({});
	});
});

test('help is asked for by the first argument, not by what is written', () => {
	expect(wantsHelp('read --help')).toBe('long');
	expect(wantsHelp('write -h')).toBe('short');
	expect(wantsHelp('write a.txt use -h')).toBeUndefined();
	expect(wantsHelp('read -helpful')).toBeUndefined();
});

/** Lines as they might come from a model that is confused, or worse. */
const hostileLine = fc.oneof(
	anyText({ maxLength: 200 }),
	fc
		.array(
			fc.oneof(
				fc.constantFrom(
					...['read', 'write', 'edit', 'bash', 'TodoWrite', 'task:', 'task:general', 'skill:', 'skill:a:b', 'mcp:a:b'],
					...[
						'command:search',
						'rm',
						'-rf',
						'"',
						"'",
						'\\',
						'`',
						'$(',
						')',
						'|',
						'&&',
						';',
						'<<EOF',
						'EOF',
						'\n',
						'\t',
					],
					...['--prompt', '-p', '--all', '--offset', '-h', '--help', '{"todos":[', ']}', '\0', '\u202e', '../'],
				),
				fc.string({ maxLength: 8 }),
			),
			{ maxLength: 12 },
		)
		.map((parts) => parts.join(' ')),
);

test('random lines: every reader comes to an end and none throws', () => {
	fc.assert(
		fc.property(hostileLine, (line) => {
			tokenise(line);
			classOf(line);
			readTask(line);
			readReadArguments(line, 10);
			readWriteArguments(line);
			readEditArguments(line);
			readTodos(line, {});
			const extend = readExtend(line);
			if (extend.ok) toolArguments(extend.request.words, { properties: { a: {} } });
			readSkillHeader(line);
			// A name that is excluded is denied, whatever follows it.
			const base = baseCommandOf(line);
			if (base !== '' && !base.includes('/') && !base.endsWith(':')) {
				expect(judgeLine(line, { exclude: [base] }).decision).toBe('deny');
			}
		}),
		{ numRuns: 3000 },
	);
});
