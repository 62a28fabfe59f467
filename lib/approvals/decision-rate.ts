export interface TimedDecision {
	state: string;
	requestedAt?: string | undefined;
	decidedAt?: string | undefined;
}

export interface DecisionRate {
	decided: number;
	approveRate: number;
	medianMs: number;
	lastHour: number;
	/** Over 95 % approved, in under two seconds at the median, over at least 20 decisions. */
	isRubberStamp: boolean;
}

const HOUR_MS = 3_600_000;
const MIN_DECISIONS = 20;
const TOO_OFTEN = 0.95;
const TOO_FAST_MS = 2000;

/** How fast and how often people approve, to warn of rubber-stamping. Null without decisions; `now` in ms. */
export function decisionRateOf(approvals: readonly TimedDecision[], now: number): DecisionRate | null {
	const waits = approvals.flatMap(({ state, requestedAt, decidedAt }) => {
		if (state !== 'approved' && state !== 'denied') return [];
		const at = Date.parse(decidedAt ?? '');
		const ms = at - Date.parse(requestedAt ?? '');
		return Number.isFinite(ms) ? [{ at, ms: Math.max(0, ms), approved: state === 'approved' }] : [];
	});
	if (waits.length === 0) return null;
	const decided = waits.length;
	const approveRate = waits.filter(({ approved }) => approved).length / decided;
	const medianMs = median(waits.map(({ ms }) => ms));
	const lastHour = waits.filter(({ at }) => now - at < HOUR_MS).length;
	const isRubberStamp = decided >= MIN_DECISIONS && approveRate > TOO_OFTEN && medianMs < TOO_FAST_MS;
	return { decided, approveRate, medianMs, lastHour, isRubberStamp };
}

function median(values: readonly number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	const middle = Math.floor(sorted.length / 2);
	const upper = sorted[middle] ?? 0;
	return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}
