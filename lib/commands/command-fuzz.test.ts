// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are command lines, not templates.
import { spawnSync } from 'node:child_process';
import {
	chmodSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { anyText } from '../text/testing/any-text.ts';
import { judgeCommand } from './command-policy.ts';
import { LineJudge } from './line-judge.ts';
import { MAX_STEPS, StepBudget, TooManySteps } from './step-budget.ts';
import { quoted, wrappings } from './testing/wrappings.ts';

vi.setConfig({ testTimeout: 120_000 });

const exclude = ['zap'];
const judge = (line: string) => judgeCommand(line, { exclude });
/** Ways to write the forbidden command itself. */
const spellings = [
	'zap x',
	'/bin/zap x',
	'"zap" x',
	"z'a'p x",
	'z\\ap x',
	"$'z\\x61p' x",
	'{zap,x}',
	'A=zap; $A x',
	'env zap',
	'command zap',
];
const harmless = [
	'ls -la',
	'echo zap',
	"echo 'ls; zap x'",
	'grep -r zap .',
	'git commit -m "zap"',
	'X=1 make zap',
	'cat f | wc -l',
];

const nested = (base: fc.Arbitrary<string>) =>
	fc
		.tuple(base, fc.array(fc.constantFrom(...wrappings), { maxLength: 4 }))
		.map(([line, around]) => around.reduce((inner, wrap) => wrap(inner), line));

describe('any command line', () => {
	it('a forbidden command stays denied however it is wrapped', () => {
		const denied = nested(fc.constantFrom(...spellings));
		fc.assert(
			fc.property(denied, (line) => void expect([line, judge(line).decision]).toEqual([line, 'deny'])),
			{ numRuns: 800 },
		);
	});

	it('harmless lines pass however they are wrapped', () => {
		fc.assert(
			fc.property(
				nested(fc.constantFrom(...harmless)),
				(line) => void expect([line, judge(line)]).toEqual([line, { decision: 'pass' }]),
			),
			{ numRuns: 800 },
		);
	});

	it('any text is judged without a failure', () => {
		const soup = fc.array(fc.constantFrom(...tokens), { maxLength: 40 }).map((parts) => parts.join(''));
		fc.assert(
			fc.property(fc.oneof(soup, anyText({ maxLength: 200 })), (line) => {
				const verdict = judge(line);
				if (verdict.decision === 'deny') expect(verdict.reason).not.toBe('');
			}),
			{ numRuns: 3000 },
		);
	});

	it.each([
		['many commands', 'command.too-long', 'a;'.repeat(60_000)],
		['many pipes', 'command.too-long', `${'a|'.repeat(60_000)}a`],
		['deep groups', 'command.unparsable', `${'('.repeat(5000)}zap${')'.repeat(5000)}`],
		['deep substitutions', 'command.too-long', `${'$('.repeat(5000)}zap${')'.repeat(5000)}`],
		['a long sum', 'command.unparsable', `((${'1+'.repeat(60_000)}1))`],
		['many braces', 'command.excluded', `${'{a,b}'.repeat(5000)} x`],
		['nested braces', 'command.excluded', `${'{a,'.repeat(5000)}b${'}'.repeat(5000)} x`],
		['open braces', 'pass', `${'{a,'.repeat(20_000)} x`],
		['many wrappers', 'command.too-long', `${'sudo '.repeat(40_000)}ls`],
		['many guessed wrappers', 'command.too-long', `${'strace -x '.repeat(10_000)}ls`],
		['many unknown options', 'command.too-long', `${'timeout "$T" '.repeat(5000)}ls`],
		['nested loops', 'command.unknowable', `${'for c in a b; do $c; '.repeat(100)}${'done;'.repeat(100)}`],
		[
			'shells in shells',
			'command.too-long',
			Array.from({ length: 14 }).reduce<string>((inner) => `bash -c ${quoted(inner)}`, 'ls'),
		],
		['many values', 'command.too-long', `${'X=a; X=$X$X; '.repeat(1000)}$X`],
		['a long name', 'command.too-long', 'a'.repeat(200_000)],
		['many stars', 'command.excluded', `${'*'.repeat(50_000)} x`],
		['a line that is too long', 'command.too-long', 'a'.repeat(300_000)],
		['many finds', 'command.too-long', `${'find -exec '.repeat(10_000)};`],
		['many replacements', 'command.too-long', `sed '${'s/a/'.repeat(60_000)}' f`],
		['many open quotes of code', 'command.too-long', `perl -e '${'system %x( qx/ " '.repeat(10_000)}'`],
		['many texts in code', 'command.too-long', `node -e "${"exec('ls'); ".repeat(20_000)}"`],
		['many words behind a chosen program', 'command.too-long', `$NODE ${'x '.repeat(60_000)}`],
		['many settings', 'command.too-long', `git ${'-c alias.x=!ls '.repeat(10_000)}x`],
		['many quotes', 'command.too-long', `'"`.repeat(50_000)],
		[
			'many assignments that may not happen',
			'command.too-long',
			Array.from({ length: 5000 }, (_, index) => `X${index}=a`).join(' && '),
		],
		[
			'many functions',
			'command.too-long',
			Array.from({ length: 5000 }, (_, position) => `f${position}() { a; }`).join('\n'),
		],
		['many here-documents on one line', 'command.too-long', `cat ${'<<E '.repeat(20_000)}\n`],
		['deep defaults', 'command.too-long', `${'${a:-'.repeat(10_000)}b${'}'.repeat(10_000)}`],
		['deep sums', 'command.too-long', `${'$(('.repeat(10_000)}1${'))'.repeat(10_000)}`],
		['many lines for an editor', 'pass', `vim -c '${'\n'.repeat(100_000)}'`],
		['many blanks for an editor', 'pass', `vim -c ':${' '.repeat(100_000)}'`],
		['many blanks in a substitution', 'command.too-long', `$(a${' '.repeat(100_000)}b)`],
		['many escaped quotes in code', 'command.too-long', `node -e 'exec("${'\\"'.repeat(50_000)}'`],
		['many words that quote in code', 'command.too-long', `perl -e '${'q{'.repeat(50_000)}'`],
	])('is judged in bounded time: %s', (_, wanted, line) => {
		const verdict = judge(line);
		expect(verdict.decision === 'pass' ? 'pass' : verdict.rule).toBe(wanted);
	});

	it.each([
		['lines', (pad: string) => `python3 -c 'system(${pad}"zap")'`, '\n'],
		['blanks between arguments', (pad: string) => `python3 -c 'system("env",${pad}"zap")'`, ' '],
		['blanks in a text', (pad: string) => `python3 -c 'system("${pad}zap")'`, ' '],
	])('code is searched as well behind 30,000 %s, for the steps of its length', (_, code, sign) => {
		const costs = [0, 15_000, 30_000].map((count) => {
			const judge = new LineJudge(exclude);
			judge.line(code(sign.repeat(count)));
			expect(judge.denial).toMatchObject({ rule: 'command.excluded', command: 'zap' });
			return judge.budget.spent;
		});
		const [none = 0, half = 0, all = 0] = costs;
		expect((all - none) / (half - none)).toBeCloseTo(2, 1);
	});
});

const spent = (line: string): number => {
	const judge = new LineJudge(exclude);
	expect(() => judge.line(line)).toThrow(TooManySteps);
	return judge.budget.spent;
};

describe('R1160 a line that would cost too much is not followed to its end', () => {
	it.each([
		['commands', 'a;'.repeat(30_000)],
		['assignments', Array.from({ length: 8000 }, (_, position) => `X${position}=a`).join(' && ')],
		['functions', Array.from({ length: 6000 }, (_, position) => `f${position}() { a; }`).join('\n')],
		['aliases', Array.from({ length: 6000 }, (_, position) => `alias x${position}=y`).join(';')],
		['substitutions in substitutions', `${'"$('.repeat(15_000)}a${')"'.repeat(15_000)}`],
		['sums in sums', `${'$(('.repeat(15_000)}1${'))'.repeat(15_000)}`],
		['defaults in defaults', '${a:-'.repeat(20_000)],
		['here-documents on one line', `cat ${'<<E '.repeat(20_000)}\n`],
		['arms', `case x in ${'a) b;;'.repeat(15_000)} esac`],
		['code', `node -e "${"exec('ls'); ".repeat(8000)}"`],
		['words', `sudo ${'A=1 '.repeat(30_000)}`],
	])('R1160 %s', (_, line) => {
		expect(spent(line)).toBeGreaterThan(MAX_STEPS);
		expect(judge(line)).toMatchObject({ decision: 'deny', rule: 'command.too-long' });
		expect(judge(`zap; ${line}`).decision).toBe('deny');
	});

	it.each([
		['commands', 'ls;'],
		['commands that may run', 'ls && '],
		['assignments and uses', 'X=ls; $X; '],
		['loops', 'for f in a b; do ls $f; done; '],
		['functions', 'f() { ls; }\n'],
		['substitutions', 'echo $(ls "$(ls)"); '],
		['here-documents', 'cat <<E\n$(ls)\nE\n'],
		['arms', 'case x in a) ls;; esac; '],
		['texts for a shell', "bash -c 'ls; ls'; "],
		['sums', 'x=$((x + 1)); '],
		['wrappers', 'sudo -u bob timeout 5 ls; '],
		['comments and quotes', 'ls \'a\' "b" # c\n'],
	])('R1160 twice the %s cost twice the steps', (_, part) => {
		const costOf = (times: number): number => {
			const judge = new LineJudge(exclude, new StepBudget(Number.POSITIVE_INFINITY));
			judge.line(`${part.repeat(times)}ls`);
			return judge.budget.spent;
		};
		expect(costOf(200) / costOf(100)).toBeLessThan(2.2);
		expect(costOf(100)).toBeGreaterThan(100);
	});

	it('R1160 a mebibyte is not read at all, a long text that is only written passes', () => {
		expect(judge('a;'.repeat(512 * 1024))).toMatchObject({ decision: 'deny', rule: 'command.too-long' });
		const text = 'const zap = `${x}`; // <a href="$(y)">\n'.repeat(3000);
		expect(judge(`cat > f <<'E'\n${text}E\n`)).toEqual({ decision: 'pass' });
		expect(judge(`printf '%s' '${text}' > f`)).toEqual({ decision: 'pass' });
	});

	it('R1160 what a script of some hundred lines costs is far below the limit', () => {
		const loopLine =
			'for f in src/*.ts; do if grep -q "$f" list; then echo "$(basename "$f")" | tee -a out; fi; done\n';
		const judge = new LineJudge(exclude);
		judge.line(`bash <<'E'\n${loopLine.repeat(60)}E\n`);
		expect(judge.denial).toBeUndefined();
		expect(judge.budget.spent).toBeLessThan(MAX_STEPS / 2);
	});
});

/** Pieces of command lines that are harmless in every combination. */
const tokens = [
	...['zap', 'z', 'ap', 'zap x', 'za', 'p', 'echo ', 'true ', 'cat ', ' ', ' ', ' ', '\n', ';', '&&', '||', '|', '!'],
	...[
		'(',
		')',
		'{ ',
		'; }',
		'$(',
		'`',
		'"',
		"'",
		'\\',
		'$',
		'${',
		'}',
		'$X',
		'${X}',
		'"$X"',
		'X=',
		'Y=$X',
		'X=zap',
		'X=z',
	],
	...[
		'$((',
		'))',
		'[[ ',
		' ]]',
		'<(',
		'<<<',
		'<<E\n',
		'\nE\n',
		'<',
		'#',
		'*',
		'?',
		'[z]',
		'{z,a}',
		',',
		'$@',
		'$1',
		'~',
		'=',
	],
	...[
		'eval ',
		'exec ',
		'command ',
		'env ',
		'bash -c ',
		'sh -c ',
		'set -- ',
		'alias ',
		'printf ',
		'xargs ',
		'trap ',
		'EXIT',
	],
	...[
		'if ',
		'then ',
		'fi',
		'for c in ',
		'do ',
		'done',
		'case x in ',
		'x) ',
		';; ',
		'esac',
		'nice ',
		'time ',
		"$'",
		'$"',
		'\\x7a',
		'unset X',
		'read X ',
	],
];

/** Words between a wrapper and its command, as its manual has them; a list of its own, so that the policy's may lose none. */
const WRAPPERS: Readonly<Record<string, readonly string[]>> = {
	env: ['', '-i', '-', 'A=1 B=2', '-u A', '-uA --', '--unset=A', '-C .', '-S', '-iS', '--ignore-env'],
	nice: ['', '-n 5', '-n5', '-5', '--adjustment=5', '--adj 5', '--'],
	timeout: [
		'5',
		'-k 1 5',
		'-s KILL 5s',
		'--signal KILL 5',
		'--sig=9 5',
		'--foreground 5',
		'-v 5',
		'--preserve-status 5',
		'-- 5',
	],
	nohup: ['', '--'],
	setsid: ['-w', '-cw', '--wait'],
	stdbuf: ['-oL', '-o L', '-i 0 -o0', '--output=L'],
	xargs: ['', '-n 1', '-n1 -P2', '-t --', '-L 1', '--max-args 1', '-x', '-I %', '-rn1'],
	flock: ['f', '-x f', '-w 1 f', '--timeout 1 f'],
	chrt: ['-o 0', '--other 0'],
	ionice: ['-c 3', '-c3 -t', '--class 3'],
	taskset: ['-c 0', '1', '--cpu-list 0'],
	prlimit: ['--nofile=64', '-n64'],
	choom: ['-n 0 --'],
	setarch: ['-R', '--addr-no-randomize'],
};

/** Each was once a way past the policy. */
const OTHER_WAYS = [
	"ln -s /dev/stdin q; bash q <<< 'zap x'",
	"ln -s /dev/stdin q; echo 'zap x' | bash q",
	"ln -s /dev/stdin q; . ./q <<< 'zap x'",
	'export BASH_{ENV,X}=/dev/stdin; bash -c : <<< "zap x"',
	"export $(printf 'BASH_%s=/dev/%s' ENV stdin); bash -c : <<< 'zap x'",
	"set -k; bash -c : BASH_ENV=/dev/stdin <<< 'zap x'",
	'x=ls; read -rax <<< zap; $x',
	'x=a; echo "${x:\'$(zap)\'}"',
	'set -o history -H\necho zap x\n!!:1 y',
	'for ((;;)) { zap; break; }',
	'echo $((zap x) )',
	'cat <<E\n\\\nE\nzap x',
];

describe('what a real shell runs', () => {
	const root = mkdtempSync(join(tmpdir(), 'policy-'));
	const bin = join(root, 'bin');
	const log = join(root, 'log');
	mkdirSync(bin);
	const plain = ['bash', 'sh', 'cat', 'true', 'ls', 'ln', 'find'];
	for (const name of [...plain, ...Object.keys(WRAPPERS)]) {
		const found = ['/usr/bin', '/bin'].map((folder) => join(folder, name)).find((path) => existsSync(path));
		if (found) symlinkSync(found, join(bin, name));
	}
	writeFileSync(join(bin, 'zap'), `#!/bin/sh\necho "$0 $*" >> ${log}\n`);
	chmodSync(join(bin, 'zap'), 0o755);
	afterAll(() => rmSync(root, { recursive: true, force: true }));

	/** Whether bash ran the forbidden command for this line. */
	function ran(line: string): boolean {
		rmSync(log, { force: true });
		const work = join(root, 'work');
		rmSync(work, { recursive: true, force: true });
		mkdirSync(work);
		const limits = 'ulimit -t 2 -f 1000 2>/dev/null; ';
		spawnSync('/bin/bash', ['--norc', '-c', `${limits}\n${line}`], {
			cwd: work,
			env: { NODE_ENV: 'test', PATH: bin, HOME: work },
			input: 'a\n',
			stdio: ['pipe', 'ignore', 'ignore'],
			timeout: 3000,
			killSignal: 'SIGKILL',
		});
		return existsSync(log) && readFileSync(log, 'utf8') !== '';
	}

	it('R469 the recorder works', () => {
		expect(ran('ls; zap x')).toBe(true);
		expect(ran('ls; echo zap')).toBe(false);
	});

	it.each(Object.entries(WRAPPERS).filter(([name]) => existsSync(join(bin, name))))(
		'what %s runs is denied, behind options of any spelling',
		(name, ways) => {
			const lines = ways.flatMap((way) => [`${name} ${way} zap x`, `${name} ${way} sh -c 'zap x'`]);
			expect(lines.some(ran)).toBe(true);
			expect(lines.filter((line) => judge(line).decision === 'pass' && ran(line))).toEqual([]);
		},
	);

	it.each(OTHER_WAYS)('bash runs it by: %s', (line) => {
		expect([ran(line), judge(line).decision]).toEqual([true, 'deny']);
	});

	it('R469 no line that passes runs the forbidden command', () => {
		const soup = fc
			.array(fc.constantFrom(...tokens), { minLength: 2, maxLength: 14 })
			.map((parts) => parts.join(''))
			.filter((line) => !line.includes('\0') && judge(line).decision === 'pass' && /z|X|eval|\$|`/.test(line));
		fc.assert(
			fc.property(soup, (line) => void expect([line, ran(line)]).toEqual([line, false])),
			{ numRuns: 100, endOnFailure: true },
		);
	});
});
