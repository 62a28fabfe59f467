import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const PREFIX = 'sb-';

/** Before all tests: what they leave behind goes with the run. Other users reach it, since no database runs as root. */
export function setup(): void {
	// Each project of the tests calls this, and `npm test` has done it.
	if (basename(tmpdir()).startsWith(PREFIX)) return;
	const folder = mkdtempSync(join(tmpdir(), PREFIX));
	chmodSync(folder, 0o755);
	process.env.TMPDIR = folder;
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}
