import type { OtlpRecord } from '#lib/otlp/otlp-record.ts';
import type { TelemetryFact } from '#lib/otlp/telemetry-fact.ts';

/** Where a client is to send its telemetry. */
export interface TelemetryTarget {
	/** Of the server, without a path. */
	url: string;
	token: string;
}

/** One value of a JSON file, by its path. */
export interface TelemetryMember {
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
export interface TelemetryVariables {
	variables(to: TelemetryTarget): Readonly<Record<string, string>>;
}
