import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { identityOf, isAlive, type ProcessIdentity } from './process-identity.ts';
import { isDiskFault } from './write-files.ts';

const WAIT_MS = 1000;
const STALE_MS = 5000;
const RETRY_MS = 10;

/** `held` is false if the lock was not free in time; the work was then not done. */
export type Locked<T> = { held: true; value: T } | { held: false };

interface Holder extends ProcessIdentity {
	nonce: string;
}

/** Waiting on it sleeps, since nobody ever wakes it. */
const sleeper = new Int32Array(new SharedArrayBuffer(4));

/**
 * Runs `work` under the exclusive lock file `path`. A lock whose holder died, or that is 5 seconds old, is taken over.
 * Synchronous, as all judging is, so waiting blocks the process: up to a second in a hook, hardly at all in the server. Never hold
 * it while waiting for a person, a model or a project file, and never lock twice.
 */
export function withLock<T>(path: string, work: () => T, waitMs = WAIT_MS): Locked<T> {
	const until = performance.now() + waitMs;
	const own: Holder = { ...(identityOf(process.pid) ?? { pid: process.pid, start: null }), nonce: randomUUID() };
	while (!tryLock(path, own)) {
		if (performance.now() >= until) return { held: false };
		Atomics.wait(sleeper, 0, 0, Math.min(RETRY_MS, waitMs / 2));
	}
	try {
		return { held: true, value: work() };
	} finally {
		if (holderOf(path)?.nonce === own.nonce) rmSync(path, { force: true });
	}
}

function tryLock(path: string, own: Holder): boolean {
	if (createLock(path, own)) return true;
	const holder = holderOf(path);
	if (holder === null || (isAlive(holder) && ageOf(path) <= STALE_MS)) return false;
	removeStale(path, holder);
	return createLock(path, own);
}

/** Created as a link to a complete file, so that a lock never exists without its holder. */
function createLock(path: string, own: Holder): boolean {
	const draft = `${path}.${own.nonce}`;
	try {
		writeFileSync(draft, JSON.stringify(own), { mode: 0o600 });
	} catch (error) {
		// On a full disk work continues without a lock.
		if (isDiskFault(error)) return false;
		throw error;
	}
	try {
		linkSync(draft, path);
		return true;
	} catch {
		return false;
	} finally {
		unlinkSync(draft);
	}
}

/** A claim file named after the dead holder lets only one of the waiting processes remove its lock. */
function removeStale(path: string, holder: Holder): void {
	const claim = `${path}.gone-${holder.nonce}`;
	try {
		writeFileSync(claim, '', { flag: 'wx', mode: 0o600 });
	} catch {
		if (ageOf(claim) > STALE_MS) rmSync(claim, { force: true });
		return;
	}
	if (holderOf(path)?.nonce === holder.nonce) renameSync(path, `${claim}.lock`);
	rmSync(`${claim}.lock`, { force: true });
	rmSync(claim, { force: true });
}

/** Milliseconds since the file was written; 0 if it is gone. */
function ageOf(path: string): number {
	const stat = statSync(path, { throwIfNoEntry: false });
	return stat ? Date.now() - stat.mtimeMs : 0;
}

/** Null if there is no lock. A file that is not one of ours counts as a dead holder's. */
function holderOf(path: string): Holder | null {
	try {
		const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
		const holder = value as Partial<Holder>;
		if (typeof holder.pid === 'number' && /^[\w-]{1,64}$/.test(holder.nonce ?? '')) return holder as Holder;
	} catch (error) {
		// An error of the file system; one of JSON has no code.
		if (error instanceof Error && 'code' in error) return null;
	}
	return { pid: 0, start: '', nonce: 'foreign' };
}
