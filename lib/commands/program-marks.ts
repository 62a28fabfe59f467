/** How a program that is no shell may be told to run another. Its words stand in one text, with a NUL behind each. */
export interface ProgramMarks {
	/** What stands before a command line in its words. */
	words?: RegExp;
	/** What stands before one in a line that it reads. */
	input?: RegExp;
	/** With these words it surely reads such lines, so that an unknown input is an unknown command. */
	reads?: RegExp;
	/** Its words, and a text that it reads, are code in which a command stands as a text of its own. */
	isCode?: true;
	/** It gives files other names: a program is itself under any of them. */
	copies?: true;
}

/** At the beginning of a word. */
const marks = (source: string): ProgramMarks => ({ words: new RegExp(`(?<=^|\\0)(?:${source})`, 'gi') });

const SSH = String.raw`(?:-o\0?)?\s*(?:proxy|local|knownhosts)command[= ]`;
const COPY = marks(`-S[=\\0]?|${SSH}`);
const VIM: ProgramMarks = {
	words: /!\s*|\bsystem\(\s*["']/gi,
	input: /^[^!a-z]*(?:re?a?d?\s*|wr?i?t?e?\s+|e\s+)?!/,
};
const PAGER = marks(String.raw`\+?!\s*`);
const MULTIPLEXER = marks(String.raw`(?=[^-\0])`);
const AT: ProgramMarks = { input: /^/, reads: /^(?!.*(?<![^\0])-\w*[bcdflrV])/s };
const FD = marks(String.raw`(?:-x|--exec(?:-batch)?)[=\0]`);
const CODE: ProgramMarks = { isCode: true };

/** Settings of git whose value is a command. */
export const GIT_COMMAND = String.raw`(?:pager\.[\w.*-]*|[\w.*-]+\.(?:\w*(?:command|cmd|editor|pager|proxy|askpass|filter|hook)|fsmonitor|external|textconv|clean|smudge|process|driver|helper|program|uploadpack|receivepack|tunnel))`;
const GIT = [
	String.raw`(?:-x|--(?:exe|ext|upl|rec|ope|tree|ind|msg|env|par|commit-f|set)[\w-]*)[=\0]|-x|-O`,
	String.raw`(?:run|foreach)\0|ext::`,
	// The value of a setting; an alias without "!" is another command of git, perhaps with settings of its own.
	String.raw`${GIT_COMMAND}[=\0]!?|[\w-]+\.[\w.*-]+[=\0]!|alias\.[\w.*-]+[=\0](?:[^\0]*\salias\.[\w.*-]+=!?)?`,
].join('|');

/** By name, in lower case. */
const programs: Readonly<Record<string, ProgramMarks>> = {
	git: marks(GIT),
	rsync: marks(String.raw`-\w*e[=\0]?|--rsh[=\0]|--rsync-path[=\0]`),
	ssh: marks(SSH),
	scp: COPY,
	sftp: COPY,
	tar: marks(
		String.raw`-I|-F|-?[a-z]{0,20}[IF][a-z]{0,20}\0(?:-?[^\0]*\0){0,2}?|--(?:use-c|to-c|info|new)[\w-]*[=\0]|(?:--checkpoint-ac\w*=)?exec=`,
	),
	split: marks(String.raw`--filt[\w-]*[=\0]`),
	m4: { words: /syscmd\(`?/g, input: /^.*?syscmd\(`?/ },
	dc: { words: /!\s*/g, input: /^\s*!/ },
	sort: marks(String.raw`--comp[\w-]*[=\0]`),
	fd: FD,
	fdfind: FD,
	rg: marks(String.raw`--(?:pre|hostname-bin)[=\0]`),
	man: marks(String.raw`(?:-P|-H|--pager|--html)[=\0]?`),
	zip: marks(String.raw`(?:-TT|--unzip-command)[=\0]?`),
	gdb: marks(String.raw`--?args\0|(?:!|shell\s)\s*`),
	less: PAGER,
	more: PAGER,
	...Object.fromEntries(['vim', 'vi', 'nvim', 'view', 'ex', 'ed', 'rvim', 'gvim'].map((name) => [name, VIM])),
	psql: { words: /\\!\s*/g },
	mysql: { words: /(?:\\!|\bsystem\s)\s*/gi },
	sqlite3: { ...marks(String.raw`\s*\.s[hy]\w*\s+`), input: /^\s*\.s[hy]\w*\s+/ },
	make: {
		words: /(?<![^\0])(?:SHELL=|\.SHELLFLAGS=(?:-\w+\s+)?|(?:--eval=)?[^\0:]*:[^\0;]*;[@+-]*)|\$[({]shell\s+|!=\s*/g,
		input: /^(?:.*?\$[({]shell\s+|[^#\t]*!=\s*|\t[@+-]*|[^\t#;]*:[^;]*;)/,
		reads: /(?<![^\0])(?:-\w*f|--\w*file)[\0=]?(?:-\0|\/dev\/)/,
	},
	...Object.fromEntries(['ln', 'cp', 'mv', 'install'].map((name) => [name, { copies: true }])),
	tmux: MULTIPLEXER,
	screen: MULTIPLEXER,
	at: AT,
	batch: AT,
	crontab: { input: /^\s*(?:@\w+|(?:\S+\s+){4}\S+)\s+/, reads: /(?<![^\0])-\0$/ },
	sed: {},
	gsed: {},
};

const INTERPRETER =
	/^(?:(?:python|pypy|perl|ruby|lua|luajit|php|node|irb)[\d.]*|[gmn]?awk|deno|bun|expect|osascript|tclsh|rscript|nodejs|groovy)$/;

/** How a program may be told to run another; undefined for one that is not known to. */
export function marksOf(name: string): ProgramMarks | undefined {
	if (Object.hasOwn(programs, name)) return programs[name];
	return INTERPRETER.test(name) ? CODE : undefined;
}
