import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { OtlpRecord } from '#lib/otlp/otlp-record.ts';
import type { TelemetryFact } from '#lib/otlp/telemetry-fact.ts';

export interface SetupEntry {
	/** The client's own name of the event. */
	event: string;
	command: string;
	/** How long the hook may take, in seconds. */
	seconds: number;
	/** The entry fails closed: an unjudged call is denied, also by our plugin that runs the command. */
	isClosed?: true;
}

/** How a client is found on a machine and how hooks are registered with it. Adapters never import it: hooks do not need it. */
export interface AgentSetup {
	program: string;
	/** The client's folder below the home; `variable` overrides it, `below` is appended to the override. */
	folder: { at: string; variable?: string; below?: string };
	/** Files or folders of a project that show the client is used there. */
	signs: readonly string[];
	/** The hook file below the client's folder; absent for the client that is configured per project. */
	hooks?: SharedHooks | OwnFile;
	/** The file that lists trusted hooks, and the text it contains once ours are trusted. */
	trust?: { file: string; sign(hooksFile: string): string };
	/** Absent for a client that exports nothing over OTLP. */
	telemetry?: AgentTelemetry;
	/** The step left to the person after registration. */
	after?: string;
	/** Known limits, as sentences for the guide and the doctor. */
	limits: readonly string[];
}

/** A JSON file that may also hold other hooks: groups by event under `hooks`. */
export interface SharedHooks {
	file: string;
	groups(entries: readonly SetupEntry[]): Readonly<Record<string, readonly SetupGroup[]>>;
}

/** A file that is ours alone. */
export interface OwnFile {
	file: string;
	content(entries: readonly SetupEntry[]): string;
}

export interface SetupGroup {
	hooks: [{ type: 'command'; command: string; timeout: number; name?: string }];
}

/** Groups of entries by event. `unit`: one second in the client's time unit. */
export function groupsOf(entries: readonly SetupEntry[], unit = 1, name?: string): Record<string, SetupGroup[]> {
	return Object.fromEntries(
		entries.map(({ event, command, seconds }) => [
			event,
			[{ hooks: [{ type: 'command', command, timeout: seconds * unit, ...(name && { name }) }] }],
		]),
	);
}

/** Environment and working folder of the person whose clients are looked up. */
export interface Person {
	env: Readonly<Record<string, string | undefined>>;
	cwd: string;
}

/** The client's folder, absolute. */
export function agentFolder({ folder }: Pick<AgentSetup, 'folder'>, { env, cwd }: Person): string {
	const moved = folder.variable === undefined ? undefined : env[folder.variable];
	if (moved) return resolve(cwd, moved, folder.below ?? '');
	return resolve(cwd, env.HOME || homedir(), folder.at);
}

/** Where a client is to send its telemetry. */
export interface TelemetryTarget {
	/** Origin of the server, without a path. */
	url: string;
	token: string;
}

interface TelemetryMember {
	path: readonly string[];
	value: unknown;
}

/** How a client's telemetry is switched on and parsed. */
export interface AgentTelemetry {
	/** The fact in a record; null for other clients' records and for records without one. Never throws. */
	read(record: OtlpRecord): TelemetryFact | null;
	/** Where telemetry is switched on. */
	switch: TelemetryMembers | TelemetryBlock | TelemetryVariables;
}

/** Values in a JSON file below the client's own folder. */
export interface TelemetryMembers {
	file: string;
	members(to: TelemetryTarget): readonly TelemetryMember[];
	/** Paths of the person's own telemetry settings; if one is set, nothing is written. */
	taken: readonly (readonly string[])[];
	/** Project files that may set the same. */
	alsoIn?: readonly string[];
}

/** Lines at the end of a TOML file below the client's own folder. */
export interface TelemetryBlock {
	file: string;
	block(to: TelemetryTarget): string;
	/** Name of the TOML table; the person's own telemetry would use the same. */
	table: string;
}

/** A client without a settings file for it: the person sets these variables. */
interface TelemetryVariables {
	variables(to: TelemetryTarget): Readonly<Record<string, string>>;
}
