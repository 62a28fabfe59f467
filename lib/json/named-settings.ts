import * as z from 'zod';

/** An address of somebody else's service. */
export const HttpUrl = z.url({ protocol: /^https?$/ });

/** A secret is given by the name of its variable, never written into the settings. */
export const EnvName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, 'is the name of an environment variable');

/** Settings by the name that a person gives them; each is read separately, so that a wrong one does not affect the others. */
export const Named = z
	.record(z.string().regex(/^[\w-]{1,40}$/), z.unknown(), { error: 'is an object, a name of your own for each' })
	.default({});

/** The valid entries, by name; for the others `problems` has the path, never the value: it may contain a secret. */
export function readNamed<Schema extends z.ZodType>(
	path: string,
	given: z.infer<typeof Named>,
	schema: Schema,
): { found: [name: string, data: z.infer<Schema>][]; problems: string[] } {
	const found: [string, z.infer<Schema>][] = [];
	const problems: string[] = [];
	for (const [name, value] of Object.entries(given)) {
		const read = schema.safeParse(value);
		if (read.success) found.push([name, read.data]);
		else problems.push(...problemsOf(`${path}.${name}`, read.error));
	}
	return { found, problems };
}

/** The problems, each with its path. */
export function problemsOf(prefix: string, error: z.ZodError): string[] {
	return error.issues.map(({ path, message }) => `${[prefix, ...path].join('.')}: ${message}; it is ignored`);
}

/**
 * One part of the person's `config.json`, nested or with flat keys as all settings may be written (`"notify.channels.team.url"`).
 * Flat keys win. A part that is not an object is returned unchanged, to be refused by name.
 */
export function sectionOf(config: unknown, section: string): unknown {
	if (!isRecord(config)) return {};
	const nested = Object.hasOwn(config, section) ? config[section] : {};
	const flat = Object.entries(config).filter(([key]) => key.startsWith(`${section}.`));
	if (flat.length === 0 || !isRecord(nested)) return nested;
	return flat.reduce<unknown>((whole, [key, value]) => withValue(whole, key.split('.').slice(1), value), nested);
}

function withValue(whole: unknown, [name = '', ...rest]: readonly string[], value: unknown): Record<string, unknown> {
	const around = isRecord(whole) ? whole : {};
	const inner = Object.hasOwn(around, name) ? around[name] : {};
	// Defined, not assigned: a key `__proto__` is a name like any other.
	const entry = { value: rest.length === 0 ? value : withValue(inner, rest, value), enumerable: true };
	return Object.defineProperty({ ...around }, name, { ...entry, configurable: true, writable: true });
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
