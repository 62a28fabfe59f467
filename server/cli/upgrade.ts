import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, EXIT, UsageError } from '../process/command.ts';
import { homeOf } from '../process/home.ts';
import { packageVersion } from '../process/package-root.ts';
import { hookFileStates } from '../setup/install-hook.ts';
import { type JournalAge, journalAge, openJournalFile } from '../timeline/store/journal-failure.ts';
import { openDatabase } from '../timeline/store/open-database.ts';
import { INDEX_VERSION } from '../timeline/store/sqlite-index.ts';

/** One part of a home, its state, and what a person must do, if anything. */
interface Finding {
	part: string;
	words: string;
	todo?: string;
}

const JOURNAL: Readonly<Record<JournalAge, Omit<Finding, 'part'>>> = {
	same: { words: 'up to date' },
	older: { words: 'older; the next start upgrades it, and older versions cannot use it afterwards' },
	newer: { words: 'written by a newer Signalbox', todo: 'use that version; this one does not touch it' },
};

function checkJournal(home: string): Finding {
	const path = join(home, 'journal.db');
	if (!existsSync(path)) return { part: 'journal', words: 'not there yet' };
	const sqlite = openJournalFile(path);
	try {
		return { part: 'journal', ...JOURNAL[journalAge(sqlite)] };
	} finally {
		sqlite.close();
	}
}

function checkIndex(home: string): Finding {
	const path = join(home, 'index.db');
	if (!existsSync(path)) return { part: 'index', words: 'not there yet' };
	const sqlite = openDatabase(path, { readonly: true });
	try {
		const version = sqlite.prepare("SELECT value FROM meta WHERE key = 'version'").pluck().get();
		const isSame = version === INDEX_VERSION;
		return {
			part: 'index',
			words: isSame ? 'up to date' : 'of another version; the next start rebuilds it',
		};
	} finally {
		sqlite.close();
	}
}

function checkHooks(home: string): Finding {
	const states = Object.entries(hookFileStates(home));
	if (states.every(([, state]) => state === 'missing')) return { part: 'hooks', words: 'not installed in this home' };
	const stale = states.filter(([, state]) => state !== 'same').map(([name]) => name);
	if (stale.length === 0) return { part: 'hooks', words: 'up to date' };
	return { part: 'hooks', words: `of another version: ${stale.join(', ')}`, todo: 'run `signalbox init` in a project' };
}

export const upgrade: Command = {
	usage: 'upgrade --check',
	about: [
		'Compares the journal, the index and the hooks of the home with this version, and prints what an upgrade would change.',
		'Changes nothing. To upgrade, install the new package (`npm install --global FILE`), then run `signalbox start`.',
	].join('\n'),
	options: { check: { type: 'boolean', about: 'print what an upgrade would change' } },
	examples: ['signalbox upgrade --check'],
	exits: { 0: 'nothing to do', 1: 'something must be done first; the list says what' },
	run({ check: isCheck = false }, _words, terminal) {
		if (!isCheck) throw new UsageError('Use `upgrade --check`. npm installs a new version.');
		const home = homeOf(terminal);
		terminal.print(`Signalbox ${packageVersion()}, home ${home}`);
		const findings = [checkJournal, checkIndex, checkHooks].map((check) => check(home));
		for (const { part, words, todo } of findings) {
			terminal.print(`${part.padEnd(8)} ${words}`);
			if (todo !== undefined) terminal.say(`         -> ${todo}`);
		}
		return findings.some(({ todo }) => todo !== undefined) ? EXIT.failed : EXIT.done;
	},
};
