import type { CommandReader } from '../judging.ts';
import { type Field, isOneWord, knownStart, knownText, lineText, textField } from '../shell-field.ts';
import { judgeCommandValue, judgeFileValue, madeOption, type ValueContext } from './judge-value.ts';
import { optionValues } from './option-values.ts';
import { type ProgramRow, readTable } from './program-row.ts';

/** How one command of git starts programs; a `rest` without a word means the words after the first. */
type GitCommand = Pick<ProgramRow, 'names' | 'runs' | 'setting' | 'flags' | 'values'> & {
	rest?: string | true;
	/** Its words name a setting and its value. */
	sets?: true;
};

const rows = readTable<GitCommand>(`
clone ; runs -u --upload-pack ; setting -c --config ; flags lnqsv
fetch pull ls-remote fetch-pack archive push send-pack ; runs --upload-pack --exec --receive-pack
remote-ext ; rest
rebase ; runs -x --exec --ex ; flags firmnqvkS
difftool ; runs -x --extcmd ; flags dgy
grep ; runs -O --open-files-in-pager ; flags aIivwGEPFnlLzochpqrW
filter-branch ; runs --setup --subdirectory-filter --env-filter --tree-filter --index-filter --parent-filter --msg-filter --commit-filter --tag-name-filter
filter-repo ; runs --message-callback --commit-callback --blob-callback --tag-callback --reset-callback --filename-callback --name-callback --email-callback --refname-callback --file-info-callback
svn ; runs --authors-prog
bisect hook ; rest run
submodule submodule--helper ; rest foreach
shell ; runs -c
send-email ; runs --smtp-server --to-cmd --cc-cmd --header-cmd --sendmail-cmd
web--browse ; runs -b --browser ; setting -c --config
instaweb ; runs -d --httpd -b --browser
daemon ; runs --access-hook
config ; sets ; values -f --file --blob -t --type --default --comment --value --url
`);
const commands = new Map(rows.flatMap((row) => row.names.split(' ').map((name) => [name, row] as const)));

const COMMAND_SETTING =
	/^(?:pager\..*|.*\.(?:\w*(?:command|cmd|editor|pager|proxy|askpass|hook|prog|diff)|diffFilter|path|fsmonitor|external|textconv|clean|smudge|process|driver|helper|program|uploadpack|receivepack|tunnel|smtpserver|browser|vcs|extcmd)|submodule\..*\.update)$/i;
const FILE_SETTING = /^(?:include(?:if\..*)?\.path|core\.(?:attributesfile|excludesfile)|sendemail\.aliasesfile)$/i;
/** Settings whose names end like those of commands, but are harmless. */
const HARMLESS_SETTING =
	/^(?:diff\.(?:external|.*\.(?:cached|x?funcname))|.*\.(?:abbrevcmd|usepath|userelativepaths|relativepath)|color\..*|core\.(?:quotepath|precomposeunicode|untrackedcache)|column\..*|http\.(?:.*\.)?proxy|remote\..*\.proxy|safe\..*|log\..*|status\..*|pull\..*|push\..*|advice\..*)$/i;
/** A way to another machine that is a command follows. */
const EXTERNAL = /^(?:[\w.-]+=)?ext::(.*)$/s;

/** `git`: its own options, its settings, and the options of each of its commands. */
export const readGit: CommandReader = (fields, setting, judge) => {
	const context: ValueContext = { fields, setting, judge };
	const words = fields.slice(1);
	const at = commandIndex(words);
	const own = at < 0 ? words : words.slice(0, at);
	for (const { value } of optionValues(own, '-c', 'pP')) judgePair(value, context);
	if (own.some((word) => /^--(?:exec-path=|config-env)/.test(knownStart(word)))) {
		judge.unknowable(fields, 'what git then runs stands in no word of the line', setting);
	}
	for (const word of words) {
		const [, command] = EXTERNAL.exec(lineText(word)) ?? [];
		if (command?.includes('%')) judge.unknowable(fields, 'the command that git is to run is not plain text', setting);
		else if (command !== undefined) judgeCommandValue(textField(command), context);
	}
	if (madeOption(words, setting)) {
		return judge.unknowable(fields, 'the line makes a word that may be an option of git', setting);
	}
	const command = commands.get(knownText(words[at]) ?? '');
	if (command) judgeGitCommand(command, words.slice(at + 1), context);
};

