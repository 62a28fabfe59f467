import type { ChildProcess } from 'node:child_process';

type Leader = Pick<ChildProcess, 'pid'>;

/** Signals a child's whole group; one that is gone already needs none. */
export function killGroup(child: Leader, signal: NodeJS.Signals): void {
	if (child.pid === undefined) return;
	try {
		process.kill(-child.pid, signal);
	} catch {
		// Nobody is left in it.
	}
}

/** The groups of this process that still run. They are in sessions of their own and would outlive it. */
class LiveGroups {
	readonly #leaders = new Set<Leader>();
	#watching = false;

	add(child: Leader): void {
		this.#leaders.add(child);
		if (this.#watching) return;
		this.#watching = true;
		process.once('exit', () => {
			for (const leader of this.#leaders) killGroup(leader, 'SIGKILL');
		});
	}

	delete(child: Leader): void {
		this.#leaders.delete(child);
	}
}

export const liveGroups = new LiveGroups();

/** Whether work is done within so many milliseconds; it goes on either way. */
export async function inTime(work: Promise<unknown>, ms: number): Promise<boolean> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<boolean>((resolve) => {
		timer = setTimeout(() => resolve(false), ms);
	});
	try {
		return await Promise.race([work.then(() => true), late]);
	} finally {
		clearTimeout(timer);
	}
}
