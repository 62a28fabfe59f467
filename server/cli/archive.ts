import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { listArchives, readOrigin } from '#hooks-bridge/features/archive-claim.ts';
import { stateFolder } from '#hooks-bridge/features/feature-folders.ts';
import { readFeatureId } from '#hooks-bridge/features/feature-id.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { ExportHead, FeatureOutcome, Manifest } from '#lib/contract/features.ts';
import { printable } from '#lib/text/printable.ts';
import { spanDuration } from '#lib/time/duration.ts';
import { tokensOf } from '#lib/usage/usage-totals.ts';
import { costOfAll, tokenNumber } from '#lib/usage/usage-words.ts';
import { findServer, homeOf } from '../install/home.ts';
import { type Command, EXIT, type OptionValues, type Terminal, UsageError } from './command.ts';
import { withArchives } from './feature-world.ts';

const ACTIONS = ['export', 'verify', 'open'] as const;

/** `signalbox archive` */
export const archive: Command = {
	usage: 'archive export ID [--output FILE] [--redact] | archive verify [ID|FILE] | archive open ID|FILE',
	about: [
		'Archived features keep the timelines of their sessions below the home. ID is that of the archive, or the name of',
		"its folder, such as 2026-02-23_user-login. `export` writes one self-contained file; with --redact into the feature's",
		'folder, fit for the repository: what was said becomes lengths and salted digests, names and verdicts stay. `verify`',
		'names the first place that is not as the manifest says. `open` checks, and prints a summary and the link to the page.',
	].join('\n'),
	options: {
		output: { type: 'string', value: 'FILE', about: 'export: where to (default: FOLDER.signalbox.gz here)' },
		redact: { type: 'boolean', about: 'export: leave out what was said' },
	},
	words: 2,
	examples: [
		'signalbox archive export 2026-02-23_user-login --redact',
		'signalbox archive verify',
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
				throw new UsageError('Say what to do: archive export, archive verify, archive open.');
			case 'export':
				return exportOne(demandWord(words[1]), values, terminal);
			case 'verify':
				return words[1] === undefined ? verifyAll(terminal) : verifyOne(words[1], terminal);
			case 'open':
				return openOne(demandWord(words[1]), terminal);
		}
	},
};

function demandWord(word: string | undefined): string {
	if (word === undefined) throw new UsageError('Name an archive: its id, the name of its folder, or an exported file.');
	return word;
}

/** The archive that a word means: an id, or a folder's name that only one project has. */
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

async function exportOne(word: string, values: OptionValues, terminal: Terminal): Promise<number> {
	const home = homeOf(terminal);
	const id = findArchive(word, terminal);
	const origin = readOrigin(home, id);
	const [{ exportArchive }, { syncArchive }] = await Promise.all([
		import('../features/export-archive.ts'),
		import('../features/archive-sync.ts'),
	]);
	return withArchives(home, async (world) => {
		const manifest = await syncArchive(id, world);
		if (!manifest || !origin) throw new AppError('feature/not-found', `The archive ${id} has no manifest.`);
		const redacted = values.redact === true;
		const usual = redacted
			? join(origin.root, stateFolder('archive'), origin.folder, 'timelines.redacted.gz')
			: `${origin.folder}.signalbox.gz`;
		const target = resolve(terminal.cwd, typeof values.output === 'string' ? values.output : usual);
		if (existsSync(target))
			throw new AppError('feature/exists', `${target} is there already; remove it, or give --output.`);
		await exportArchive(target, { origin, manifest, redacted }, world);
		terminal.print(target);
		return EXIT.done;
	});
}

async function verifyOne(word: string, terminal: Terminal): Promise<number> {
	const file = resolve(terminal.cwd, word);
	if (existsSync(file)) return report(word, (await verifyFile(file)).wrong, terminal);
	const { verifyArchive } = await import('../features/verify-archive.ts');
	return report(word, await verifyArchive(homeOf(terminal), findArchive(word, terminal)), terminal);
}

async function verifyAll(terminal: Terminal): Promise<number> {
	const { verifyArchive } = await import('../features/verify-archive.ts');
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
	const { verifyExport } = await import('../features/verify-export.ts');
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
		import('../features/archive-sync.ts'),
		import('../features/verify-archive.ts'),
	]);
	const manifest = readManifest(home, id);
	if (manifest) summarise(manifest, readOutcome(home, id), terminal);
	const url = await findServer(home);
	if (url === undefined) terminal.say('Run `signalbox start` to look at it in the browser.');
	else terminal.print(`Open ${url}/features/${id}`);
	return report(id, await verifyArchive(home, id), terminal);
}

function summarise(manifest: Manifest, outcome: FeatureOutcome | null, terminal: Terminal): void {
	const { feature, archivedAt, workflow, sessions, documents, complete } = manifest;
	const bytes = sessions.flatMap(({ timelines }) => timelines).reduce((sum, timeline) => sum + timeline.bytes, 0);
	const lines: [string, string][] = [
		['Feature', feature],
		['Archived', archivedAt],
		['Workflow', workflow ?? '-'],
		['Documents', documents.map(({ name }) => name).join(', ') || '-'],
		['Sessions', sessions.map(({ sessionId }) => sessionId).join(', ') || '-'],
		['Timelines', `${bytes} bytes${complete ? '' : '; a session still goes on'}`],
	];
	if (outcome) {
		const { durationMs, retries, passAt1, unclear = 0, denials, overrides, usage } = outcome;
		lines.push(['Duration', spanDuration(durationMs)], ['Retries', String(retries)]);
		lines.push(['pass@1', passAt1 === null ? '-' : `${Math.round(passAt1 * 100)} %`]);
		if (unclear > 0) lines.push(['No verdict', String(unclear)]);
		lines.push(['Denials', String(denials)], ['Overrides', String(overrides)]);
		if (usage) lines.push(['Tokens', tokenNumber(tokensOf(usage))], ['Cost', costOfAll(usage) ?? '-']);
	}
	for (const [name, value] of lines) terminal.print(`${name.padEnd(10)} ${printable(value, 500)}`);
}
