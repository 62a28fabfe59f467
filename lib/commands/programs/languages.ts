/**
 * What is known about a language in which a program receives code. In a language of commands each line is either harmless or a
 * question; in a language of code some words start programs, and some reach any function by a computed name.
 */
export type Language = CommandLanguage | CodeLanguage | ShellLines;

/** A language whose lines are shell lines, as of a crontab. */
export interface ShellLines {
	kind: 'shell';
	/** Matches what precedes the command in a line. */
	before: RegExp;
}

/** A language of single commands: of an editor or a debugger. */
export interface CommandLanguage {
	kind: 'commands';
	/** Between two commands. */
	between: RegExp;
	/** A whole command that starts nothing. */
	harmless: RegExp;
	/** Matches what precedes the part of a command that goes to a shell. */
	toShell: RegExp;
}

/** A language in which words may start programs. */
export interface CodeLanguage {
	kind: 'code';
	/** A word that starts a program: its argument must be plain text. */
	starts: RegExp;
	/** Words that reach functions by a computed name, or run a text as code. */
	composes: RegExp;
	/** A word of `starts` counts only before parentheses, or if it is passed on; else anywhere. */
	inParentheses?: true;
	/** Letters of names have equivalent forms: `ｅｖａｌ` is `eval`. */
	foldsLetters?: true;
	/** Texts and patterns, inside which `starts` does not apply. */
	masked?: RegExp;
	/** Code that names one of these modules has further such words. */
	modules?: { named: RegExp; starts: RegExp; composes: RegExp };
	/** Matches what inserts a value inside double quotes. */
	interpolates?: RegExp;
	/** Quotes whose content is run. */
	runsQuoted?: RegExp;
}

/** In any language: a letter written as its number, or a word composed of two texts. */
const MADE_WORD = String.raw`\\(?:x[4-7][0-9a-fA-F]|x\{|u00[4-7]|u\{|1[0-7][0-7])|[A-Za-z]["'\x60]\s*(?:\+|\.{1,2})\s*["'\x60][A-Za-z]`;

const words = (...sources: string[]): RegExp => new RegExp(sources.join('|'));
const NOTHING = /(?!)/g;
const starts = (source: string): RegExp => new RegExp(source, 'g');

const PYTHON: CodeLanguage = {
	kind: 'code',
	foldsLetters: true,
	inParentheses: true,
	starts: starts(
		String.raw`\b(?:system|popen[2-4]?|exec[lv]p?e?|spawn[lv]p?e?|posix_spawnp?|startfile|getoutput|getstatusoutput|check_output|check_call|Popen|create_subprocess_(?:shell|exec))\b`,
	),
	modules: { named: /\bsubprocess\b/, starts: starts(String.raw`\b(?:run|call)\b`), composes: NOTHING },
	composes: words(
		String.raw`(?<![.\w])(?:eval|exec|getattr|setattr|globals|locals|vars|breakpoint)\b(?!["'])`,
		String.raw`(?<!\bre\s*\.\s*)\bcompile\s*\(`,
		String.raw`\b__(?!(?:name|main|file|init|doc|version|all|str|repr|len|iter|next|enter|exit|future|class|eq|hash)__)\w+__`,
		String.raw`\b(?:import|from)\s[^\n;]*\b(?:builtins|importlib|ctypes|cffi|pickle|marshal|runpy|operator|types|code|codeop|timeit|cProfile|profile|pdb|bdb|trace|doctest|imaplib|multiprocessing|pty|tkinter|webbrowser|mailcap|pydoc|distutils|setuptools|sh|plumbum|invoke|fabric|pexpect|ptyprocess|delegator|IPython|trio|anyio|site|zipimport|pkgutil|posix|nt|pip|shelve|gc|inspect|_osx_support|_bootsubprocess|_posixsubprocess)\b`,
		String.raw`\b(?:executable|preexec_fn)\s*=`,
		String.raw`\b(?:get_field|DictConfigurator|BaseConfigurator|script_helper|_importer|_get_target|_get_command_stdout|_read_output)\b|(?<![.\w])help\s*\(|\benviron\b[^\n;]*(?:PAGER|EDITOR|BROWSER)`,
		String.raw`\bsys\s*\.\s*(?:modules|_getframe|meta_path|path_hooks|settrace|setprofile)\b|\bas\s+os\b|\bos\s*\[`,
		String.raw`\b(?:symlink|link|copy\w*|move|rename|replace)\s*\(\s*["'][^"']*\/s?bin\/|\.\s*builtins\b|\b_popen\b|\beditor\s*=`,
		// What IPython passes to a shell.
		String.raw`(?:^|\n)\s*(?:!|%{1,2}(?:system|sx|bash|sh|script|run|alias)\b)`,
		String.raw`\bfrom\s+(?:os|subprocess)\s+import\b[^\n;]*(?:\*|\bas\b)`,
		MADE_WORD,
	),
};