/** Index of the command's name among the words; -1 without one. */
function commandIndex(words: readonly Field[]): number {
	for (let index = 0; index < words.length; index += 1) {
		const word = words[index];
		const start = word ? knownStart(word) : '';
		if (/^(?:-c|-C|--git-dir|--work-tree|--namespace|--super-prefix|--config-env|--attr-source)$/.test(start))
			index += 1;
		else if (!start.startsWith('-')) return index;
	}
	return -1;
}

function judgeGitCommand(
	{ runs, setting, flags, rest, sets, values = '' }: GitCommand,
	words: readonly Field[],
	context: ValueContext,
): void {
	const { judge, fields } = context;
	for (const { value, isGuess } of runs ? optionValues(words, runs, flags) : [])
		judgeCommandValue(value, context, isGuess);
	for (const { value } of setting ? optionValues(words, setting, flags) : []) judgePair(value, context);
	if (sets) {
		const taken = optionValues(words, values).map(({ value }) => value);
		const plain = words.filter(
			(word) =>
				!taken.includes(word) && !/^-/.test(knownStart(word)) && !/^(?:set|get|unset)$/.test(knownText(word) ?? ''),
		);
		const [key, value] = plain;
		if (key && value) judgeGitSetting(knownText(key) ?? '', value, context);
	}
	const from = rest === undefined ? -1 : rest === true ? 0 : words.findIndex((word) => knownText(word) === rest);
	if (from < 0) return;
	const command = words.slice(from + 1);
	const start = command.findIndex((word) => !/^-/.test(knownStart(word)));
	const behind = start < 0 ? [] : command.slice(start);
	const [only] = behind;
	if (rest === 'foreach' && only && behind.length === 1) return judgeCommandValue(only, context);
	if (only && !isOneWord(only))
		return judge.unknowable(fields, 'the command that git is to run is not known', context.setting);
	judge.words(behind, { ...context.setting, redirects: [] });
}

/** `-c key=value` */
function judgePair(pair: Field | undefined, context: ValueContext): void {
	if (!pair) return;
	const start = knownStart(pair);
	const sign = start.indexOf('=');
	const key = sign < 0 ? start : start.slice(0, sign);
	judgeGitSetting(key, { raw: pair.raw, text: sign < 0 ? '' : pair.text.slice(sign + 1) }, context);
}

/** Judges a setting by its whole name, if git runs its value as a command. */
export function judgeGitSetting(key: string, value: Field, context: ValueContext): void {
	const text = knownText(value);
	const { fields, setting, judge } = context;
	if (/ext::/.test(key)) judgeCommandValue(textField(key.replace(/^.*?ext::|\.\w+$/g, '')), context);
	if (FILE_SETTING.test(key)) return judgeFileValue(value, context);
	if (/^alias\./i.test(key)) {
		if (text === undefined) return judge.unknowable(fields, 'what the alias stands for is not known', setting);
		return judge.script(text.startsWith('!') ? text.slice(1) : `git ${text}`, setting);
	}
	if (HARMLESS_SETTING.test(key) && key.toLowerCase() !== 'diff.external') return;
	if (key === '' && knownText(value) !== '')
		return judge.unknowable(fields, 'the setting of git is not known', setting);
	if (COMMAND_SETTING.test(key) && !/^(?:true|false|\d*|checkout|rebase|merge|none)$/.test(text ?? ' ')) {
		judgeCommandValue(value, context);
	} else if (text !== undefined) judge.mayRun(text.replace(/^!/, ''), setting);
}
