import type { Judge, Setting } from '../judging.ts';
import { type Field, knownText, lineText, textField } from '../shell-field.ts';
import { judgeCommandValue, judgeFileValue, type ValueContext } from './judge-value.ts';
import { readTable } from './program-row.ts';
import { judgeGitSetting } from './read-git.ts';
import { judgeInRecipe } from './read-make.ts';

/** Variables whose value programs run: pagers, editors, remote shells. */
const COMMANDS =
	/^(?:TIG_DIFF_HIGHLIGHT|CARGO_BUILD_RUSTDOC|GIT_(?:PAGER|EDITOR|MAN_VIEWER|SEQUENCE_EDITOR|SSH|SSH_COMMAND|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND)|\w*PAGER|\w*EDITOR|VISUAL|\w*BROWSER|FCEDIT|LESS(?:OPEN|CLOSE)|SSH_(?:ASKPASS|SK_HELPER|PKCS11_HELPER)|SUDO_ASKPASS|LESSEDIT|ANSIBLE_(?:SSH_)?EXECUTABLE|(?:RSYNC|CVS|SVN|BORG)_(?:RSH|SSH|CONNECT_PROG)|\w*_?PASS(?:WORD_)?COMMAND|AUTOSSH_PATH|FZF_ALT_C_COMMAND|FZF_CTRL_T_COMMAND|PARALLEL_S(?:HELL|SH)|CCACHE_(?:PREFIX(?:_CPP)?|COMPILER)|DISTCC_SSH|GOAUTH|GOCACHEPROG|GCCGO|RUSTFMT|CARGO_REGISTR\w*_CREDENTIAL_PROVIDER|SVN_MERGE|P4(?:DIFF|MERGE)|(?:DARCS|BZR)_SSH|JUST_CHOOSER|NIX_BUILD_(?:SHELL|HOOK)|PODMAN_COMPOSE_PROVIDER|DIRENV_BASH|OPAM(?:FETCH|EXTERNALSOLVER)|GH_PATH|CVS_SERVER|TERRAGRUNT_TFPATH|TG_TF_PATH|RSYNC_CONNECT_PROG|npm_config_(?:script_shell|editor|git|viewer|shell|node_gyp)|MAKE_?SHELL|RUSTC(?:_WRAPPER|_WORKSPACE_WRAPPER)?|CARGO_(?:TARGET_\w*_(?:RUNNER|LINKER)|BUILD_RUSTC\w*)|CMAKE_\w*_LAUNCHER|KUBECTL_EXTERNAL_DIFF|HGMERGE|FZF_DEFAULT_COMMAND|VAGRANT_PREFERRED_\w+|R_(?:PDFVIEWER|PAPERSIZE_CMD)|RIPGREP_PRE|PERL5DB_THREADED|TEXEDIT|MANOPT|GZIP_PROG|XDG_UTILS_\w+)$/i;
/** Variables that name programs for a build: no question if the line only passes them on. */
const TOOLS =
	/^(?:CC|CXX|CPP|LD|AR|AS|NM|FC|F77|SHELL|MAKE|YACC|LEX|CONFIG_SHELL|TAR|GZIP|RM|INSTALL|CARGO|RUSTDOC|NODE|PYTHON|[EF]?GREP|CMP|DIFF|LESSECHO|PKG_CONFIG|JAVACMD)$/;
/** Variables whose value becomes arguments of a build's commands. */
const ARGUMENTS = /^(?:\w*FLAGS|LDLIBS|LOADLIBES|LIBS|TARGET_ARCH|OUTPUT_OPTION)$/;
/** Variables that name a file with commands. */
const FILES =
	/^(?:PYTHONSTARTUP|GIT_CONFIG(?:_GLOBAL|_SYSTEM)?|MAKEFILES|RIPGREP_CONFIG_PATH|NODE_REPL_EXTERNAL_MODULE|INPUTRC|MYVIMRC|R_PROFILE(?:_USER)?|R_ENVIRON(?:_USER)?|PHPRC|SCREENRC|PSQLRC|APT_CONFIG|WGETRC|LESSKEY|LESSKEYIN|GDBINIT|npm_config_(?:userconfig|globalconfig|init_module)|DOCKER_CONFIG|KUBECONFIG|HGRCPATH|JJ_CONFIG|TIGRC_USER|TIG_SCRIPT|CCACHE_CONFIGPATH|JUST_JUSTFILE|CMAKE_PROJECT_INCLUDE|FZF_DEFAULT_OPTS_FILE|OPENSSL_CONF)$/i;
