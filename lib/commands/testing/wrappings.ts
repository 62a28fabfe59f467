// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are command lines, not templates.
export const quoted = (text: string) => `'${text.replace(/'/g, "'\\''")}'`;
const inDouble = (text: string) => `"${text.replace(/["\\$`]/g, '\\$&')}"`;

type Wrapping = (line: string) => string;

/** Text around a command line that does not change that it runs. */
export const wrappings: readonly [Wrapping, ...Wrapping[]] = [
	(line) => `ls; ${line}`,
	(line) => `true && ${line}`,
	(line) => `false || ${line}`,
	(line) => `ls | { ${line}; }`,
	(line) => `( ${line} )`,
	(line) => `{ ${line}; }`,
	(line) => `! ( ${line} )`,
	(line) => `if true; then ${line}; fi`,
	(line) => `while ${line}; do break; done`,
	(line) => `for i in 1; do ${line}; done`,
	(line) => `case x in x) ${line} ;; esac`,
	(line) => `f() { ${line}; }; f`,
	(line) => `echo $( ${line} )`,
	(line) => `echo "a $( ${line} ) b"`,
	(line) => `X=$( ${line} )`,
	(line) => `cat <( ${line} )`,
	(line) => `echo $(( 1 + $( ${line} ) ))`,
	(line) => `[[ -n $( ${line} ) ]]`,
	(line) => `bash -c ${quoted(line)}`,
	(line) => `sh -c ${inDouble(line)}`,
	(line) => `eval ${quoted(line)}`,
	(line) => `trap ${quoted(line)} EXIT`,
	(line) => `env A=1 bash -c ${quoted(line)}`,
	(line) => `sudo -u bob bash -c ${quoted(line)}`,
	(line) => `nice -n 3 timeout 5 bash -c ${quoted(line)}`,
	(line) => `xargs sh -c ${quoted(line)} _`,
	(line) => `find . -exec sh -c ${quoted(line)} \\;`,
	(line) => `watch ${quoted(line)}`,
	(line) => `flock f -c ${quoted(line)}`,
	(line) => `( bash <<'END_${line.length}'\n${line}\nEND_${line.length}\n)`,
	(line) => `bash <<< ${quoted(line)}`,
	(line) => `{ ls # a comment\n${line}; }`,
];
