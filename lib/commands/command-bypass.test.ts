// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are command lines, not templates.
import { describe, expect, test } from 'vitest';
import { judgeCommand } from './command-policy.ts';

/** Every one of these runs zap in bash, by a way that is not a command's name. */
const RUNS_ZAP: Readonly<Record<string, readonly string[]>> = {
	'R871 tables in which names are looked up': [
		'BASH_CMDS[ls]=/p/bin/zap; ls',
		'declare -A BASH_CMDS=([ls]=/p/bin/zap); ls',
		'printf -v BASH_CMDS[ls] /p/bin/zap; ls',
		'read BASH_CMDS[ls] <<< /p/bin/zap; ls',
		': ${BASH_CMDS[ls]:=/p/bin/zap}; ls',
		'declare -n r=BASH_CMDS; r[ls]=/p/bin/zap; ls',
		'BASH_ALIASES[ls]=zap; shopt -s expand_aliases\nls',
	],
	'R872 indexes and values of declarations': [
		"declare 'b[$(zap)]=1'",
		"typeset 'b[`zap`]'",
		"declare -a 'b=($(zap))'",
		'x=\'b[$(zap)]\'; declare "$x=1"',
		"local 'b[$(zap)]=1'",
		'declare "b[$X]=1"',
		'declare "$X"',
	],
	'R874 wrappers and start files': [
		'script --comm=zap f',
		"script --com 'zap x' f",
		'script -qczap f',
		'bash --rcfile <(echo zap) -i <<< exit',
		'bash --init-file <(echo zap) -i -c exit',
		"ENV='$(zap)' sh -i -c ls",
		'ENV=$(printf x) sh -i -c ls',
		'ENV=<(echo zap) sh -i -c ls',
		'bwrap --bind / / zap',
		'bwrap --ro-bind / / --dev /dev sh -c zap',
		'/lib64/ld-linux-x86-64.so.2 /bin/bash -c zap',
		'/lib/ld-musl-x86_64.so.1 --library-path /lib /p/bin/zap',
		'set -o history\nhistory -s zap\nfc -s',
		'history -s zap',
		'fc -s',
		'fc -e -',
	],
};

const PASSES_ZAP = [
	'history 20',
	'fc -l',
	'declare -A m=([a]=1); echo "${m[a]}"',
	'declare -a list=("$X" b)',
	'local x="$1"; declare y=$(cat f)',
	'export "$LINE"; export $(cat .env)',
	'script -q f -c "npm test"',
	'ENV=prod npm start; ENV=$STAGE npm start',
	'bash --rcfile ~/.bashrc -c ls',
	'bwrap --ro-bind / / --dev /dev npm test',
	'echo BASH_CMDS',
];

const named = Object.entries(RUNS_ZAP).flatMap(([rule, lines]) => lines.map((line) => [rule, line] as const));

describe('commands by other ways', () => {
	test.each(named)('%s: %s', (_rule, line) => {
		expect(judgeCommand(line, { exclude: ['zap'] })).toMatchObject({
			decision: 'deny',
			rule: expect.stringMatching(/^command\.(excluded|unknowable)$/),
		});
	});

	test.each(PASSES_ZAP)('R875 leaves alone: %s', (line) => {
		expect(judgeCommand(line, { exclude: ['zap'] })).toEqual({ decision: 'pass' });
	});
});
