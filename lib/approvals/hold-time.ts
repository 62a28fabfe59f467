/** Seconds. */
export const DEFAULT_HOLD_SECONDS = 120;

/** A hook that its own timeout kills lets the call run, so ours ends earlier. */
const MARGIN_SECONDS = 10;

export interface HoldRule {
	settingSeconds: number;
	/** SIGNALBOX_HOLD_SECONDS: holds even with nobody present, 0 never; null: unset. */
	forcedSeconds: number | null;
	operatorPresent: boolean;
	timeoutSeconds: number | undefined;
	/** A caller that cannot come back for its answer waits only if holding is forced. */
	polls: boolean;
}

/**
 * Milliseconds to hold a denial, or null for no ticket. Without the hook's timeout there is none, unless holding is
 * forced.
 */
export function holdMs(rule: HoldRule): number | null {
	const { forcedSeconds, timeoutSeconds, settingSeconds } = rule;
	if (settingSeconds <= 0) return null;
	if (forcedSeconds === null && !(rule.operatorPresent && rule.polls)) return null;
	if (rule.polls && timeoutSeconds === undefined) return null;
	const wanted = forcedSeconds ?? settingSeconds;
	const possible = timeoutSeconds === undefined ? wanted : Math.min(wanted, timeoutSeconds - MARGIN_SECONDS);
	return possible > 0 ? possible * 1000 : null;
}
