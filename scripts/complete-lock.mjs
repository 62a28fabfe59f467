/*
 * Completes package-lock.json: packages of other platforms that npm left out, and integrities that are missing.
 *
 * npm keeps an entry of the lock as it is, also one without an integrity. So the incomplete ones are taken out, and npm
 * writes them anew. A registry that serves only this platform's binaries cannot do that: they are named then, and the
 * lock stays as it was. Then a package that runs on an older Node than it asks for gets the range that our tests cover. Run this after every change of a dependency.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { incompleteEntries } from './incomplete-entries.mjs';
import { setTestedEngines } from './tested-engines.mjs';

const LOCK = new URL('../package-lock.json', import.meta.url);
const before = readFileSync(LOCK, 'utf8');
const lock = JSON.parse(before);

for (const place of incompleteEntries(lock)) delete lock.packages[place];
writeFileSync(LOCK, `${JSON.stringify(lock, null, '\t')}\n`);
const { status } = spawnSync('npm', ['install', '--package-lock-only', '--ignore-scripts'], {
	cwd: new URL('..', import.meta.url),
	stdio: ['ignore', 'ignore', 'inherit'],
});
if (status === 0) {
	const complete = setTestedEngines(JSON.parse(readFileSync(LOCK, 'utf8')));
	writeFileSync(LOCK, `${JSON.stringify(complete, null, '\t')}\n`);
}
const left = status === 0 ? incompleteEntries(JSON.parse(readFileSync(LOCK, 'utf8'))) : [];
if (status !== 0 || left.length > 0) writeFileSync(LOCK, before);
if (left.length > 0) console.error(`npm's registry serves no integrity of: ${left.join(', ')}. Use another registry.`);
else if (status === 0) console.log('package-lock.json is complete');
process.exitCode = status === 0 && left.length === 0 ? 0 : 1;
