import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { listArchives, readOrigin } from '#hooks-bridge/features/archive-claim.ts';
import { stateFolder } from '#hooks-bridge/features/feature-folders.ts';
import { readFeatureId } from '#hooks-bridge/features/feature-id.ts';
import { createNodePorts } from '#hooks-bridge/node/node-ports.ts';
import {
	type ExportHead,
	type FeatureOutcome,
	type Manifest,
	ReadableFormat,
	type RedactionCounts,
} from '#lib/contract/archives/features.ts';
import type { RetentionPlan } from '#lib/contract/archives/retention.ts';
import { AppError } from '#lib/contract/errors.ts';
import { archiveFigures } from '#lib/exports/archive-figures.ts';
import { keptWords, policyWords, sizeWords } from '#lib/retention/retention-words.ts';
import { printable } from '#lib/text/printable.ts';
import type { PrunePorts } from '../archives/retention/apply-retention.ts';
import { defineCommand, EXIT, type OptionValues, type Terminal, tableLines, UsageError } from '../process/command.ts';
import { failureWords } from '../process/failure-words.ts';
import { findServer, homeOf, isDoorOpen } from '../process/home.ts';
import { howToStop, readHolder } from '../process/server-holder.ts';
import { withArchives } from './feature-ports.ts';

export const archive = defineCommand({
	usage: 'archive export|import|verify|open|prune|backup|restore [ID|FILE] [OPTIONS]',
	about: [
		'Manages archived features with the timelines of their sessions, and backups of the home. ID is the id of an archive',
		'or the name of its folder, such as 2026-02-23_user-login.',
		'  export ID         write one file with everything; see the options for other forms',
		'  import FILE       import an exported file into this home, completely or not at all',
		'  verify [ID|FILE]  check every digest and name the first wrong place; without a name, check all archives',
		'  open ID|FILE      check it, and print a summary and the link to its page',
		'  prune             show what the `retention` of config.json would remove, and its size; --yes removes it. Only what is',
		'                    archived, ended and byte for byte as in its archive is removed, and the journal records it',
		'  backup FILE|DIR   copy the whole home into one checked file, also while the server runs',
		'  restore FILE      restore a backup, completely or not at all; --replace moves an existing home aside',
	].join('\n'),
	options: {
		output: {
			type: 'string',
			value: 'FILE',
			about: "export: file to write (default: FOLDER.signalbox.gz here; with --redact in the feature's folder)",
		},
		redact: {
			type: 'boolean',
			about: 'export: replace what was said by lengths and salted digests; names and verdicts stay',
		},
		html: { type: 'boolean', about: 'export: one page that opens offline' },
		markdown: { type: 'boolean', about: 'export: a summary for a pull request' },
		csv: { type: 'boolean', about: 'export: a table of all calls, for a spreadsheet' },
		replace: { type: 'boolean', about: 'restore: move an existing home aside first' },
		yes: { type: 'boolean', about: 'prune: remove it' },
		apply: { type: 'boolean', about: 'prune: the same as --yes' },
		json: { type: 'boolean', about: 'prune: print {applied, policy, problems, remove, bytes, kept} as JSON' },
		preview: { type: 'boolean', about: 'export: count what --redact would leave out; write nothing' },
	},
	verbs: { export: 1, import: 1, verify: 1, open: 1, prune: 0, backup: 1, restore: 1 },
	examples: [
		'signalbox archive export 2026-02-23_user-login --redact',
		'signalbox archive export 2026-02-23_user-login --html --redact',
		'signalbox archive verify',
		'signalbox archive prune --json',
		'signalbox archive backup /mnt/backups',
		'signalbox archive open 2026-02-23_user-login.signalbox.gz',
	],
	exits: { 0: 'done; nothing is wrong', 1: 'something is wrong or was refused; the reason is on stderr' },
	run({ replace = false, ...values }, [verb, word], terminal) {
		switch (verb) {
			case 'export':
				return exportOne(demandWord(word), values, terminal);
			case 'import':
				return importOne(demandWord(word), terminal);
			case 'prune':
				return pruneHome(values, terminal);
			case 'backup':
				return backupHome(word, terminal);
			case 'restore':
				return restoreHome(word, replace, terminal);
			case 'verify':
				return word === undefined ? verifyAll(terminal) : verifyOne(word, terminal);
			case 'open':
				return openOne(demandWord(word), terminal);
		}
	},
});

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
	// A folder is no archive, and reading a FIFO would block.
	if (!statSync(file).isFile())
		throw new UsageError(`${file} is not a file. Give an archive, or a file that \`archive export\` wrote.`);
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
	if (url === undefined) terminal.say('Run `signalbox start` to see it in the browser.');
	else terminal.print(`Open ${url}/features/${id}`);
	return report(id, await verifyArchive(home, id), terminal);
}

