import type { CommandReader, Judge, Setting } from './judging.ts';
import { inputTexts } from './read-shell.ts';
import { knownText, lineText } from './shell-field.ts';

/** Settings of git whose value is a command. */
const GIT_COMMAND =
	/^(?:pager\..*|core\.(?:pager|editor|sshcommand|fsmonitor|askpass|gitproxy)|sequence\.editor|diff\.external|interactive\.difffilter|uploadpack\.packobjectshook|.*\.(?:textconv|command|cmd|clean|smudge|process|driver|helper|program|uploadpack|receivepack|sshcommand))$/i;
const ALIAS = /^alias\./i;
const FROM_ENVIRONMENT = /^--config-env(?:=|$)/;
/** A shell that reads the input of what started it. */
const SHELL_ALONE = /^\s*(?:exec\s+)?(?:\/\S*\/)?(?:ba|da|z|k)?sh(?:\s+-\w+)*\s*$/;

/**
 * `git -c KEY=VALUE`, `git config KEY VALUE`, `git --config-env=KEY=NAME`; a value that begins with `!` is a command
 * under any key. Gets the words after the name.
 */
export const readGitSettings: CommandReader = (words, setting, judge) => {
	const isConfig = words.some((word) => knownText(word) === 'config');
	for (const [at, word] of words.entries()) {
		const text = lineText(word);
		const next = words[at + 1];
		const [, key = '', attached] = /^(?:--config-env=)?([\w-]+\.[\w.*-]+)(?:=([\s\S]*))?$/.exec(text) ?? [];
		const value = attached ?? (isConfig && next ? lineText(next) : undefined);
		if (value === undefined || key === '') continue;
		const before = words[at - 1];
		const isNamed = FROM_ENVIRONMENT.test(text) || (before !== undefined && lineText(before) === '--config-env');
		if (!isNamed) readSetting(key, value, setting, judge);
		else if (ALIAS.test(key) || GIT_COMMAND.test(key)) {
			judge.unknowable([word], 'git runs what a variable holds', setting);
		}
	}
};

function readSetting(key: string, value: string, setting: Setting, judge: Judge): void {
	if (!value.startsWith('!') && !GIT_COMMAND.test(key)) {
		// Another alias, perhaps with settings of its own.
		if (ALIAS.test(key)) judge.mayRun(`git ${value}`, setting);
		return;
	}
	const line = value.replace(/^!/, '');
	judge.mayRun(line, setting);
	if (SHELL_ALONE.test(line)) for (const text of inputTexts(setting) ?? []) judge.mayRun(text, setting);
}
