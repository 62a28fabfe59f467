import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { EXIT, type Terminal, UsageError } from '../../process/command.ts';
import { findServer, homeOf } from '../../process/home.ts';

/** `archive import`: an exported file becomes an archive of this home, whole or not at all. */
export async function importOne(word: string, terminal: Terminal): Promise<number> {
	const file = resolve(terminal.cwd, word);
	if (!existsSync(file) || !statSync(file).isFile())
		throw new UsageError(`${file} is no file. Name what \`archive export\` wrote.`);
	const home = homeOf(terminal);
	const { importArchive } = await import('../../archives/features/import-archive.ts');
	const { id, known } = await importArchive(home, file);
	terminal.print(known ? `${id}: is here already, the same` : `${id}: imported`);
	const url = await findServer(home);
	if (url !== undefined) terminal.print(`Open ${url}/features/${id}`);
	return EXIT.done;
}