function summarise(manifest: Manifest, outcome: FeatureOutcome | null, terminal: Terminal): void {
	const { feature, sessions, documents, complete } = manifest;
	const bytes = sessions.flatMap(({ timelines }) => timelines).reduce((sum, timeline) => sum + timeline.bytes, 0);
	const lines: [string, string][] = [
		['Feature', feature],
		['Documents', documents.map(({ name }) => name).join(', ') || '–'],
		['Timelines', `${bytes} bytes${complete ? '' : '; a session still runs'}`],
		...archiveFigures({ manifest, outcome }).filter(([name]) => name !== 'Sessions'),
		['Sessions', sessions.map(({ sessionId }) => sessionId).join(', ') || '–'],
	];
	for (const line of tableLines(lines.map(([name, value]) => [name, printable(value, 500)]))) terminal.print(line);
}

const MAX_FIELDS = 30;

async function exportOne(word: string, values: OptionValues, terminal: Terminal): Promise<number> {
	const [format, another] = ReadableFormat.options.filter((name) => values[name] === true);
	if (another !== undefined) throw new UsageError(`Give --${format} or --${another}, not both.`);
	const home = homeOf(terminal);
	const id = findArchive(word, terminal);
	const origin = readOrigin(home, id);
	const [{ exportArchive }, { syncArchive }, { previewRedaction }, { formatEnding, writeForPeople }] =
		await Promise.all([
			import('../archives/features/export-archive.ts'),
			import('../archives/features/archive-sync.ts'),
			import('../archives/features/export-for-people.ts'),
			import('../archives/features/export-for-people.ts'),
		]);
	return withArchives(home, async (ports) => {
		const manifest = await syncArchive(id, ports);
		if (!manifest || !origin) throw new AppError('feature/not-found', `The archive ${id} has no manifest.`);
		const redacted = values.redact === true;
		const job = { origin, manifest, redacted };
		if (values.preview === true) {
			printPreview(await previewRedaction(job, ports), terminal);
			return EXIT.done;
		}
		const whole = redacted
			? join(origin.root, stateFolder('archive'), origin.folder, 'timelines.redacted.gz')
			: `${origin.folder}.signalbox.gz`;
		const usual =
			format === undefined ? whole : `${origin.folder}${redacted ? '.redacted' : ''}${formatEnding[format]}`;
		const target = resolve(terminal.cwd, typeof values.output === 'string' ? values.output : usual);
		if (existsSync(target))
			throw new AppError('feature/exists', `${target} exists already: remove it, or give another file with --output.`);
		await (format === undefined ? exportArchive(target, job, ports) : writeForPeople(target, format, job, ports));
		terminal.print(target);
		return EXIT.done;
	});
}

function printPreview({ events, touched, ids, fields, leftOut }: RedactionCounts, terminal: Terminal): void {
	terminal.print(`--redact leaves out something of ${touched} of ${events} events, in these fields:`);
	for (const { type, field, count, characters } of fields.slice(0, MAX_FIELDS))
		terminal.print(`  ${printable(`${type} ${field}`).padEnd(32)} ${count} texts, ${characters} characters`);
	if (fields.length > MAX_FIELDS) terminal.print(`  and ${fields.length - MAX_FIELDS} more fields`);
	terminal.print(
		`${ids} ids become salted digests. ${leftOut} documents, handoffs and large values are left out whole.`,
	);
	terminal.print('Names, states and verdicts stay as they are, and so does everything without --redact.');
}

async function importOne(word: string, terminal: Terminal): Promise<number> {
	const file = resolve(terminal.cwd, word);
	if (!existsSync(file) || !statSync(file).isFile())
		throw new UsageError(`${file} is not a file. Give a file that \`archive export\` wrote.`);
	const home = homeOf(terminal);
	const { importArchive } = await import('../archives/features/import-archive.ts');
	const { id, known } = await importArchive(home, file);
	terminal.print(known ? `${id}: already here, identical` : `${id}: imported`);
	const url = await findServer(home);
	if (url !== undefined) terminal.print(`Open ${url}/features/${id}`);
	return EXIT.done;
}

async function backupHome(word: string | undefined, terminal: Terminal): Promise<number> {
	if (word === undefined) throw new UsageError('Give a file or a folder for the backup.');
	const home = homeOf(terminal);
	if (!existsSync(home)) throw new AppError('file/not-found', `There is no home ${home} to copy.`);
	const now = Date.now();
	const path = resolve(terminal.cwd, word);
	const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory();
	const name = `signalbox-${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}.backup`;
	const target = isFolder ? join(path, name) : path;
	if (existsSync(target)) throw new AppError('feature/exists', `${target} exists already: give another file.`);
	if (`${target}/`.startsWith(`${home}/`))
		throw new UsageError(
			'A backup inside the home would be lost with it, and copied into the next. Give a path outside the home.',
		);
	const { writeBackup } = await import('../archives/backup/write-backup.ts');
	const { files, bytes, rows } = await writeBackup(home, target, now);
	terminal.print(target);
	terminal.say(
		`Copied and checked: ${files} files, ${bytes} bytes, ${rows} rows of the journal. The file contains keys: protect it.`,
	);
	return EXIT.done;
}

