import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isAlive } from '#hooks-bridge/disk/process-identity.ts';

/** Where something is made beside its place until it is whole: of one process, so that others know when it died. */
export function draftPath(target: string, kind: 'draft' | 'restore'): string {
	return `${target}.${kind}-${process.pid}-${randomUUID()}`;
}

/** Removes what processes that were killed left beside the target: whole copies of a home, with its keys. */
export function removeDeadDrafts(target: string, kind: 'draft' | 'restore'): void {
	const start = `${basename(target)}.${kind}-`;
	for (const name of readdirSync(dirname(target))) {
		const pid = Number(/^(\d{1,10})-/.exec(name.slice(start.length))?.[1] ?? process.pid);
		if (name.startsWith(start) && pid !== process.pid && !isAlive({ pid, start: null }))
			rmSync(join(dirname(target), name), { recursive: true, force: true });
	}
}
