import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const PREFIX = 'sb-';
/** Memory with a file system. Tests make tens of thousands of small files: on a disk that is a quarter of their processor time. */
const MEMORY = '/dev/shm';
/** Many times what tests leave behind. */
const LEAST_BYTES = 4 * 2 ** 30;

/** Where tests write, unless the environment names a place: into memory if that much is there and files in it may be run. */
function quickPlace() {
	if (process.env.TMPDIR !== undefined) return tmpdir();
	try {
		const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
		const [, , kind, options = ''] = mounts.map((line) => line.split(' ')).find(([, path]) => path === MEMORY) ?? [];
		const { bavail, bsize } = statfsSync(MEMORY);
		const isRunnable = kind === 'tmpfs' && !options.split(',').includes('noexec');
		return isRunnable && Math.min(bavail * bsize, freemem()) >= LEAST_BYTES ? MEMORY : tmpdir();
	} catch {
		return tmpdir();
	}
}

/** Makes a folder for whatever tests leave behind, which goes with this process. Other users reach it: no database runs as root. */
export function makeTemporaryFolder(place = quickPlace()) {
	const folder = mkdtempSync(join(place, PREFIX));
	chmodSync(folder, 0o755);
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

/** Before all tests. */
export function setup() {
	// Each project of the tests calls this, and `npm test` has done it.
	if (basename(tmpdir()).startsWith(PREFIX)) return;
	const quick = makeTemporaryFolder();
	process.env.SIGNALBOX_TEST_DISK = makeTemporaryFolder(tmpdir());
	process.env.TMPDIR = quick;
}
