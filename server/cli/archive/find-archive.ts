import { listArchives } from '#hooks-bridge/features/archive-claim.ts';
import { readFeatureId } from '#hooks-bridge/features/feature-id.ts';
import { AppError } from '#lib/contract/errors.ts';
import { type Terminal, UsageError } from '../../process/command.ts';
import { homeOf } from '../../process/home.ts';

/** The word that names an archive. Throws UsageError where there is none. */
export function demandWord(word: string | undefined): string {
	if (word === undefined) throw new UsageError('Name an archive: its id, the name of its folder, or an exported file.');
	return word;
}

/** The archive that a word means: an id, or a folder's name that only one project has. Throws `feature/not-found`. */
export function findArchive(word: string, terminal: Terminal): string {
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
