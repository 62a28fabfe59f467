import * as z from 'zod';

/** An address of somebody else's service. */
export const HttpUrl = z.url({ protocol: /^https?$/ });

/** A secret is named, never written into the settings. */
export const EnvName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, 'is the name of an environment variable');

/** Things by the name that a person gives them; each is read by itself, so that one that does not fit harms no other. */
export const Named = z.record(z.string().regex(/^[\w-]{1,40}$/), z.unknown()).default({});

/** The things that fit, by name; of the others `problems` names the place, never the value: it may hold a secret. */
export function readNamed<Schema extends z.ZodType>(
	place: string,
	given: z.infer<typeof Named>,
	schema: Schema,
): { found: [name: string, data: z.infer<Schema>][]; problems: string[] } {
	const found: [string, z.infer<Schema>][] = [];
	const problems: string[] = [];
	for (const [name, value] of Object.entries(given)) {
		const read = schema.safeParse(value);
		if (read.success) found.push([name, read.data]);
		else problems.push(...problemsOf(`${place}.${name}`, read.error));
	}
	return { found, problems };
}

/** What does not fit, each by its place. */
export function problemsOf(place: string, error: z.ZodError): string[] {
	return error.issues.map(({ path, message }) => `${[place, ...path].join('.')}: ${message}; it is ignored`);
}
