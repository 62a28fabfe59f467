import { describe, expect, test } from 'vitest';
import { judgeCommand } from '../command-policy.ts';
import { wrapperRows } from '../wrapper-table.ts';
import { programRows } from './find-program.ts';
import { languages } from './languages.ts';

const ruleOf = (line: string): string => {
	const verdict = judgeCommand(line, { exclude: ['zap'] });
	return verdict.decision === 'pass' ? 'pass' : verdict.rule;
};

describe('R2850 every key in the tables of programs is one that is read', () => {
	const ways = ['runs', 'pipes', 'starts', 'interactive', 'rest', 'file', 'libraries', 'code', 'setting', 'hides'];
	const known = new Set([
		...[
			'names',
			'flags',
			'values',
			'language',
			'codeIn',
			'script',
			'keys',
			'begins',
			'words',
			'wordsAreFiles',
			'copies',
		],
		...ways,
	]);

	test('of programs', () => {
		expect(programRows.flatMap((row) => Object.keys(row)).filter((key) => !known.has(key))).toEqual([]);
		const texts = programRows.flatMap((row) => [row.names, ...ways.map((way) => Reflect.get(row, way) ?? '')]);
		expect(texts.filter((text) => typeof text !== 'string')).toEqual([]);
		expect(programRows.filter(({ language }) => language !== undefined && !(language in languages))).toEqual([]);
	});

	test('of commands that run others', () => {
		const keys = ['names', 'short', 'long', 'words', 'assigns', 'moreOptions', 'scripts', 'joins', 'startsShell'];
		const more = ['readsInput', 'onlyReports', 'guesses', 'anyWord', 'after', 'own'];
		const unknown = wrapperRows.flatMap((row) => Object.keys(row)).filter((key) => ![...keys, ...more].includes(key));
		expect(unknown).toEqual([]);
	});
});

describe('R2851 a program that is found in a folder of the environment is judged by its row', () => {
	test.each(['"$HOME"/bin/gdb -batch -ex "!zap"', '$JAVA_HOME/bin/java -XX:OnError=zap X'])('%s', (line) => {
		expect(ruleOf(line)).toBe('command.excluded');
	});
});

test('R2852 a line with a NUL is not read: shells leave it out, or end there', () => {
	expect(ruleOf('z\0ap x')).toBe('command.unparsable');
	expect(ruleOf('ls')).toBe('pass');
});

describe('R2853 newer tools pass with what they do every day', () => {
	test.each([
		'uv run pytest -m "not slow"',
		'uv run python x.py',
		'bun run build && bun test',
		'deno run -A main.ts --port 8000',
		'cargo run --release -- --help',
		'npx tsx scripts/a.ts',
		'tsx - <<< "console.log(1)"',
		'hyperfine --warmup 3 "sleep 0.1" "sleep 0.2"',
		'just build',
		'mise exec -- node -v',
		'nix develop -c make test',
		'jest --config jest.config.js --outputFile=/dev/stdout',
		'eslint -c eslint.config.js src',
		'pytest -n 4 -q tests',
		'parallel -j4 gzip ::: a b',
		'tmux new -d -s dev "npm run dev"',
		'systemd-run --user --scope make',
		'dotnet build -c Release',
		'go test -ldflags "-s -w" ./...',
	])('%s', (line) => expect(ruleOf(line)).toBe('pass'));
});