const PLAIN_MODULE = String.raw`\s*\(\s*(["'\x60])[\w./:@-]*\1\s*[,)]`;

const JAVASCRIPT: CodeLanguage = {
	kind: 'code',
	inParentheses: true,
	starts: NOTHING,
	modules: {
		named: /child_process|\b(?:Deno|Bun|execa|shelljs|cross-spawn|zx|node-pty)\b|\$(?=\x60)/,
		starts: starts(
			String.raw`\b(?:execSync|execFile|execFileSync|spawn|spawnSync|fork|exec|Command|command)\b|\$(?=\x60)`,
		),
		composes: words(
			String.raw`[\w)\]]\s*\??\.?\[(?!\s*(?:\d|-|["'\x60][\w.-]*["'\x60]\s*\]))`,
			String.raw`\b(?:exec\w*|spawn\w*|fork)\s*:|\b(?:exec|spawn|fork)\w*\s+as\b|\[\s*["'\x60](?:exec|spawn|fork)\w*["'\x60]\s*\]|\bObject\s*\.\s*(?:values|entries|getOwn\w+)|\bshell\s*:\s*[^tf\s]|\bargv0\b`,
		),
	},
	composes: words(
		String.raw`\beval\b|\bFunction\b(?!["'])|\bconstructor\b|\bReflect\b|\bWebAssembly\b|\bexecPath\b|\bexecArgv\b|\bgetOwnPropertyDescriptors?\b`,
		String.raw`\bprocess\s*\??\.\s*(?:binding|_linkedBinding|mainModule|dlopen|execve)\b`,
		// The objects through which all others can be reached, if they are passed on.
		String.raw`\b(?:process|globalThis|global|module|require)\b\s*(?:[;,)\]}|&=\n]|$|\/[*/])|\bthis\s*(?:[;,)\]}|&\n]|$)|\b(?:in|of)\s+(?:process|globalThis|global|module)\b`,
		String.raw`\b(?:vm|repl|cluster|worker_threads|inspector)\s*\??\.\s*\w|\b(?:from|import)\s*["'\x60]data:`,
		// A call of a member with a computed name.
		String.raw`[\w)\]"'\x60]\s*\[(?!\s*(?:\d+|["'\x60][\w.-]*["'\x60])\s*\])[^\]\n]*\]\s*(?:\?\.\s*)?\(`,
		String.raw`\b(?:globalThis|global|self|module|process|Deno|Bun|this)\s*\??\.?\[`,
		String.raw`\b(?:require|import)\b(?:\s*\.\s*resolve)?(?=\s*\()(?!(?:\s*\.\s*resolve)?${PLAIN_MODULE})`,
		String.raw`\brequire\b(?!\s*(?:\(|\.\s*(?:resolve|main|cache)\b))|\bgetBuiltinModule\b(?!${PLAIN_MODULE.replace(/\\1/g, '\\2')})`,
		String.raw`["'\x60](?:node:)?(?:vm|module|process|worker_threads|cluster|repl|inspector|inspector/promises)["'\x60]`,
		MADE_WORD,
	),
	interpolates: /\$\{/,
};

const PERL: CodeLanguage = {
	kind: 'code',
	starts: starts(
		String.raw`(?<![$@%&\w-])(?:system|exec(?:[lv][pe]?)?|readpipe|qx|open[23]|popen\w*|syscall)\b(?!\s*=>)(?!(?<=(?:\$\w+|->|[}\]])\s*\{\s*\w+)\s*\})|\x60|\bopen\b(?=\s*\(?\s*(?:my\s+|local\s+)?[$*\w]+\s*,)(?!\s*\(?\s*(?:my\s+|local\s+)?[$*\w]+\s*,\s*["']\s*\+?[<>]{1,2}[^|"']*["'])`,
	),
	composes: words(
		String.raw`\beval\b(?!\s*\{)|&\s*(?:\$|\{|['"])|->\s*(?:\$|can\b)|\*\s*\{|\bCORE::|\bno\s+strict\b|<<~?\s*\x60|\bsub\s*\{[^}]*\bgoto\b`,
		String.raw`\b(?:require|do)\s*\(?\s*[$"'q]|(?:@ARGV|\$ARGV\s*\[[^\]]*\])\s*[.x|&]*=(?![=~])|\b(?:push|unshift|splice)\b\s*\(?\s*@(?:main::|::)?ARGV|^(?:IPC|Inline|FFI|Expect|Proc|TAP|Test::Harness|CPAN|Shell|App|B|O|Devel|Pod::Perldoc|Benchmark|Safe|IO$)\b|\b(?:IO::(?:File|Pipe)|FileHandle|ExtUtils::CBuilder)\b|\bopen\s*\(?\s*\*?\w+\s*\)?\s*(?:;|\}|$|\|\||&&|\b(?:or|and|if|unless)\b)|\buse\s+(?:TAP|Test::Harness|CPAN|Shell|Benchmark|Safe|IPC|POSIX|Inline|DynaLoader|XSLoader|FFI|Expect|Proc|AutoLoader|overload)\b|\bs(\W)(?:(?!\1).)*\1(?:(?!\1).)*\1\w*ee`,
		String.raw`\$\{\^|\$\^[A-Z]\b|\bpack\s*\(?\s*["'q]|\bPERL5|\bUNIVERSAL\b|\bB::|\bInternals::|\$SIG\b`,
		MADE_WORD,
	),
	interpolates: /[$@]/,
	runsQuoted: /^(?:qx|\x60)/,
};

const RUBY: CodeLanguage = {
	kind: 'code',
	starts: starts(
		String.raw`(?<![@$\w])(?:system|exec|execute|spawn|syscall|popen\w*|capture[23]e?|pipeline\w*|sh)\b|%x|\x60|\b(?:open|read\w*|foreach|binread|copy_stream)\s*\(?\s*["']\|`,
	),
	composes: words(
		String.raw`\b(?:__send__|send|public_send|method|instance_method|eval|instance_eval|class_eval|module_eval|instance_exec|const_get|define_method|binding|Fiddle|DL|load|autoload|ObjectSpace|TracePoint|Marshal|trap|callcc)\b(?=\s*[({.:"'\s]|$)`,
		String.raw`\brequire(?:_relative)?\b\s*\(?\s*[^"'\s(]|\bopen\s*\(?\s*[^"'\s(]`,
		MADE_WORD,
	),
	interpolates: /#[{$@]/,
	runsQuoted: /^[%\x60]/,
};

const PHP: CodeLanguage = {
	kind: 'code',
	inParentheses: true,
	starts: starts(String.raw`\b(?:system|exec|shell_exec|passthru|popen|proc_open|pcntl_exec|mail|mb_send_mail)\b|\x60`),
	composes: words(
		String.raw`\b(?:eval|assert|create_function|call_user_func\w*|func_get_args|FFI|Reflection\w*|ini_set|dl|putenv|extract|parse_str|unserialize|preg_replace_callback|register_\w+|forward_static_call\w*|spl_autoload_register|set_\w+_handler|filter_var|expect_popen|array_(?:map|filter|walk\w*|reduce)|u[ak]?sort|iterator_apply|ob_start)\b`,
		String.raw`\$\w+\s*\(|\$\$|\$\{|\]\s*\(|["']\s*\(|\b(?:include|require)(?:_once)?\b\s*\(?\s*(?:[^"'\s(]|["'](?:php|data|phar|expect):)`,
		MADE_WORD,
	),
	interpolates: /[$]/,
	runsQuoted: /^\x60/,
};

const LUA: CodeLanguage = {
	kind: 'code',
	inParentheses: true,
	starts: starts(String.raw`\b(?:execute|popen)\b`),
	composes: words(
		String.raw`\b(?:load|loadstring|dofile|loadfile|require|_G|_ENV|getfenv|setfenv|debug|package|rawget|pairs|next|ffi)\b`,
		String.raw`\b(?:os|io)\s*(?:\[|[^.\w\s]|\s+[^.\s])`,
		MADE_WORD,
	),
};

const AWK: CodeLanguage = {
	kind: 'code',
	masked: /"(?:[^"\\\n]|\\.)*"|(?<=(?:^|[~(,{}!&|;\n])\s*)\/(?:[^/\\\n]|\\.)*\//g,
	starts: starts(String.raw`\bsystem\b|(?<!\|)\|(?!\|)&?`),
	composes: words(String.raw`@\s*(?:\w+\s*\(|load|include|namespace)`, MADE_WORD),
};

