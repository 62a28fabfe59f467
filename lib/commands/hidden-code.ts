import { forEachChild, type ParameterExpansionPart, type SyntaxNode } from 'unbash';

/** Variables whose value a shell expands or runs by itself. */
const RUN_BY_SHELLS = /^(?:PROMPT_COMMAND|PS[0-4]|BASH_ENV|ENV)$/;

/** Whether a shell runs the value of a variable of this name. */
export function isRunByShells(name: string): boolean {
	return RUN_BY_SHELLS.test(name) || name.startsWith('BASH_FUNC_');
}

/** Variables whose value programs run: pagers, editors, ways to reach another machine. */
const RUN_BY_PROGRAMS =
	/^(?:GIT_(?:CONFIG_PARAMETERS|PAGER|EDITOR|SEQUENCE_EDITOR|SSH|SSH_COMMAND|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND|CONFIG_VALUE_\d+)|(?:MAN|SYSTEMD_)?PAGER|(?:SUDO_)?EDITOR|VISUAL|FCEDIT|BROWSER|LESS(?:OPEN|CLOSE)|SSH_ASKPASS|(?:RSYNC|CVS)_RSH|TAR_OPTIONS|npm_config_script_shell)$/;

/** The command line in such a variable's value; undefined for other variables. */
export function runByPrograms(name: string, value: string): string | undefined {
	if (name === 'GIT_CONFIG_PARAMETERS') return settingsOfGit(value);
	if (name === 'TAR_OPTIONS') return optionsOfTar(value);
	return RUN_BY_PROGRAMS.test(name) ? value.replace(/^[!|]+/, '') : undefined;
}

/** `'alias.x'='!rm' 'core.pager=less'`: what follows each key. */
const settingsOfGit = (value: string): string =>
	[...value.matchAll(/=\s*'?!?([^']*)/g)].map(([, text = '']) => text).join('\n');

/** What each option in a text is given: `--checkpoint-action=exec=rm`, `-I rm`. */
const optionsOfTar = (value: string): string =>
	value
		.split(/\s(?=-)/)
		.map((option) => option.replace(/^(?:\S*exec=|--[\w-]+[= ]|-\w*[IF]\s*)/, ''))
		.join('\n');

/** Tables in which the shell looks up what a name runs: whoever sets them renames a program. */
export const LOOKUP_TABLE = /\bBASH_(?:CMDS|ALIASES)\b/;

/** A script that expands a text as double quotes do. */
export function inDoubleQuotes(text: string): string {
	return `: "${text.replace(/"/g, '\\"')}"`;
}

/**
 * The substitution inside an array index in a plain text (`a[$(x)]`), which arithmetic would run; undefined when there
 * is none.
 */
export function hiddenSubstitution(text: string): string | undefined {
	const bracket = text.indexOf('[');
	if (bracket < 0) return undefined;
	const at = text.slice(bracket).search(/\$\(|`|\$\{/);
	return at < 0 ? undefined : inDoubleQuotes(text.slice(bracket + at));
}

/**
 * The texts of a node that are read as arithmetic once their quotes are gone: an index, a slice, a number. A quoted index
 * in them (`a['b[$(x)]']`) runs as one that stands there plainly.
 */
export function quotedArithmetic(node: SyntaxNode): string[] {
	return countedTexts(node)
		.filter((text) => /['\\]/.test(text))
		.flatMap((text) => hiddenSubstitution(text.replace(/['"\\]/g, '')) ?? []);
}

function countedTexts(node: SyntaxNode): string[] {
	switch (node.type) {
		case 'ArithmeticWord':
			return [node.value];
		case 'Assignment':
			return [
				...(node.index ? [node.index.text] : []),
				...(node.value.type === 'Word'
					? []
					: node.value.elements.map(({ text }) => text).filter((text) => text.startsWith('['))),
			];
		case 'ParameterExpansion': {
			const { index, operation } = node;
			const slice = operation?.type === 'Slice' ? [operation.offset, operation.length] : [];
			return [index, ...slice].flatMap((word) => word?.text ?? []);
		}
		default:
			return [];
	}
}

/** The expansions of a node that run what a variable holds: `${x@P}`. */
export function promptExpansions(node: SyntaxNode): ParameterExpansionPart[] {
	const found: ParameterExpansionPart[] = [];
	const visit = (each: SyntaxNode): void => {
		if (each.type === 'ParameterExpansion' && each.operation?.type === 'Transform') {
			if (each.operation.operand.text.includes('P')) found.push(each);
		}
		if (each.type !== 'Script') forEachChild(each, visit);
	};
	visit(node);
	return found;
}
