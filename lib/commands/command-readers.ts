import type { CommandReader } from './judging.ts';
import { marksOf } from './program-marks.ts';
import { readFind, readParallel, readXargs } from './read-batch.ts';
import { builtinReaders } from './read-builtins.ts';
import { readProgram } from './read-program.ts';
import { readShell, readSource, shellNames } from './read-shell.ts';
import { readSignalbox, SHELL_SCRIPT } from './read-signalbox.ts';
import { readEnv, readUserShell } from './read-user-shell.ts';
import { readWrapper } from './read-wrapper.ts';
import { wrapperOf } from './wrapper-table.ts';

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
	signalbox: readSignalbox,
	[SHELL_SCRIPT]: readSignalbox,
};

/** Who judges the arguments of a command; undefined for one that runs nothing of its arguments. */
export function readerOf(name: string): CommandReader | undefined {
	if (Object.hasOwn(readers, name)) return readers[name];
	const wrapper = wrapperOf(name);
	if (!wrapper) return marksOf(name) && readProgram;
	return (fields, setting, judge) => {
		readWrapper(wrapper, fields, setting, judge);
		readProgram(fields, setting, judge);
	};
}
