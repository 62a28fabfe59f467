/** How a program that is no shell may be told to run another. */
export interface ProgramOptions {
	/** Options whose value is a command line; a short one may have it attached. */
	lines?: readonly string[];
	/** Words after which a command stands with its arguments. */
	before?: readonly string[];
	/** In any of its words: what the first group finds is a command line. */
	inWords?: RegExp;
	/** Its words, and a text in the line that it reads, are code in which a command stands as a text of its own. */
	isCode?: true;
	/** It gives files other names: a program is itself under any of them. */
	copies?: true;
	/**
	 * It hands lines of its input to a shell: those in which `skips` finds what stands before the command. `reads`: with
	 * these words it reads them for sure, so that an unknown input is an unknown command.
	 */
	input?: { skips: RegExp; reads?: (words: readonly string[]) => boolean };
}

const SSH = /^(?:-o)?\s*(?:proxy|local|knownhosts)command[= ](.+)/is;
const VIM = /!\s*([^\n|]+)|\bsystem\(\s*["'](.+?)["']/i;
const VIM_OPTIONS: ProgramOptions = { inWords: VIM, input: { skips: /^[^!a-z]*(?:re?a?d?\s*|wr?i?t?e?\s+|e\s+)?!/ } };
const PAGER = /^\+?!\s*(.+)/s;
const AT: ProgramOptions = {
	input: { skips: /^/, reads: (words) => !words.some((word) => /^-\w*[bcdflrV]/.test(word)) },
};
const COPIES: ProgramOptions = { copies: true };
const CODE: ProgramOptions = { isCode: true };
const FD: ProgramOptions = { before: ['-x', '-X', '--exec', '--exec-batch'] };
const RSYNC: ProgramOptions = { lines: ['-e', '--rsh', '--rsync-path'] };
const MULTIPLEXER: ProgramOptions = { inWords: /^([^-].*)/s };

/** By name, in lower case. */
const programs: Readonly<Record<string, ProgramOptions>> = {
	git: {
		lines: [
			...['-x', '--exec', '--extcmd', '--upload-pack', '--receive-pack', '--open-files-in-pager', '--tree-filter'],
			...['--index-filter', '--msg-filter', '--env-filter', '--parent-filter', '--commit-filter', '--setup'],
		],
		before: ['run', 'foreach'],
		inWords: /^ext::(.+)|^-O(.+)/s,
	},
	rsync: RSYNC,
	ssh: { inWords: SSH },
	scp: { lines: ['-S'], inWords: SSH },
	sftp: { lines: ['-S'], inWords: SSH },
	tar: {
		lines: ['-I', '-F', '--use-compress-program', '--to-command', '--info-script', '--new-volume-script'],
		inWords: /^(?:--checkpoint-ac\w*=)?exec=(.+)/s,
	},
	sort: { lines: ['--compress-program'] },
	fd: FD,
	fdfind: FD,
	rg: { lines: ['--pre', '--hostname-bin'] },
	man: { lines: ['-P', '-H', '--pager', '--html'] },
	zip: { lines: ['-TT', '--unzip-command'] },
	gdb: { before: ['--args', '-args'], inWords: /^(?:!|shell\s)\s*(.+)/s },
	less: { inWords: PAGER },
	more: { inWords: PAGER },
	...Object.fromEntries(['vim', 'vi', 'nvim', 'view', 'ex', 'ed', 'rvim', 'gvim'].map((name) => [name, VIM_OPTIONS])),
	psql: { inWords: /\\!\s*(.+)/s },
	mysql: { inWords: /(?:\\!|\bsystem\s)\s*(.+)/s },
	sqlite3: { inWords: /^\s*\.s[hy]\w*\s+(.+)/s, input: { skips: /^\s*\.s[hy]\w*\s+/ } },
	make: {
		inWords: /^SHELL=(.+)|\$[({]shell\s+([^)}]+)|^(?:--eval=)?[^:]*:[^;]*;(.+)|!=\s*(.+)/s,
		input: {
			skips: /^(?:.*?\$[({]shell\s+|[^#\t]*!=\s*|\t[@+-]*|[^\t#;]*:[^;]*;)/,
			reads: (words) => /(?:^| )(?:-\w*f|--\w*file)[ =]?(?:-|\/dev\/\S+)(?: |$)/.test(words.join(' ')),
		},
	},
	ln: COPIES,
	cp: COPIES,
	mv: COPIES,
	install: COPIES,
	tmux: MULTIPLEXER,
	screen: { ...MULTIPLEXER, before: ['-dm', '-dmS', '-m', '-D'] },
	at: AT,
	batch: AT,
	crontab: {
		input: { skips: /^\s*(?:@\w+|(?:\S+\s+){4}\S+)\s+/, reads: (words) => words.at(-1) === '-' },
	},
	sed: {},
	gsed: {},
	...Object.fromEntries(
		['awk', 'gawk', 'mawk', 'nawk', 'deno', 'bun', 'expect', 'osascript', 'tclsh', 'rscript', 'nodejs', 'groovy'].map(
			(name) => [name, CODE],
		),
	),
};

const INTERPRETER = /^(?:python|pypy|perl|ruby|lua|luajit|php|node|irb)[\d.]*$/;

/** How a program may be told to run another; undefined for one that is not known to. */
export function optionsOf(name: string): ProgramOptions | undefined {
	if (Object.hasOwn(programs, name)) return programs[name];
	return INTERPRETER.test(name) ? CODE : undefined;
}
