import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { listArchives } from '#hooks-bridge/features/archive-claim.ts';
import type { ExportHead, FeatureOutcome, Manifest } from '#lib/contract/archives/features.ts';
import { archiveFigures } from '#lib/exports/archive-figures.ts';
import { printable } from '#lib/text/printable.ts';
import { type Command, EXIT, type Terminal, UsageError } from '../process/command.ts';
import { findServer, homeOf } from '../process/home.ts';
import { backupHome, restoreHome } from './archive/backup.ts';
import { exportOne } from './archive/export-one.ts';
import { demandWord, findArchive } from './archive/find-archive.ts';
import { importOne } from './archive/import-one.ts';
import { pruneHome } from './archive/prune.ts';

const ACTIONS = ['export', 'verify', 'open', 'import', 'prune', 'backup', 'restore'] as const;

/** `signalbox archive` */
export const archive: Command = {
	usage: 'archive export|import|verify|open|prune|backup|restore [ID|FILE] [OPTIONS]',
	about: [
		'Archived features keep the timelines of their sessions below the home. ID is that of the archive, or the name of',
		'its folder, such as 2026-02-23_user-login.',
		"`export ID` writes one self-contained file; with --redact into the feature's folder, fit for the repository: what was said",
		'becomes lengths and salted digests, names and verdicts stay. --html is one page that opens offline, --markdown a summary,',
		'--csv all calls; --preview counts what --redact would leave out, and writes nothing.',
		'`import FILE` takes an exported file into this home, checked and whole, or not at all.',
		'`verify [ID|FILE]` names the first place that is not as the manifest says; without a name it checks all archives.',
		'`open ID|FILE` checks, and prints a summary and the link to the page.',
		'`prune` shows what the `retention` of config.json would remove, and how much that frees; with --yes it is removed, each',
		'after a row in the journal. Only what is archived, ended and compared byte for byte with its archive ever goes.',
		'`backup FILE|DIR` copies the whole home, also while the server runs, into one checked file. `restore FILE` puts it back,',
		'whole or not at all, where no home is; --replace moves the one that is there aside.',
	].join('\n'),
	options: {
		output: { type: 'string', value: 'FILE', about: 'export: where to (default: FOLDER.signalbox.gz here)' },
		redact: { type: 'boolean', about: 'export: leave out what was said' },
		html: { type: 'boolean', about: 'export: one page for people' },
		markdown: { type: 'boolean', about: 'export: a summary for a pull request' },
		csv: { type: 'boolean', about: 'export: every call, for a spreadsheet' },
		replace: { type: 'boolean', about: 'restore: move a home that holds something aside first' },
		yes: { type: 'boolean', about: 'prune: remove it' },
		apply: { type: 'boolean', about: 'prune: the same as --yes' },
		json: { type: 'boolean', about: 'prune: print {applied, policy, problems, remove, bytes, kept} as JSON' },
		preview: { type: 'boolean', about: 'export: count what --redact would leave out; write nothing' },
	},
	words: 2,
	examples: [
		'signalbox archive export 2026-02-23_user-login --redact',
		'signalbox archive export 2026-02-23_user-login --html --redact',
		'signalbox archive verify',
		'signalbox archive prune --json',
		'signalbox archive backup /mnt/backups',
		'signalbox archive open 2026-02-23_user-login.signalbox.gz',
	],
	exits: {
		0: 'done; nothing is wrong',
		1: 'something is wrong or refused; what is on stderr',
		2: 'the command line does not fit',
	},
	run(values, words, terminal) {
		const action = ACTIONS.find((known) => known === words[0]);
		switch (action) {
			case undefined:
				throw new UsageError('Say what to do: archive export, import, verify, open, prune, backup or restore.');
			case 'export':
				return exportOne(demandWord(words[1]), values, terminal);
			case 'import':
				return importOne(demandWord(words[1]), terminal);
			case 'prune':
				return pruneHome(words[1], values, terminal);
			case 'backup':
				return backupHome(words[1], terminal);
			case 'restore':
				return restoreHome(words[1], values.replace === true, terminal);
			case 'verify':
				return words[1] === undefined ? verifyAll(terminal) : verifyOne(words[1], terminal);
			case 'open':
				return openOne(demandWord(words[1]), terminal);
		}
	},
};

