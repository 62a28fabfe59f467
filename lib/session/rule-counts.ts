import { type CallView, isOverridden, wasStopped } from './call.ts';

/**
 * By how many calls each rule kept from running, as the header counts them, and how many a person let run all the same;
 * the busiest first. What still waits counts as neither.
 */
export function ruleCounts(calls: readonly CallView[]): { rule: string; denied: number; overridden: number }[] {
	const counts = new Map<string, { rule: string; denied: number; overridden: number }>();
	for (const call of calls) {
		for (const { rule, decision } of call.verdicts) {
			if (decision !== 'deny') continue;
			const count = counts.get(rule) ?? { rule, denied: 0, overridden: 0 };
			if (wasStopped(call)) count.denied += 1;
			if (isOverridden(call)) count.overridden += 1;
			counts.set(rule, count);
		}
	}
	return [...counts.values()]
		.filter(({ denied, overridden }) => denied + overridden > 0)
		.sort((a, b) => b.denied - a.denied);
}
