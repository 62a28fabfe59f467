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

/** `signalbox archive` */
export const archive = defineCommand({
	usage: 'archive export|import|verify|open|prune|backup|restore [ID|FILE] [OPTIONS]',
	about: [
		'Archived features keep the timelines of their sessions below the home. ID is that of the archive, or the name of',
		'its folder, such as 2026-02-23_user-login.',
		"`export ID` writes one self-contained file; with --redact into the feature's folder, fit for the repository: what was said",
		'becomes lengths and salted digests, names and verdicts stay. --html is one page that opens offline, --markdown a summary,',
		'--csv all calls; --preview counts what --redact would leave out, and writes nothing.',
		'`import FILE` copies an exported file into this home, checked and whole, or not at all.',
		'`verify [ID|FILE]` names the first place that is not as the manifest says; without a name it checks all archives.',
		'`open ID|FILE` checks, and prints a summary and the link to the page.',
		'`prune` shows what the `retention` of config.json would remove, and how much that frees; --yes removes it, each after a',
		'row in the journal. Only what is archived, ended and the same byte for byte as in its archive is ever removed.',
		'`backup FILE|DIR` copies the whole home, also while the server runs, into one checked file. `restore FILE` restores it,',
		'whole or not at all, if there is no home; --replace moves an existing one aside.',
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
	verbs: { export: 1, import: 1, verify: 1, open: 1, prune: 0, backup: 1, restore: 1 },
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
		1: 'something is wrong or refused; the reason is on stderr',
	},
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
	for (const line of tableLines(lines.map(([name, value]) => [name, printable(value, 500)]))) terminal.print(line);
}

const MOST_FIELDS = 30;

/** `archive export`: one file for programs or for people, or what a redaction would leave out. */
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
			tellPreview(await previewRedaction(job, ports), terminal);
			return EXIT.done;
		}
		const whole = redacted
			? join(origin.root, stateFolder('archive'), origin.folder, 'timelines.redacted.gz')
			: `${origin.folder}.signalbox.gz`;
		const usual =
			format === undefined ? whole : `${origin.folder}${redacted ? '.redacted' : ''}${formatEnding[format]}`;
		const target = resolve(terminal.cwd, typeof values.output === 'string' ? values.output : usual);
		if (existsSync(target))
			throw new AppError('feature/exists', `${target} is there already; remove it, or give --output.`);
		await (format === undefined ? exportArchive(target, job, ports) : writeForPeople(target, format, job, ports));
		terminal.print(target);
		return EXIT.done;
	});
}

function tellPreview({ events, touched, ids, fields, leftOut }: RedactionCounts, terminal: Terminal): void {
	terminal.print(`--redact leaves out something of ${touched} of ${events} events, in these fields:`);
	for (const { type, field, count, characters } of fields.slice(0, MOST_FIELDS))
		terminal.print(`  ${printable(`${type} ${field}`).padEnd(32)} ${count} texts, ${characters} characters`);
	if (fields.length > MOST_FIELDS) terminal.print(`  and ${fields.length - MOST_FIELDS} more fields`);
	terminal.print(
		`${ids} ids become salted digests. ${leftOut} documents, handoffs and large values are left out whole.`,
	);
	terminal.print('Names, states and verdicts stay as they are, and so does everything without --redact.');
}

/** `archive import`: an exported file becomes an archive of this home, whole or not at all. */
async function importOne(word: string, terminal: Terminal): Promise<number> {
	const file = resolve(terminal.cwd, word);
	if (!existsSync(file) || !statSync(file).isFile())
		throw new UsageError(`${file} is no file. Name what \`archive export\` wrote.`);
	const home = homeOf(terminal);
	const { importArchive } = await import('../archives/features/import-archive.ts');
	const { id, known } = await importArchive(home, file);
	terminal.print(known ? `${id}: is here already, the same` : `${id}: imported`);
	const url = await findServer(home);
	if (url !== undefined) terminal.print(`Open ${url}/features/${id}`);
	return EXIT.done;
}

