import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isAlive } from '#hooks-bridge/disk/process-identity.ts';

/** A draft beside its final path, with the process id, so that others notice when that process has died. */
export function draftPath(start: string): string {
	return `${start}-${process.pid}-${randomUUID()}`;
}

/** Removes drafts that killed processes left beside the target: whole copies of a home, with its keys. */
export function removeDeadDrafts(start: string): void {
	if (!existsSync(dirname(start))) return;
	const prefix = `${basename(start)}-`;
	for (const name of readdirSync(dirname(start))) {
		const pid = Number(/^(\d{1,10})-/.exec(name.slice(prefix.length))?.[1] ?? process.pid);
		if (name.startsWith(prefix) && pid !== process.pid && !isAlive({ pid, start: null }))
			rmSync(join(dirname(start), name), { recursive: true, force: true });
	}
}
