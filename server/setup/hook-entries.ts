import { clientEvents } from '#hooks-bridge/agents/claude-code/setup.ts';
import type { Profile } from '#hooks-bridge/ports/hook-run.ts';
import { QUESTION_TOOL } from '#lib/agents/tool-call.ts';
import type { GateRow } from '#lib/gates/gate.ts';
import { hooksOf } from '#lib/gates/gate-hooks.ts';
import { gateTable } from '#lib/gates/gate-table.ts';

/** One handler of a settings file, as `init` writes it. */
export interface HookHandler {
	type: 'command';
	command: string;
	/** Seconds. Always set: without it the client waits for 600. */
	timeout: number;
	/** What the client does when the handler fails; clients before 2.1.295 ignore it. */
	onFailure?: 'block';
}

/** One entry under an event's name. */
export interface HookGroup {
	/** `*` is every call, else one tool. */
	matcher?: string;
	hooks: [HookHandler];
}

/** The entries that `init` writes, by event; two entries of one event differ in their matcher. */
export type HookEntries = Readonly<Record<string, readonly HookGroup[]>>;

/** Seconds that a hook may take beyond the time for which a call is held. */
export const HOLD_MARGIN = 30;
const PLAIN_TIMEOUT = 15;
/** The client's own default, since reviews take long. */
const REVIEW_TIMEOUT = 600;

interface Registration {
	/** The client filters this event by a matcher; `*` is every call. */
	matched: boolean;
	profile: Profile;
	/** A call may wait here for a person. */
	holds: boolean;
}

/**
 * An event with a gate is `open`: unreadable input must not stop the agent. Gates that fail otherwise have entries of their own.
 */
function registerEvent(event: string, matched: boolean, rows: readonly GateRow[]): Registration {
	const gates = rows.filter((row) => hooksOf(row).events.includes(event));
	const profile = gates.some((row) => row.profile === 'open') ? 'open' : 'observe';
	// The client's own question can wait like a denial.
	const holds =
		event === 'PermissionRequest' || (event === 'PreToolUse' && gates.some(({ mayHold }) => mayHold === true));
	return { matched, profile, holds };
}

/** How each event is registered where these gates judge. */
export function registerEvents(rows: readonly GateRow[] = gateTable): Readonly<Record<string, Registration>> {
	const events = Object.entries(clientEvents);
	return Object.fromEntries(events.map(([event, matched]) => [event, registerEvent(event, matched, rows)]));
}

/** Finds the home when run; does nothing on a machine without Signalbox. */
function commandFor(profile: Profile, timeout: number): string {
	return `h="\${OVERTONE_HOME:-$HOME/.overtone}/bin/hook.sh"; [ -x "$h" ] || exit 0; exec "$h" ${profile} ${timeout}`;
}

const OURS = /(?:OVERTONE_HOME|\.overtone)[^;]*\/bin\/hook\.sh/;

/** Whether a handler of any settings file was written by some version of `init`. */
export function isOurHandler(handler: unknown): boolean {
	if (typeof handler !== 'object' || handler === null || !('command' in handler)) return false;
	return typeof handler.command === 'string' && OURS.test(handler.command);
}

/**
 * The entries to write. `holdSeconds`: how long a call may wait. With `withSupervisor`, questions have an entry beside the common
 * one; the one for Stop replaces it and runs it itself, since a Stop has no id by which two runs could recognise each other.
 */
export function hookEntries(holdSeconds: number, withSupervisor = false): HookEntries {
	const plain = Object.entries(registerEvents()).map(([event, { matched, profile, holds }]) => {
		const timeout = holds ? holdSeconds + HOLD_MARGIN : PLAIN_TIMEOUT;
		const group = groupOf(profile, timeout);
		return [event, [matched ? { matcher: '*', ...group } : group]] as const;
	});
	const entries: Record<string, readonly HookGroup[]> = Object.fromEntries(plain);
	if (!withSupervisor) return entries;
	const review = groupOf('supervisor', REVIEW_TIMEOUT);
	const questions = { matcher: QUESTION_TOOL, ...review };
	return { ...entries, Stop: [review], PreToolUse: [...(entries.PreToolUse ?? []), questions] };
}

function groupOf(profile: Profile, timeout: number): HookGroup {
	return { hooks: [{ type: 'command', command: commandFor(profile, timeout), timeout }] };
}

const REVIEWING = /\bsupervisor\b[^;]*$/;

/** Whether a handler of ours runs under the supervisor profile. */
export function isSupervisorHandler(handler: unknown): boolean {
	return isOurHandler(handler) && REVIEWING.test((handler as { command: string }).command);
}