/** `archive backup`: the whole home in one file, the server running or not. */
async function backupHome(word: string | undefined, terminal: Terminal): Promise<number> {
	if (word === undefined) throw new UsageError('Name the file that the backup is written to, or a folder for it.');
	const home = homeOf(terminal);
	if (!existsSync(home)) throw new AppError('file/not-found', `There is no home ${home} to copy.`);
	const now = Date.now();
	const path = resolve(terminal.cwd, word);
	const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory();
	const name = `signalbox-${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}.backup`;
	const target = isFolder ? join(path, name) : path;
	if (existsSync(target)) throw new AppError('feature/exists', `${target} is there already; name another file.`);
	if (`${target}/`.startsWith(`${home}/`))
		throw new UsageError(
			'A backup inside the home would be lost with it, and copied into the next. Name another place.',
		);
	const { writeBackup } = await import('../archives/backup/write-backup.ts');
	const { files, bytes, rows } = await writeBackup(home, target, now);
	terminal.print(target);
	terminal.say(
		`${files} files, ${bytes} bytes and ${rows} rows of the journal are in it, checked. It holds keys: guard it.`,
	);
	return EXIT.done;
}

/** `archive restore`: the home of a backup, whole or not at all. */
async function restoreHome(word: string | undefined, replace: boolean, terminal: Terminal): Promise<number> {
	const file = word === undefined ? undefined : resolve(terminal.cwd, word);
	if (file === undefined || !statSync(file, { throwIfNoEntry: false })?.isFile())
		throw new UsageError('Name the file that `archive backup` wrote.');
	const home = homeOf(terminal);
	if (await isDoorOpen(home))
		throw new AppError(
			'feature/state',
			`A server runs in ${home}; nothing was restored. ${howToStop(readHolder(home)?.pid)}`,
		);
	const { restoreBackup } = await import('../archives/backup/restore-backup.ts');
	const { files, rows, createdAt, before } = await restoreBackup(file, home, replace, Date.now());
	terminal.print(home);
	terminal.say(`${files} files and ${rows} rows of the journal are back as of ${createdAt}, checked.`);
	if (before !== undefined) terminal.say(`What was there before lies in ${before}.`);
	return EXIT.done;
}

/** `archive prune`: what the retention would remove, or its removal. */
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
	// With a policy that cannot be read nothing goes: whoever asked for it must not take that for done.
	const isUnread = applied && plan.problems.length > 0;
	return failures.length > 0 || isUnread ? EXIT.failed : EXIT.done;
}

/** Works on a home whose server may run: files and journal are shared by both. */
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
		const which = what === 'session' ? `session ${id}, kept in the archive of ${feature}` : `archive ${id}`;
		terminal.print(printable(`${which} (${project}): ${sizeWords(size)}, by its ${why}`, 500));
	}
	for (const { what, id, because } of kept)
		terminal.print(printable(`${what} ${id} stays: ${keptWords[because]}`, 500));
	if (policyWords(policy) === '' && remove.length === 0) {
		terminal.say('No retention is set: nothing is removed. See `retention` in docs/guide/files.md.');
		return;
	}
	const done = applied ? 'removed and freed' : 'would be removed, which frees';
	terminal.say(`${remove.length} ${done} ${sizeWords(bytes)}.`);
	if (!applied && remove.length > 0) terminal.say('Nothing was removed. Do it with `signalbox archive prune --yes`.');
}

/** The word that names an archive. Throws UsageError where there is none. */
function demandWord(word: string | undefined): string {
	if (word === undefined) throw new UsageError('Name an archive: its id, the name of its folder, or an exported file.');
	return word;
}

/** The archive that a word means: an id, or a folder's name that only one project has. Throws `feature/not-found`. */
function findArchive(word: string, terminal: Terminal): string {
	const home = homeOf(terminal);
	const all = listArchives(home, Date.now());
	const ids = all.filter((id) => id === word || readFeatureId(id)?.nameOrFolder === word);
	if (ids.length === 1 && ids[0] !== undefined) return ids[0];
	if (ids.length > 1) throw new UsageError(`Several projects have that: ${ids.join(', ')}.`);
	const known = all.length === 0 ? 'nothing is archived there yet' : `there are ${all.slice(0, 5).join(', ')}`;
	const more = all.length > 5 ? ` and ${all.length - 5} more` : '';
	const what = `There is no file ${JSON.stringify(word)} here, and no archive of that name in ${home}`;
	throw new AppError('feature/not-found', `${what}: ${known}${more}.`);
}
