import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AppError } from '#lib/contract/errors.ts';
import { EXIT, type Terminal, UsageError } from '../../process/command.ts';
import { homeOf, isDoorOpen } from '../../process/home.ts';
import { howToStop, readHolder } from '../../process/server-holder.ts';

/** `archive backup`: the whole home in one file, the server running or not. */
export async function backupHome(word: string | undefined, terminal: Terminal): Promise<number> {
	if (word === undefined) throw new UsageError('Name the file that the backup is written to, or a folder for it.');
	const home = homeOf(terminal);
	if (!existsSync(home)) throw new AppError('file/not-found', `There is no home ${home} to copy.`);
	const now = Date.now();
	const place = resolve(terminal.cwd, word);
	const isFolder = statSync(place, { throwIfNoEntry: false })?.isDirectory();
	const name = `signalbox-${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}.backup`;
	const target = isFolder ? join(place, name) : place;
	if (existsSync(target)) throw new AppError('feature/exists', `${target} is there already; name another file.`);
	if (`${target}/`.startsWith(`${home}/`))
		throw new UsageError(
			'A backup inside the home would be lost with it, and copied into the next. Name another place.',
		);
	const { writeBackup } = await import('../../archives/backup/write-backup.ts');
	const { files, bytes, rows } = await writeBackup(home, target, now);
	terminal.print(target);
	terminal.say(
		`${files} files, ${bytes} bytes and ${rows} rows of the journal are in it, checked. It holds keys: guard it.`,
	);
	return EXIT.done;
}

/** `archive restore`: the home of a backup, whole or not at all. */
export async function restoreHome(word: string | undefined, replace: boolean, terminal: Terminal): Promise<number> {
	const file = word === undefined ? undefined : resolve(terminal.cwd, word);
	if (file === undefined || !statSync(file, { throwIfNoEntry: false })?.isFile())
		throw new UsageError('Name the file that `archive backup` wrote.');
	const home = homeOf(terminal);
	if (await isDoorOpen(home))
		throw new AppError(
			'feature/state',
			`A server runs in ${home}; nothing was restored. ${howToStop(readHolder(home)?.pid)}`,
		);
	const { restoreBackup } = await import('../../archives/backup/restore-backup.ts');
	const { files, rows, createdAt, before } = await restoreBackup(file, home, replace, Date.now());
	terminal.print(home);
	terminal.say(`${files} files and ${rows} rows of the journal are back as of ${createdAt}, checked.`);
	if (before !== undefined) terminal.say(`What was there before lies in ${before}.`);
	return EXIT.done;
}