const TCL: CodeLanguage = {
	kind: 'code',
	starts: starts(String.raw`(?<![$\w-])(?:exec|spawn|system)\b|(?<![$\w-])open\s+\{?"?\|`),
	composes: words(
		String.raw`(?:^|[;\n[{])\s*(?:\$|\[|["{]?\\|"[^"]*[$[])`,
		String.raw`\b(?:eval|uplevel|subst|rename|interp|namespace|apply|unknown|load|source|auto_execok|dict\s+with|trace|after|tcl_interactive)\b|\{\*\}`,
		String.raw`[a-z]\\[a-z0-7]`,
		MADE_WORD,
	),
	interpolates: /[$[]/,
};

/** Languages that are rare on a command line: any of their words that start programs is a question. */
const OTHER: CodeLanguage = {
	kind: 'code',
	starts: starts(
		String.raw`\b(?:system\w*|shell\w*|exec\w*|spawn\w*|popen\w*|run|call-process\w*|start-process\w*|make-process|async-shell-command|compile|term|ansi-term|eshell|run-shell-command|run-program|callCommand|callProcess|readProcess\w*|readCreateProcess\w*|createProcess|rawSystem|cmd|open_port|Runtime|ProcessBuilder|Process|execute|pipe|Popen|Exec|dos|unix|[cC]ommand|proc)\b|["']\s*[|<]|[\x60!]`,
	),
	composes: words(
		String.raw`\b(?:eval\w*|parse|get|match\.fun|do\.call|ccall|dlsym|intern|funcall|apply|read-from-string|load\w*|foreign\w*|unsafe\w*|reflect\w*|forName|invoke\w*|Meta|include_string)\b\s*[(.'"\s]|["'\])]\s*\.\s*execute\s*\(`,
		MADE_WORD,
	),
};

const COMMENT_OR_EMPTY = String.raw`\s*|\s*[#"].*`;

/** A debugger: commands that inspect a program and its core are harmless; `run` starts the program named by the words. */
const GDB: CommandLanguage = {
	kind: 'commands',
	between: /\n/,
	harmless: new RegExp(
		String.raw`^(?!(?:thread|t|frame|f)\s+apply\b(?!\s+(?:all|[\d-]+)\s+(?:bt|backtrace|where|info)\b))(?!(?:r|run|start|starti|set\s+args)\b.*[\x60$;&(])(?!.*\b(?:system|popen|exec[lv]\w*|posix_spawn\w*|dlopen|v?fork|_shell)\b)(?:${COMMENT_OR_EMPTY}|(?:bt|backtrace|where|info|i|print|p|x|list|l|frame|f|up|down|thread|t|break|b|tbreak|delete|d|continue|c|next|n|step|s|stepi|nexti|finish|run|r|start|starti|quit|q|kill|k|detach|disassemble|disas|ptype|whatis|display|echo|printf|output|help|h|core-file|core|symbol-file|directory|watch|rwatch|awatch|catch|handle|until|advance|jump|call|generate-core-file|gcore|attach|set\s+(?:pagination|debuginfod|confirm|height|width|verbose|var|variable|print|disassembly-flavor|logging|language|listsize|args|breakpoint|non-stop|scheduler-locking|follow-fork-mode|detach-on-fork))\b[^|\n]*|thread apply (?:all|[\d-]+) (?:bt|backtrace|where|info)\b[^|\n]*)$`,
	),
	toShell: /^\s*(?:\||!|she?l?l?\s|pi?p?e?\s|file\s|exec-file\s|python\s|py\s|set\s+exec-wrapper\s|make\s)\s*/,
};

const RANGE = String.raw`[:\s]*(?:%|[\d.$,+'<>-]|/[^/!\n]*/|\?[^?!\n]*\?)*\s*`;

/** Vim and ex: commands that write, read plain files, substitute and quit are harmless. */
const VIM: CommandLanguage = {
	kind: 'commands',
	between: /\n|\|/,
	harmless: new RegExp(
		String.raw`^(?:\s*|\s*".*|[:\s]*\+?\d*|${RANGE}(?:w|wq|x|q|qa|qall|wqa|wqall|xa|wa|wall|cq|write|quit|exit|update|up)!?(?:\s+[^!\x60=\s|]+)?\s*|${RANGE}(?:d|delete|y|yank|j|join|m|move|t|co|copy|p|print|nu|number|>|<|sort|retab|noh|nohlsearch|undo|redo|syntax|syn|filetype|colorscheme|set|se|setlocal|setl|e|edit|enew|bn|bp|bnext|bprev|only|left|right|center|normal\s+(?:gg|G|=G|dd|J|gg=G))\b(?!\s*!)(?!.*(?:shell|sh|prg|expr|eval|func|makeef|patch|grep|=\s*\$))[^!\x60|=]*(?:=\s*[\w,.:-]*)?|${RANGE}(?:s|substitute)(\W)(?:(?!\1|\\=)[^!\x60\n]|\\[^=])*(?:\1(?:(?!\1|\\=)[^\x60\n]|\\[^=])*)?(?:\1[&cegiInp#lr\d\s]*)?)$`,
	),
	toShell: /^[^!]*!\s*|\bsystem(?:list)?\(\s*["']/,
};

/** Programs with a few commands of their own that pass the text after a sign to a shell. */
const escapedBy = (toShell: string, harmless: string): CommandLanguage => ({
	kind: 'commands',
	between: /\n|;/,
	harmless: new RegExp(`^(?:${harmless})$`, 'i'),
	toShell: new RegExp(toShell, 'i'),
});

export const languages = {
	python: PYTHON,
	javascript: JAVASCRIPT,
	perl: PERL,
	ruby: RUBY,
	php: PHP,
	lua: LUA,
	awk: AWK,
	tcl: TCL,
	other: OTHER,
	gdb: GDB,
	vim: VIM,
	ed: escapedBy(
		String.raw`^[^!]*!\s*`,
		String.raw`\s*(?:[\d.$,;+%-]|/[^/]*/)*\s*(?:[acidjklmnpPqQtuwxyzfhH=]|wq|q!|r\s+[^!]*|w\s+[^!]*|e\s+[^!]*|[gsv](\W).*)?\s*|[^!]*`,
	),
	bang: escapedBy(String.raw`^\s*!\s*`, String.raw`\s*[^!\s][\s\S]*|\s*`),
	sqlite: {
		...escapedBy(
			String.raw`^\s*\.s[hy]\w*\s+`,
			String.raw`\s*(?!\.(?:s[hy]|load|read\s*["']?\||once\s*["']?[-|]|output\s*["']?\||import\s*["']?\||log\s*\||excel|www))(?![\s\S]*\b(?:edit|load_extension)\s*\()[\s\S]*?`,
		),
		between: /\n/,
	},
	psql: escapedBy(
		String.raw`\\(?:!|o\s*\||g\s*\||w\s*\|)\s*|\bprogram\s+'`,
		String.raw`(?![\s\S]*(?:\\[!oegw]\w*|\\(?:i|ir|copy|setenv|set|gexec|gset|watch)\b[^\n]*[|\x60]|\bprogram\b))[\s\S]*`,
	),
	mysql: escapedBy(
		String.raw`(?:\\!|^\s*system\s|^\s*pager\s|\\P)\s*`,
		String.raw`(?![\s\S]*(?:\\[!Pe]|^\s*(?:system|pager|edit)\b))[\s\S]*`,
	),
	/** A single name, which a script inserts into a text for a shell. */
	name: { kind: 'commands', between: /\n/, harmless: /^[\w-]*$/, toShell: /^[};\s]*/ },
	/** `mount -t fuse PROGRAM#FOLDER` */
	fuse: { kind: 'commands', between: /\n/, harmless: /^[^#]*$/, toShell: /#.*$/ },
	dc: { kind: 'commands', between: /\n/, harmless: /^[^!]*$/, toShell: /!\s*/ },
	m4: {
		kind: 'commands',
		between: /\n/,
		harmless: /^(?!.*(?:e?syscmd|\bdefn\b|\bbuiltin\b|\bindir\b))[\s\S]*$/,
		toShell: /syscmd\(`?/,
	},
	job: { kind: 'shell', before: /^/ },
	crontab: { kind: 'shell', before: /^\s*(?:#.*|\w+\s*=.*|@\w+\s+|(?:\S+\s+){5})/ },
} satisfies Record<string, Language>;

export type LanguageName = keyof typeof languages;