async function restoreHome(word: string | undefined, replace: boolean, terminal: Terminal): Promise<number> {
	const file = word === undefined ? undefined : resolve(terminal.cwd, word);
	if (file === undefined || !statSync(file, { throwIfNoEntry: false })?.isFile())
		throw new UsageError('Give the file that `archive backup` wrote.');
	const home = homeOf(terminal);
	if (await isDoorOpen(home))
		throw new AppError(
			'feature/state',
			`A server runs in ${home}; nothing was restored. ${howToStop(readHolder(home)?.pid)}`,
		);
	const { restoreBackup } = await import('../archives/backup/restore-backup.ts');
	const { files, rows, createdAt, before } = await restoreBackup(file, home, replace, Date.now());
	terminal.print(home);
	terminal.say(`Restored and checked, as of ${createdAt}: ${files} files, ${rows} rows of the journal.`);
	if (before !== undefined) terminal.say(`The previous home is now ${before}.`);
	return EXIT.done;
}

async function pruneHome(values: OptionValues, terminal: Terminal): Promise<number> {
	const applied = values.yes === true || values.apply === true;
	const failures: string[] = [];
	const plan = await withRetention(homeOf(terminal), async (ports) => {
		const { applyRetention, checkPlan, readPlan } = await import('../archives/retention/apply-retention.ts');
		if (!applied) return checkPlan(await readPlan(ports), ports);
		const failed = (what: string, error: unknown) => failures.push(`${what}: ${failureWords(error)}`);
		return applyRetention(ports, { by: 'command', failed });
	});
	for (const failure of failures) terminal.say(printable(failure, 500));
	if (values.json === true) terminal.print(JSON.stringify({ applied, ...plan }));
	else reportPlan(plan, applied, terminal);
	// With an unreadable policy nothing is removed, which must not look like success.
	const isUnread = applied && plan.problems.length > 0;
	return failures.length > 0 || isUnread ? EXIT.failed : EXIT.done;
}

/** The server may be running: files and journal are shared. */
async function withRetention<T>(home: string, work: (prunePorts: PrunePorts) => Promise<T>): Promise<T> {
	if (!existsSync(home)) throw new AppError('file/not-found', `There is no home ${home}.`);
	const { openSqliteJournal } = await import('../timeline/store/sqlite-journal.ts');
	const ports = createNodePorts({ home });
	const journal = await openSqliteJournal(join(home, 'journal.db'));
	try {
		return await work({ home, journal, now: Date.now, projectRootOf: ports.projectRootOf });
	} finally {
		await journal.close();
		ports.close();
	}
}

function reportPlan(
	{ policy, problems, remove, kept, bytes }: RetentionPlan,
	applied: boolean,
	terminal: Terminal,
): void {
	for (const problem of problems) terminal.say(printable(problem, 500));
	for (const { what, id, feature, project, bytes: size, why } of remove) {
		const which = what === 'session' ? `session ${id}, archived with ${feature}` : `archive ${id}`;
		terminal.print(printable(`${which} (${project}): ${sizeWords(size)}, by its ${why}`, 500));
	}
	for (const { what, id, because } of kept)
		terminal.print(printable(`${what} ${id} stays: ${keptWords[because]}`, 500));
	if (policyWords(policy) === '' && remove.length === 0) {
		terminal.say('No `retention` is configured, so nothing is removed: see docs/guide/files.md.');
		return;
	}
	const done = applied ? 'removed and freed' : 'would be removed, which frees';
	terminal.say(`${remove.length} ${done} ${sizeWords(bytes)}.`);
	if (!applied && remove.length > 0) terminal.say('Nothing was removed. `signalbox archive prune --yes` removes it.');
}

function demandWord(word: string | undefined): string {
	if (word === undefined) throw new UsageError('Give an archive: its id, the name of its folder, or an exported file.');
	return word;
}

/** An archive by its id, or by its folder's name if only one project has it. Throws `feature/not-found`. */
function findArchive(word: string, terminal: Terminal): string {
	const home = homeOf(terminal);
	const all = listArchives(home, Date.now());
	const ids = all.filter((id) => id === word || readFeatureId(id)?.nameOrFolder === word);
	if (ids.length === 1 && ids[0] !== undefined) return ids[0];
	if (ids.length > 1) throw new UsageError(`Several projects have an archive of that name: ${ids.join(', ')}.`);
	const known = all.length === 0 ? 'nothing is archived there yet' : `there are ${all.slice(0, 5).join(', ')}`;
	const more = all.length > 5 ? ` and ${all.length - 5} more` : '';
	const what = `There is no file ${JSON.stringify(word)} here, and no archive of that name in ${home}`;
	throw new AppError('feature/not-found', `${what}: ${known}${more}.`);
}
