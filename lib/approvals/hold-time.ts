/** How long a denial waits for a person when no setting says otherwise, in seconds. */
export const DEFAULT_HOLD_SECONDS = 120;

/** A hook that is killed by its own timeout lets the call run, so ours ends this much earlier. */
const MARGIN_SECONDS = 10;

/** How long one denial may be held, from whoever has a say. */
export interface HoldRule {
	/** The setting, in seconds; 0 means this denial is never held. */
	settingSeconds: number;
	/** SIGNALBOX_HOLD_SECONDS: a number holds that long even with nobody there, 0 never; null: unset. */
	forcedSeconds: number | null;
	operatorPresent: boolean;
	/** The hook's own timeout in seconds. */
	timeoutSeconds: number | undefined;
	/** Whether the caller comes back for its answer; one that cannot waits only if holding is forced. */
	polls: boolean;
}

/**
 * Milliseconds to hold a denial for a person, or null for no ticket: min(hold time, the hook's own timeout - 10 s).
 * Without the hook's number there is no ticket, unless the server was told to hold.
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
