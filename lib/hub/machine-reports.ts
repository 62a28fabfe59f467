import type { Say } from '../messages/say.ts';

const REPORTS_MS = 10 * 60_000;

/** How many machines have sent something in the last ten minutes (`now` in ms). */
export function reportWords(machines: readonly { seenAt: string | null }[], now: number, say: Say): string {
	const count = machines.filter(({ seenAt }) => seenAt !== null && now - Date.parse(seenAt) < REPORTS_MS).length;
	return say('{count} of {all} {all:machine|machines} reported in the last 10 minutes', {
		count,
		all: machines.length,
	});
}