/** Variables that load other code into programs, or change which programs are found: what then runs is unknown. */
const LOADS =
	/^(?:LD_(?:PRELOAD|AUDIT)|LESSKEY_CONTENT|DYLD_(?:INSERT_LIBRARIES|FORCE_FLAT_NAMESPACE)|GIT_EXEC_PATH|GIT_TEMPLATE_DIR|PYTHONBREAKPOINT|PERL5OPT|PERL5DB|RUBYOPT|LUA_INIT\w*|GCC_EXEC_PREFIX|COMPILER_PATH|GCONV_PATH|GROFF_BIN_PATH|GETCONF_DIR|GUILE_\w*LOAD\w*|VIMINIT|GVIMINIT|EXINIT|ERL_(?:A|Z)?FLAGS|DOTNET_STARTUP_HOOKS|BASHOPTS|PYTHONINSPECT|AWKLIBPATH|OCTAVE_\w*EXEC\w*|ELECTRON_RUN_AS_NODE|NIX_CONFIG)$/;
/** Variables with arguments for one program. */
const WORDS_OF = new Map(
	readTable<{ names: string; variables: string }>(`
tar ; variables TAR_OPTIONS
ack ; variables ACK_OPTIONS
bun ; variables BUN_OPTIONS
parallel ; variables PARALLEL
pytest ; variables PYTEST_ADDOPTS
ssh ; variables NIX_SSHOPTS
rustc ; variables CARGO_BUILD_RUSTFLAGS CARGO_ENCODED_RUSTFLAGS RUSTFLAGS
node ; variables npm_config_node_options NODE_OPTIONS
mvn ; variables MAVEN_ARGS
java ; variables MAVEN_DEBUG_OPTS JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS MAVEN_OPTS GRADLE_OPTS SBT_OPTS ANT_OPTS JAVA_OPTS
make ; variables MAKEFLAGS GNUMAKEFLAGS
go ; variables GOFLAGS
less ; variables LESS SYSTEMD_LESS
more ; variables MORE
zip ; variables ZIPOPT
fzf ; variables FZF_DEFAULT_OPTS
`).flatMap(({ names, variables }) => variables.split(' ').map((name) => [name, names] as const)),
);

/** Judges the value of a variable that programs run, or by which they find programs. */
export function judgeForPrograms(name: string, value: Field, setting: Setting, judge: Judge): void {
	const context: ValueContext = { fields: [textField(name)], setting, judge };
	const text = knownText(value);
	if (text === '') return;
	if (LOADS.test(name)) {
		judge.mayRun(lineText(value), setting);
		return judge.unknowable(context.fields, 'by its value other programs are found or changed', setting);
	}
	if (FILES.test(name)) return judgeFileValue(value, context);
	const program = WORDS_OF.get(name);
	if (program) return judgeWordsOf(program, value, context);
	if (/^GIT_CONFIG_(?:PARAMETERS|VALUE_\d+|KEY_\d+|COUNT)$/.test(name)) return judgeGitConfig(value, context);
	if (COMMANDS.test(name)) return judgeCommandValue(value, context);
	if (ARGUMENTS.test(name) && text !== undefined) judgeInRecipe(text, setting, judge);
	if (TOOLS.test(name)) judge.mayRun(lineText(value), setting);
}

function judgeWordsOf(program: string, value: Field, context: ValueContext): void {
	const words = lineText(value)
		.replace(/'/g, '')
		.replaceAll('\x1f', ' ')
		.split(/\s+(?=[-+])/);
	context.judge.words(
		[textField(program), ...words.flatMap((word) => (word.includes('=') ? [word] : word.split(/\s+/))).map(textField)],
		{
			...context.setting,
			redirects: [],
			fed: [],
		},
	);
}

/** Git settings in variables: their names are set separately, so each value may be a command. */
function judgeGitConfig(value: Field, context: ValueContext): void {
	const { fields, setting, judge } = context;
	const text = knownText(value);
	if (text === undefined) return judge.unknowable(fields, 'the settings of git are not known', setting);
	for (const [, key = '', each = ''] of text.matchAll(/'([^'=]+)'?='?([^']*)'/g))
		judgeGitSetting(key, textField(each), context);
	if (/^[!]|^alias\.|command|pager|editor|helper|hook|path$/i.test(text)) {
		judge.mayRun(text.replace(/^!/, ''), setting);
		judge.unknowable(fields, 'a setting of git may run a command', setting);
	} else judge.mayRun(text, setting);
}