async function verifyOne(word: string, terminal: Terminal): Promise<number> {
	const file = resolve(terminal.cwd, word);
	if (existsSync(file)) return report(word, (await verifyFile(file)).wrong, terminal);
	const { verifyArchive } = await import('../archives/features/verify-archive.ts');
	return report(word, await verifyArchive(homeOf(terminal), findArchive(word, terminal)), terminal);
}

async function verifyAll(terminal: Terminal): Promise<number> {
	const { verifyArchive } = await import('../archives/features/verify-archive.ts');
	const home = homeOf(terminal);
	const codes: number[] = [];
	for (const id of listArchives(home, Date.now())) codes.push(report(id, await verifyArchive(home, id), terminal));
	if (codes.length === 0) terminal.say('There are no archives yet.');
	return Math.max(EXIT.done, ...codes);
}

function report(name: string, wrong: string | null, terminal: Terminal): number {
	if (wrong === null) terminal.print(`${printable(name)}: as its manifest says`);
	else terminal.say(`${printable(name)}: wrong at ${printable(wrong, 500)}`);
	return wrong === null ? EXIT.done : EXIT.failed;
}

async function verifyFile(file: string): Promise<{ wrong: string | null; head?: ExportHead }> {
	// A folder holds none, and a FIFO would be waited for.
	if (!statSync(file).isFile())
		throw new UsageError(`${file} is no file. Name an archive, or what \`archive export\` wrote.`);
	const { verifyExport } = await import('../archives/features/verify-export.ts');
	const check = await verifyExport(file);
	return { wrong: check.ok ? null : check.wrong, ...(check.head && { head: check.head }) };
}

async function openOne(word: string, terminal: Terminal): Promise<number> {
	const file = resolve(terminal.cwd, word);
	if (existsSync(file)) {
		const { wrong, head } = await verifyFile(file);
		if (head) summarise(head.manifest, head.outcome, terminal);
		if (head?.redacted) terminal.print('What was said is left out.');
		return report(word, wrong, terminal);
	}
	const home = homeOf(terminal);
	const id = findArchive(word, terminal);
	const [{ readManifest, readOutcome }, { verifyArchive }] = await Promise.all([
		import('../archives/features/archive-sync.ts'),
		import('../archives/features/verify-archive.ts'),
	]);
	const manifest = readManifest(home, id);
	if (manifest) summarise(manifest, readOutcome(home, id), terminal);
	const url = await findServer(home);
	if (url === undefined) terminal.say('Run `signalbox start` to look at it in the browser.');
	else terminal.print(`Open ${url}/features/${id}`);
	return report(id, await verifyArchive(home, id), terminal);
}

function summarise(manifest: Manifest, outcome: FeatureOutcome | null, terminal: Terminal): void {
	const { feature, sessions, documents, complete } = manifest;
	const bytes = sessions.flatMap(({ timelines }) => timelines).reduce((sum, timeline) => sum + timeline.bytes, 0);
	const lines: [string, string][] = [
		['Feature', feature],
		['Documents', documents.map(({ name }) => name).join(', ') || '–'],
		['Timelines', `${bytes} bytes${complete ? '' : '; a session still goes on'}`],
		...archiveFigures({ manifest, outcome }).filter(([name]) => name !== 'Sessions'),
		['Sessions', sessions.map(({ sessionId }) => sessionId).join(', ') || '–'],
	];
	for (const [name, value] of lines) terminal.print(`${name.padEnd(10)} ${printable(value, 500)}`);
}
