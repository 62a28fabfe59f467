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
