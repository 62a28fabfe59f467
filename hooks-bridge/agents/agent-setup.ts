import type { AgentTelemetry } from './agent-telemetry.ts';

/** One hook to be registered. */
export interface SetupEntry {
	/** The client's own name of the event. */
	event: string;
	command: string;
	/** How long the hook may take, in seconds. */
	seconds: number;
	/** The command lets nothing pass that nobody has judged; a plugin of ours that runs it must not either. */
	isClosed?: true;
}

/**
 * How a make of agent is found on a machine, and how hooks are registered with it. Of no use to a hook that runs, so no
 * adapter imports it.
 */
export interface AgentSetup {
	/** The client's program, on PATH. */
	program: string;
	/** The client's own folder, below the person's home, and the variable that names it, or what it lies `below`. */
	folder: { at: string; variable?: string; below?: string };
	/** What in a project shows that the client is used there. */
	signs: readonly string[];
	/** Where its hooks stand, below its own folder; absent for the make whose settings stand in each project. */
	hooks?: SharedHooks | OwnFile;
	/** Where the client keeps which hooks its person trusts, below its own folder, and what it then holds of our file. */
	trust?: { file: string; sign(hooksFile: string): string };
	/** What it exports over OTLP, and how it is told to; absent for a client that exports nothing. */
	telemetry?: AgentTelemetry;
	/** What a person still has to do once the hooks are registered. */
	after?: string;
	/** What a person should know who relies on it, in sentences. */
	limits: readonly string[];
}

/** A JSON file that may hold other people's hooks, too: groups by event under `hooks`. */
export interface SharedHooks {
	file: string;
	groups(entries: readonly SetupEntry[]): Readonly<Record<string, readonly SetupGroup[]>>;
}

/** A file that is ours alone. */
export interface OwnFile {
	file: string;
	content(entries: readonly SetupEntry[]): string;
}

/** One entry under an event's name, in the form that most makes share. */
export interface SetupGroup {
	hooks: [{ type: 'command'; command: string; timeout: number; name?: string }];
}

/** The groups of entries, each with its own event. `unit`: what a second is in the client's unit of time. */
export function groupsOf(entries: readonly SetupEntry[], unit = 1, name?: string): Record<string, SetupGroup[]> {
	return Object.fromEntries(
		entries.map(({ event, command, seconds }) => [
			event,
			[{ hooks: [{ type: 'command', command, timeout: seconds * unit, ...(name && { name }) }] }],
		]),
	);
}
