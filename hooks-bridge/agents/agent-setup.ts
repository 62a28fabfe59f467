import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { OtlpRecord } from '#lib/otlp/otlp-record.ts';
import type { TelemetryFact } from '#lib/otlp/telemetry-fact.ts';

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

/** Whose machine it is, as far as clients ask. */
export interface Person {
	env: Readonly<Record<string, string | undefined>>;
	cwd: string;
}

/** A client's own folder, absolute. */
export function agentFolder({ folder }: Pick<AgentSetup, 'folder'>, { env, cwd }: Person): string {
	const moved = folder.variable === undefined ? undefined : env[folder.variable];
	if (moved) return resolve(cwd, moved, folder.below ?? '');
	return resolve(cwd, env.HOME || homedir(), folder.at);
}

/** Where a client is to send its telemetry. */
export interface TelemetryTarget {
	/** Of the server, without a path. */
	url: string;
	token: string;
}

/** One value of a JSON file, by its path. */
interface TelemetryMember {
	path: readonly string[];
	value: unknown;
}

/** How a make of agent is told to send its telemetry here, and how what it sends is read. */
export interface AgentTelemetry {
	/** What a record tells; null for one of another make, or that tells nothing of what is kept. Total. */
	read(record: OtlpRecord): TelemetryFact | null;
	/** Where it is switched on. */
	switch: TelemetryMembers | TelemetryBlock | TelemetryVariables;
}

/** Values in a JSON file below the client's own folder. */
export interface TelemetryMembers {
	file: string;
	members(to: TelemetryTarget): readonly TelemetryMember[];
	/** Where a person's own telemetry stands: with one of these nothing is written. */
	taken: readonly (readonly string[])[];
	/** Files of a project where the same may stand. */
	alsoIn?: readonly string[];
}

/** Lines at the end of a TOML file below the client's own folder. */
export interface TelemetryBlock {
	file: string;
	block(to: TelemetryTarget): string;
	/** The table that our lines are. A person's own telemetry stands under the same name. */
	table: string;
}

/** A client that has no file for it: a person sets these where they start it. */
interface TelemetryVariables {
	variables(to: TelemetryTarget): Readonly<Record<string, string>>;
}
