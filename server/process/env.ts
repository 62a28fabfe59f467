import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { type ObjectLocation, readObjectsUrl } from './objects-url.ts';

/** An exported but empty variable counts as unset. */
const optional = <T extends z.ZodType>(schema: T) =>
	z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

const wholeNumber = (least: number, most: number) =>
	z
		.string()
		.regex(/^\d{1,9}$/, 'must be a whole number')
		.transform(Number)
		.refine((number) => number >= least && number <= most, `must be between ${least} and ${most}`);

const Environment = z.object({
	OVERTONE_HOME: optional(z.string()),
	SIGNALBOX_PORT: optional(wholeNumber(1, 65_535)),
	SIGNALBOX_HOLD_SECONDS: optional(wholeNumber(0, 3600)),
	SIGNALBOX_DATABASE_URL: optional(z.string().regex(/^postgres(ql)?:\/\//, 'must start with postgres://')),
	SIGNALBOX_REDIS_URL: optional(z.string().regex(/^rediss?:\/\//, 'must start with redis://')),
	SIGNALBOX_OBJECTS_URL: optional(
		z.string().refine((text) => readObjectsUrl(text) !== undefined, 'must be like https://HOST/BUCKET or s3://BUCKET'),
	),
	SIGNALBOX_HUB_KEY: optional(z.string()),
	SIGNALBOX_METRICS_TOKEN: optional(z.string().min(16, 'must have at least 16 characters')),
	NODE_ENV: optional(z.string()),
});

/** The settings that the server reads from its environment. */
export interface ServerEnvironment {
	/** Absolute folder of all state. */
	home: string;
	port: number;
	/** Seconds; 0 never holds, null holds while an operator is connected. */
	holdSeconds: number | null;
	databaseUrl: string | undefined;
	redisUrl: string | undefined;
	objects: ObjectLocation | undefined;
	hubKey: string | undefined;
	/** Grants access to a hub's metrics. */
	metricsToken: string | undefined;
	dev: boolean;
}

/** Lists every wrong variable, not only the first. */
export class EnvironmentError extends Error {}

/** Reads the server's environment. Throws EnvironmentError with one line for each wrong variable. */
export function readEnvironment(variables: Record<string, string | undefined>): ServerEnvironment {
	const parsed = Environment.safeParse(variables);
	if (!parsed.success) {
		const lines = parsed.error.issues.map(({ path, message }) => {
			const name = path.join('.');
			// A URL may contain a password, and a token is one: their values are not repeated.
			return `  ${name} ${message}${/_(?:URL|TOKEN)$/.test(name) ? '' : `, but it is ${JSON.stringify(variables[name])}`}`;
		});
		throw new EnvironmentError(`Invalid environment variables. Change or unset:\n${lines.join('\n')}`);
	}
	const read = parsed.data;
	return {
		home: resolve(read.OVERTONE_HOME ?? join(homedir(), '.overtone')),
		port: read.SIGNALBOX_PORT ?? 7777,
		holdSeconds: read.SIGNALBOX_HOLD_SECONDS ?? null,
		databaseUrl: read.SIGNALBOX_DATABASE_URL,
		redisUrl: read.SIGNALBOX_REDIS_URL,
		objects: read.SIGNALBOX_OBJECTS_URL === undefined ? undefined : readObjectsUrl(read.SIGNALBOX_OBJECTS_URL),
		hubKey: read.SIGNALBOX_HUB_KEY,
		metricsToken: read.SIGNALBOX_METRICS_TOKEN,
		dev: read.NODE_ENV === 'development',
	};
}
