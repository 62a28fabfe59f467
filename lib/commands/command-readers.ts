import type { CommandReader } from './judging.ts';
import { findProgram, knownNames } from './programs/find-program.ts';
import { readGit } from './programs/read-git.ts';
import { readMakefile } from './programs/read-make.ts';
import { readSed } from './programs/read-sed.ts';
import { readFind, readParallel, readXargs } from './read-batch.ts';
import { builtinReaders } from './read-builtins.ts';
import { readProgram } from './read-program.ts';
import { readShell, readSource, shellNames } from './read-shell.ts';
import { readSignalbox, SHELL_SCRIPT } from './read-signalbox.ts';
import { readEnv, readUserShell } from './read-user-shell.ts';
import { readWrapper } from './read-wrapper.ts';
import { knownText, lineText } from './shell-field.ts';
import { wrappers } from './wrapper-table.ts';

/** `tar` without a dash: each letter takes one of the following words: `tar cIf zap o`. */
const readTar: CommandReader = (fields, setting, judge) => {
	const [letters, ...words] = fields.slice(1);
	if (!/^[A-Za-z]*[IF][A-Za-z]*$/.test(knownText(letters) ?? '')) return;
	for (const word of words.slice(0, 3)) {
		if (knownText(word) === undefined)
			judge.unknowable(fields, 'the command that it is told to run is not known', setting);
		judge.mayRun(lineText(word), setting);
	}
};

const readers: Readonly<Record<string, CommandReader>> = {
	...builtinReaders,
	...Object.fromEntries(shellNames.map((name) => [name, readShell])),
	source: readSource,
	'.': readSource,
	env: readEnv,
	su: readUserShell,
	runuser: readUserShell,
	sg: readUserShell,
	script: readUserShell,
	find: readFind,
	gfind: readFind,
	xargs: readXargs,
	gxargs: readXargs,
	parallel: readParallel,
	git: readGit,
	...Object.fromEntries(
		['make', 'gmake', 'remake', 'bmake', 'pmake', 'mingw32-make'].map((name) => [name, readMakefile]),
	),
	sed: readSed,
	gsed: readSed,
	...Object.fromEntries(['tar', 'gtar', 'bsdtar'].map((name) => [name, readTar])),
	signalbox: readSignalbox,
	[SHELL_SCRIPT]: readSignalbox,
};

/** The reader of a command's arguments: of this very name, of its kind, or of its row in the tables. */
export function readerOf(name: string): CommandReader | undefined {
	const names = knownNames(name);
	const own = names.find((each) => Object.hasOwn(readers, each));
	const wrapper =
		own === undefined ? names.map((name) => wrappers.get(name)).find((each) => each !== undefined) : undefined;
	const row = findProgram(name);
	if (own === undefined && !wrapper && !row) return undefined;
	return (fields, setting, judge) => {
		if (own !== undefined) readers[own]?.(fields, setting, judge);
		if (wrapper) readWrapper(wrapper, fields, setting, judge);
		if (row) readProgram(row, fields, setting, judge);
	};
}
