import { type CallView, isOverridden } from '#lib/session/call.ts';

/** How often each rule denied and how often a person let the call run all the same; the busiest first. */
export function ruleCounts(calls: readonly CallView[]): { rule: string; denied: number; overridden: number }[] {
	const counts = new Map<string, { rule: string; denied: number; overridden: number }>();
	for (const call of calls) {
		for (const { rule, decision } of call.verdicts) {
			if (decision !== 'deny') continue;
			const count = counts.get(rule) ?? { rule, denied: 0, overridden: 0 };
			count.denied += 1;
			if (isOverridden(call)) count.overridden += 1;
			counts.set(rule, count);
		}
	}
	return [...counts.values()].sort((a, b) => b.denied - a.denied);
}
