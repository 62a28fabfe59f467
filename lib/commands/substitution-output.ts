/** No recognised substitution is longer. */
const MAX_CHARS = 200;
/** Programs that print what a shell finds under a name. */
const FINDS =
	/^(?:(?:readlink -f|realpath)\s+"?(?:\$\(|`)\s*)?(?:which|command -v|type -P)\s+([\w.+-]+)(?:\s*[)`]"?)?$/;
const SCRIPT_PLACE = /"?\$\{?(?:0|BASH_SOURCE(?:\[0\])?)\}?"?/;
const PRINTS_FOLDER = new RegExp(
	[
		`dirname (?:${SCRIPT_PLACE.source}|"?\\$\\((?:realpath|readlink -f) ${SCRIPT_PLACE.source}\\)"?)`,
		`cd (?:"\\$\\(dirname ${SCRIPT_PLACE.source}\\)"?(?:/[\\w./-]+)?"?|[\\w./][\\w./-]*)(?: ?>/dev/null(?: 2>&1)?)? && pwd(?: -P)?`,
		'pwd(?: -P)?',
		'git rev-parse --(?:show-toplevel|git-dir|absolute-git-dir)',
		'(?:npm|pnpm|yarn|composer) (?:root|prefix|bin)(?: -g)?',
		'brew --prefix(?: [\\w@.-]+)?',
		'go env GO\\w+',
		'(?:conda|mamba) info --base',
		'poetry env info (?:--path|-p)',
		'(?:py|rb|nod)env (?:root|prefix)',
		'mktemp -d',
		'rustc --print sysroot',
	]
		.map((each) => `^(?:${each})$`)
		.join('|'),
);
/** Programs that print the content of a file, possibly less of it. */
const FILE = '"?[\\w./~$-]*\\w"?';
const LESS_OF_IT = `'(?:s/[^/']*//g?|/[^/']*/d)'`;
const PRINTS_FILE = new RegExp(
	`^(?:(?:xargs|cat) < ?|(?:(?:cat|head|tail|sort|uniq)|e?grep(?: -\\w+)* (?:'[^']*'|"[^"$\`]*"|[\\w^#=-]+)|cut(?: -\\S+)+|sed(?: -\\w+)* ${LESS_OF_IT})(?: -\\w+)* )${FILE}(?: ?\\| ?(?:e?grep|cut|head|tail|sort|uniq|xargs|sed(?: -\\w+)* ${LESS_OF_IT})(?= |$)[^|<>;&$\`()\n]*)*$`,
);
/** Programs that print the code that sets up a shell, from their own files. */
const PRINTS_SETUP = new RegExp(
	[
		'ssh-agent(?: -s)?',
		'(?:py|rb|nod|go|j|pl|php)env (?:virtualenv-)?init(?: -|--\\w+| bash| zsh)*',
		'(?:direnv|starship|zoxide|atuin|mise|asdf) (?:hook|init|activate|export)(?: bash| zsh)',
		'fnm env(?: --[\\w-]+)*',
		'opam env(?: --[\\w-]+)*',
		'brew shellenv(?: bash| zsh)?',
		'(?:conda|mamba|micromamba) shell(?:\\.(?:bash|zsh|posix))? hook',
		'minikube(?: -p [\\w-]+)? docker-env',
		'dircolors(?: -b)?',
		'(?:kubectl|helm|gh|npm|pnpm|minikube|kind|docker|rustup) completions?(?: -s)?(?: bash| zsh)?',
	]
		.map((each) => `^(?:${each})$`)
		.join('|'),
);

/** The content of a substitution, without redirections that hide its error messages. */
function inside(substitution: string): string {
	if (substitution.length > MAX_CHARS) return '';
	const [, body = ''] = /^"?(?:[$<]\(|`)([\s\S]*?)(?:\)|`)"?$/.exec(substitution.trim()) ?? [];
	return body.trim().replace(/\s*2> ?\/dev\/null$/, '');
}

/** The program in a substitution of one plain command; a function of that name would run instead. */
export function programIn(substitution: string): string {
	return /^\S*/.exec(inside(substitution))?.[0] ?? '';
}

/** The name that a substitution looks up: `$(which node)` gives `node`. */
export function foundProgram(substitution: string): string | undefined {
	return FINDS.exec(inside(substitution))?.[1];
}

/** Whether a substitution prints the path of a folder. */
export function printsFolder(substitution: string): boolean {
	return PRINTS_FOLDER.test(inside(substitution));
}

/** Whether a substitution prints the content of a file: `$(grep -v '^#' .env | xargs)`. */
export function printsFile(substitution: string): boolean {
	return PRINTS_FILE.test(inside(substitution));
}

/** Whether a program prints its own code for a shell (`eval "$(ssh-agent)"`), which counts as if read from its file. */
export function printsSetup(substitution: string): boolean {
	return PRINTS_SETUP.test(inside(substitution).replace(/^[\w./~-]*\//, ''));
}
