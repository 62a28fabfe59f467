import type { Profile } from '#hooks-bridge/ports.ts';

/** One handler of a settings file, as `init` writes it. */
export interface HookHandler {
	type: 'command';
	command: string;
	/** Seconds. Always there: without it the client waits for 600. */
	timeout: number;
}

/** One entry under an event's name. */
export interface HookGroup {
	matcher?: '*';
	hooks: [HookHandler];
}

/** Seconds that a hook may take beyond the time for which a call is held. */
const HOLD_MARGIN = 30;
const PLAIN_TIMEOUT = 15;

interface Registration {
	/** The client filters this event by a matcher; `*` is every call. */
	matched: boolean;
	profile: Profile;
	/** A call may wait here for a person. */
	holds?: true;
}

const observed = { matched: false, profile: 'observe' } as const;
const observedByMatcher = { matched: true, profile: 'observe' } as const;

/**
 * Every event of the client but two: a WorktreeCreate hook would replace git's own worktree creation, and
 * WorktreeRemove is nothing without it. FileChanged goes without a matcher because there it names files to watch.
 * `open` is where a gate may speak: unreadable input must not stop the agent there, and the person must hear of it.
 */
export const registeredEvents: Readonly<Record<string, Registration>> = {
	SessionStart: observedByMatcher,
	Setup: observedByMatcher,
	InstructionsLoaded: observedByMatcher,
	UserPromptSubmit: { matched: false, profile: 'open' },
	UserPromptExpansion: observedByMatcher,
	MessageDisplay: observed,
	PreToolUse: { matched: true, profile: 'open', holds: true },
	PermissionRequest: { matched: true, profile: 'observe', holds: true },
	PermissionDenied: observedByMatcher,
	PostToolUse: observedByMatcher,
	PostToolUseFailure: observedByMatcher,
	PostToolBatch: observed,
	Notification: observedByMatcher,
	SubagentStart: observedByMatcher,
	SubagentStop: observedByMatcher,
	TaskCreated: observed,
	TaskCompleted: observed,
	Stop: { matched: false, profile: 'open' },
	StopFailure: observedByMatcher,
	TeammateIdle: observed,
	ConfigChange: observedByMatcher,
	CwdChanged: observed,
	DirectoryAdded: observedByMatcher,
	FileChanged: observed,
	PreCompact: observedByMatcher,
	PostCompact: observedByMatcher,
	PreModelSwitch: observed,
	PostModelSwitch: observed,
	Elicitation: observedByMatcher,
	ElicitationResult: observedByMatcher,
	SessionEnd: observedByMatcher,
};

/** The home is found at run time, and a clone on a machine without Signalbox does nothing. */
function commandFor(profile: Profile, timeout: number): string {
	return `h="\${OVERTONE_HOME:-$HOME/.overtone}/bin/hook.sh"; [ -x "$h" ] || exit 0; exec "$h" ${profile} ${timeout}`;
}

const OURS = /(?:OVERTONE_HOME|\.overtone)[^;]*\/bin\/hook\.sh/;

/** Whether a handler of any settings file is one that some version of `init` wrote. */
export function isOurHandler(handler: unknown): boolean {
	if (typeof handler !== 'object' || handler === null || !('command' in handler)) return false;
	return typeof handler.command === 'string' && OURS.test(handler.command);
}

/** The entries to write, by event. `holdSeconds` is how long a call may wait for a person. */
export function hookEntries(holdSeconds: number): Record<string, HookGroup> {
	return Object.fromEntries(
		Object.entries(registeredEvents).map(([event, { matched, profile, holds }]) => {
			const timeout = holds ? holdSeconds + HOLD_MARGIN : PLAIN_TIMEOUT;
			const handler: HookHandler = { type: 'command', command: commandFor(profile, timeout), timeout };
			return [event, matched ? { matcher: '*', hooks: [handler] } : { hooks: [handler] }];
		}),
	);
}
