import type { Profile } from '#hooks-bridge/ports.ts';
import type { GateRow } from '#lib/gates/gate-row.ts';
import { gateTable } from '#lib/gates/gate-table.ts';

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
	holds: boolean;
}

/**
 * Every event of the client but two, and whether it filters that event by a matcher: a WorktreeCreate hook would replace
 * git's own worktree creation, and WorktreeRemove is nothing without it. FileChanged goes without a matcher because
 * there it names files to watch.
 */
const clientEvents: Readonly<Record<string, boolean>> = {
	SessionStart: true,
	Setup: true,
	InstructionsLoaded: true,
	UserPromptSubmit: false,
	UserPromptExpansion: true,
	MessageDisplay: false,
	PreToolUse: true,
	PermissionRequest: true,
	PermissionDenied: true,
	PostToolUse: true,
	PostToolUseFailure: true,
	PostToolBatch: false,
	Notification: true,
	SubagentStart: true,
	SubagentStop: true,
	TaskCreated: false,
	TaskCompleted: false,
	Stop: false,
	StopFailure: true,
	TeammateIdle: false,
	ConfigChange: true,
	CwdChanged: false,
	DirectoryAdded: true,
	FileChanged: false,
	PreCompact: true,
	PostCompact: true,
	PreModelSwitch: false,
	PostModelSwitch: false,
	Elicitation: true,
	ElicitationResult: true,
	SessionEnd: true,
};

const rows: readonly GateRow[] = gateTable;

/**
 * An event at which a gate speaks is `open`: unreadable input must not stop the agent there, and the person must hear of
 * it. Gates that fail otherwise have entries of their own beside this one.
 */
function registration(event: string, matched: boolean): Registration {
	const gates = rows.filter(({ hooks }) => hooks.includes(event));
	const profile = gates.some((row) => row.profile === 'open') ? 'open' : 'observe';
	// The client's own question waits as a denial does.
	const holds =
		event === 'PermissionRequest' || (event === 'PreToolUse' && gates.some(({ mayHold }) => mayHold === true));
	return { matched, profile, holds };
}

/** How each event is registered. */
export const registeredEvents: Readonly<Record<string, Registration>> = Object.fromEntries(
	Object.entries(clientEvents).map(([event, matched]) => [event, registration(event, matched)]),
);

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
