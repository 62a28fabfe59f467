// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are command lines, not templates.
import { describe, expect, test } from 'vitest';
import { judgeCommand } from './command-policy.ts';

/** Every one of these runs zap in bash, by a way that is not a command's name. */
const RUNS_ZAP: Readonly<Record<string, readonly string[]>> = {
	'tables in which names are looked up': [
		'BASH_CMDS[ls]=/p/bin/zap; ls',
		'declare -A BASH_CMDS=([ls]=/p/bin/zap); ls',
		'printf -v BASH_CMDS[ls] /p/bin/zap; ls',
		'read BASH_CMDS[ls] <<< /p/bin/zap; ls',
		': ${BASH_CMDS[ls]:=/p/bin/zap}; ls',
		'declare -n r=BASH_CMDS; r[ls]=/p/bin/zap; ls',
		'BASH_ALIASES[ls]=zap; shopt -s expand_aliases\nls',
	],
	'indexes and values of declarations': [
		"declare 'b[$(zap)]=1'",
		"typeset 'b[`zap`]'",
		"declare -a 'b=($(zap))'",
		'x=\'b[$(zap)]\'; declare "$x=1"',
		"local 'b[$(zap)]=1'",
		'declare "b[$X]=1"',
		'declare "$X"',
	],
	'arithmetic on values that are computed': [
		"read x <<< 'a[$(zap)]'; ((x))",
		"read x <<< 'a[$(zap)]'; [[ x -gt 0 ]]",
		"read x <<< 'a[$(zap)]'; [[ $x -gt 0 ]]",
		"read x <<< 'a[$(zap)]'; echo $((x))",
		"read x <<< 'a[$(zap)]'; y=$x; let y+=1",
		"read x <<< 'a[$(zap)]'; for ((i=x;i<1;i++)); do :; done",
		"read x <<< 'a[$(zap)]'; echo ${b[x]}",
		"read x <<< 'a[$(zap)]'; b[$x]=1",
		"read x <<< 'a[$(zap)]'; echo ${b:x}",
		"c=read; $c x <<< 'a[$(zap)]'; ((x))",
		"command read x <<< 'a[$(zap)]'; eval '((x))'",
		"x=$(printf 'a[$(%s)]' zap); ((x))",
		"export x=$(printf 'a[$(%s)]' zap); bash -c '((x))'",
		"echo $(( $(printf 'a[$(%s)]' zap) ))",
		"printf -v x 'a[$(%s)]' zap; ((x))",
		"declare -i n; read n <<< 'a[$(zap)]'",
		"declare -i n; for n in 'a[$(zap)]'; do :; done",
		"declare -i n; : ${n:='a[$(zap)]'}",
		"declare -ai n; n=('a[$(zap)]')",
		"f() { (($1)); }; f 'a[$(zap)]'",
		"set -- 'a[$(zap)]'; (($1))",
		"wc() { printf 'a[$(%s)]' zap; }; x=$(wc -l); ((x))",
	],
	'wrappers and start files': [
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
	'i=0; while read -r l; do ((i++)); done < f; echo $i',
	'for i in 1 2 3; do echo $((i * 2)); done',
	'for i in {1..10}; do (( i % 2 )) && echo $i; done',
	'start=$(date +%s); npm test; echo $(( $(date +%s) - start ))',
	'n=$(git status --short | wc -l); [[ $n -gt 0 ]] && echo dirty',
	'[[ $# -gt 0 && $? -eq 0 ]] && echo $((PORT + 1))',
	'declare -A m; while read -r k v; do m[$k]=$v; done < f; echo "${m[$k]}"',
	'f() { echo $(( $1 + 1 )); }; f 3',
	'x=5; y=$((x + 1)); let z=y+1; [ "$z" -gt 3 ]',
	'a=(1 2 3); for ((i=0; i<${#a[@]}; i++)); do echo "${a[$i]}"; done',
	'v=$(node -p 1); [ "$v" -gt 3 ] && echo yes',
];

const named = Object.entries(RUNS_ZAP).flatMap(([rule, lines]) => lines.map((line) => [rule, line] as const));

describe('commands by other ways', () => {
	test.each(named)('%s: %s', (_rule, line) => {
		expect(judgeCommand(line, { exclude: ['zap'] })).toMatchObject({
			decision: 'deny',
			rule: expect.stringMatching(/^command\.(excluded|unknowable)$/),
		});
	});

	test.each(PASSES_ZAP)('leaves alone: %s', (line) => {
		expect(judgeCommand(line, { exclude: ['zap'] })).toEqual({ decision: 'pass' });
	});
});
