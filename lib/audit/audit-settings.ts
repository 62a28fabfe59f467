import * as z from 'zod';
import { EnvName, HttpUrl, Named, problemsOf, readNamed, sectionOf } from '../json/named-settings.ts';
import { misspeltKeys } from '../text/near-words.ts';

export const Anchor = z.discriminatedUnion(
	'kind',
	[
		/** A note in a repository, pushed if a remote is named. */
		z.strictObject({
			kind: z.literal('git'),
			repository: z.string().startsWith('/', 'is an absolute path'),
			remote: z
				.string()
				.regex(/^\w[\w.-]{0,99}$/)
				.optional(),
		}),
		/** Another host that stores lines: POST adds one, GET returns all. */
		z.strictObject({ kind: z.literal('host'), url: HttpUrl, tokenEnv: EnvName.optional() }),
		/** A time stamp authority; `certificate` is a PEM file with the certificates that its stamps may be signed with. */
		z.strictObject({
			kind: z.literal('rfc3161'),
			url: HttpUrl,
			certificate: z.string().startsWith('/', 'is an absolute path'),
			everyMinutes: z.int().min(1).max(10_080).default(60),
		}),
	],
	{ error: 'is an object whose kind is "git", "host" or "rfc3161"' },
);
export type AnchorSettings = z.infer<typeof Anchor> & { name: string };

const Audit = z.looseObject(
	{ anchors: Named },
	{ error: 'is written {"anchors": {"notes": {"kind": "git", "repository": "/path"}}}' },
);

/** The `audit` part of the person's `config.json`. Never throws: an anchor that does not fit is left out and named. */
export function readAuditSettings(config: unknown): { anchors: AnchorSettings[]; problems: string[] } {
	const section = sectionOf(config, 'audit');
	const misspelt = misspeltKeys('audit', section, Object.keys(Audit.shape));
	const read = Audit.safeParse(section);
	if (!read.success) return { anchors: [], problems: [...misspelt, ...problemsOf('audit', read.error)] };
	const { found, problems } = readNamed('audit.anchors', read.data.anchors, Anchor);
	return { anchors: found.map(([name, anchor]) => ({ ...anchor, name })), problems: [...misspelt, ...problems] };
}
