import { afterAll, beforeAll } from 'vitest';

/** In the tests around it temporary files lie on a disk: a sandbox has a /dev of its own, and does not see those in memory. */
export function keepTemporaryOnDisk(): void {
	const { TMPDIR, SIGNALBOX_TEST_DISK = TMPDIR } = process.env;
	beforeAll(() => void Object.assign(process.env, { TMPDIR: SIGNALBOX_TEST_DISK }));
	afterAll(() => void Object.assign(process.env, { TMPDIR }));
}
