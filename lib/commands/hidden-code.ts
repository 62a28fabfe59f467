import { forEachChild, type ParameterExpansionPart, type SyntaxNode } from 'unbash';

/** Variables whose value a shell expands or runs by itself. */
const RUN_BY_SHELLS = /^(?:PROMPT_COMMAND|PS[0-4]|BASH_ENV|ENV)$/;

/** Whether a shell runs the value of a variable of this name. */
export function isRunByShells(name: string): boolean {
	return RUN_BY_SHELLS.test(name) || name.startsWith('BASH_FUNC_');
}

/** Variables whose value programs run: pagers, editors, ways to reach another machine. */
const RUN_BY_PROGRAMS =
	/^(?:GIT_(?:PAGER|EDITOR|SEQUENCE_EDITOR|SSH|SSH_COMMAND|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND|CONFIG_VALUE_\d+)|(?:MAN|SYSTEMD_)?PAGER|(?:SUDO_)?EDITOR|VISUAL|FCEDIT|BROWSER|LESS(?:OPEN|CLOSE)|SSH_ASKPASS|(?:RSYNC|CVS)_RSH|npm_config_script_shell)$/;

/** The command line in such a variable's value; undefined for other variables. */
export function runByPrograms(name: string, value: string): string | undefined {
	return RUN_BY_PROGRAMS.test(name) ? value.replace(/^[!|]+/, '') : undefined;
}

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
