import type { ChildProcess } from 'node:child_process';

type Leader = Pick<ChildProcess, 'pid'>;

/** Signals a child's whole group; does nothing if it is gone already. */
export function killGroup(child: Leader, signal: NodeJS.Signals): void {
	if (child.pid === undefined) return;
	try {
		process.kill(-child.pid, signal);
	} catch {
		// The group is empty.
	}
}

/** The running groups of this process. They are in sessions of their own and would outlive it. */
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

/** Whether work finishes within `ms` milliseconds. It continues in either case. */
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
