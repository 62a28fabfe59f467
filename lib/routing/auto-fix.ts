const AUTO_FIX_MS = 5 * 60 * 1000;

/**
 * Whether auto-fix-state.json says that a repair is at work: fewer than three rounds, begun in the last five minutes. One
 * that begins in the future would never be over.
 */
export function isAutoFix(text: string, now: number): boolean {
	try {
		const { active, iteration, startedAt, timestamp } = JSON.parse(text) as Record<string, unknown>;
		const since = startedAt ?? timestamp;
		const at = typeof since === 'number' ? since : Date.parse(String(since));
		const age = now - at;
		return active === true && Number(iteration) < 3 && age >= 0 && age < AUTO_FIX_MS;
	} catch {
		return false;
	}
}
