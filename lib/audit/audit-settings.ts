import * as z from 'zod';

const HttpUrl = z.url({ protocol: /^https?$/ });
const EnvName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, 'is the name of an environment variable');

const Anchor = z.discriminatedUnion('kind', [
	/** A note in a repository, pushed where a remote is named. */
	z.strictObject({
		kind: z.literal('git'),
		repository: z.string().startsWith('/', 'is an absolute path'),
		remote: z
			.string()
			.regex(/^\w[\w.-]{0,99}$/)
			.optional(),
	}),
	/** Another host that keeps lines: POST adds one, GET gives all. */
	z.strictObject({ kind: z.literal('host'), url: HttpUrl, tokenEnv: EnvName.optional() }),
]);
export type AnchorSettings = z.infer<typeof Anchor> & { name: string };

const Audit = z.looseObject({
	anchors: z.record(z.string().regex(/^[\w-]{1,40}$/), z.unknown()).default({}),
});

/** The `audit` part of the person's `config.json`. Total: an anchor that does not fit is left out and named. */
export function readAuditSettings(config: unknown): { anchors: AnchorSettings[]; problems: string[] } {
	const section = typeof config === 'object' && config !== null && 'audit' in config ? config.audit : {};
	const read = Audit.safeParse(section);
	const anchors: AnchorSettings[] = [];
	const problems: string[] = read.success ? [] : ['audit: it is no object with anchors; it is ignored'];
	for (const [name, value] of Object.entries(read.success ? read.data.anchors : {})) {
		const anchor = Anchor.safeParse(value);
		if (anchor.success) anchors.push({ ...anchor.data, name });
		else
			for (const { path, message } of anchor.error.issues) {
				problems.push(`${['audit.anchors', name, ...path].join('.')}: ${message}; it is ignored`);
			}
	}
	return { anchors, problems };
}
