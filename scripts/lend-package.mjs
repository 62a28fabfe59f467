/*
 * `npm pack` packs the repository's own folder. For the moment in which it does, that folder has what build-package.mjs
 * made, and its manifest, which names no dependencies: `prepack` lends them, `postpack` takes them back. Where npm is ended
 * in between, `git checkout package.json` does.
 */
import { cpSync, existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './requirements.mjs';

/** The folder of the package that holds all its programs. */
export const BUILT = 'built';
/** Written by the package's making: what it holds of others. */
export const LICENCES = 'THIRD-PARTY.txt';

const LENT = [BUILT, LICENCES];
const PACKAGE = join(ROOT, '.package');
const MANIFEST = join(ROOT, 'package.json');
const KEPT = join(PACKAGE, 'package.of-the-clone.json');

function lendPackage() {
	cpSync(MANIFEST, KEPT);
	for (const name of LENT) renameSync(join(PACKAGE, name), join(ROOT, name));
	cpSync(join(PACKAGE, 'package.json'), MANIFEST);
}

/** The clone's folder as it was. Does nothing where nothing is lent. */
export function takePackageBack() {
	if (!existsSync(KEPT)) return;
	renameSync(KEPT, MANIFEST);
	for (const name of LENT) if (existsSync(join(ROOT, name))) renameSync(join(ROOT, name), join(PACKAGE, name));
}

if (pathToFileURL(process.argv[1] ?? '').href === import.meta.url) {
	if (process.argv[2] === '--back') takePackageBack();
	else lendPackage();
}
