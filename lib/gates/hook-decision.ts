import type { HookDecision } from '../contract/events/catalogue/judgement.ts';

const strength: Record<HookDecision['decision'], number> = { deny: 3, ask: 2, allow: 1, pass: 0 };

/** The stricter decision, with both texts line by line. */
export function joinDecisions(one: HookDecision | null, other: HookDecision | null): HookDecision | null {
	if (one === null || other === null) return one ?? other;
	const [strict, mild] = strength[other.decision] > strength[one.decision] ? [other, one] : [one, other];
	const joined: HookDecision = { ...mild, ...strict };
	for (const key of ['reason', 'message', 'context'] as const) {
		const texts = [one[key], other[key]].filter((text) => text !== undefined);
		if (texts.length > 0) joined[key] = texts.join('\n');
	}
	return joined;
}

export function isDenial(decision: HookDecision | null): boolean {
	return decision?.decision === 'deny';
}

/** Other parts of a recorded decision are read as texts. */
export function isHookDecision(value: unknown): value is HookDecision {
	return (
		typeof value === 'object' &&
		value !== null &&
		'decision' in value &&
		Object.hasOwn(strength, String(value.decision))
	);
}
