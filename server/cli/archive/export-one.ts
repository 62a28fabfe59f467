import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readOrigin } from '#hooks-bridge/features/archive-claim.ts';
import { stateFolder } from '#hooks-bridge/features/feature-folders.ts';
import { ReadableFormat, type RedactionCounts } from '#lib/contract/archives/features.ts';
import { AppError } from '#lib/contract/errors.ts';
import { printable } from '#lib/text/printable.ts';
import { EXIT, type OptionValues, type Terminal, UsageError } from '../../process/command.ts';
import { homeOf } from '../../process/home.ts';
import { withArchives } from '../feature-ports.ts';
import { findArchive } from './find-archive.ts';

const MOST_FIELDS = 30;

/** `archive export`: one file for programs or for people, or what a redaction would leave out. */
export async function exportOne(word: string, values: OptionValues, terminal: Terminal): Promise<number> {
	const [format, another] = ReadableFormat.options.filter((name) => values[name] === true);
	if (another !== undefined) throw new UsageError(`Give --${format} or --${another}, not both.`);
	const home = homeOf(terminal);
	const id = findArchive(word, terminal);
	const origin = readOrigin(home, id);
	const [{ exportArchive }, { syncArchive }, { previewRedaction }, { formatEnding, writeForPeople }] =
		await Promise.all([
			import('../../archives/features/export-archive.ts'),
			import('../../archives/features/archive-sync.ts'),
			import('../../archives/features/archive-story.ts'),
			import('../../archives/features/export-for-people.ts'),
		]);
	return withArchives(home, async (world) => {
		const manifest = await syncArchive(id, world);
		if (!manifest || !origin) throw new AppError('feature/not-found', `The archive ${id} has no manifest.`);
		const redacted = values.redact === true;
		const job = { origin, manifest, redacted };
		if (values.preview === true) {
			tellPreview(await previewRedaction(job, world), terminal);
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
		await (format === undefined ? exportArchive(target, job, world) : writeForPeople(target, format, job, world));
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
