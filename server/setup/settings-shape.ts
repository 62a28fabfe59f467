import * as z from 'zod';
import { printable } from '#lib/text/printable.ts';
import { parseJson } from './parse-json.ts';

const timed = { timeout: z.number().positive().optional() };

/** What the client requires of each kind of handler. Unknown kinds are left to the client. */
const Handler = z.union([
	z.looseObject({ type: z.literal('command'), command: z.string(), ...timed }),
	z.looseObject({ type: z.literal('http'), url: z.string(), ...timed }),
	z.looseObject({ type: z.enum(['prompt', 'agent']), prompt: z.string(), ...timed }),
	z.looseObject({ type: z.literal('mcp_tool'), server: z.string(), tool: z.string(), ...timed }),
	z.looseObject({
		type: z.string().refine((type) => !['command', 'http', 'prompt', 'agent', 'mcp_tool'].includes(type)),
	}),
]);

const Group = z.looseObject({ matcher: z.string().optional(), hooks: z.array(Handler) });

/** The hooks part of a settings file; everything else is ignored. */
const Settings = z.looseObject({
	hooks: z.record(z.string(), z.array(Group)).optional(),
	disableAllHooks: z.boolean().optional(),
	enabledPlugins: z.record(z.string(), z.unknown()).optional(),
	env: z.record(z.string(), z.unknown()).optional(),
});
export type Settings = z.infer<typeof Settings>;

/** A settings file that was read, or why it cannot be used, in words for a person. */
export type SettingsRead = { ok: true; settings: Settings } | { ok: false; problem: string };

/**
 * Reads a settings text. The client drops a whole file for one malformed hook, so that is a problem here, with its position.
 * Empty is an empty file.
 */
export function readSettings(text: string): SettingsRead {
	const json = parseJson(text);
	if (!json.ok) return json;
	const parsed = Settings.safeParse(json.value);
	if (parsed.success) return { ok: true, settings: parsed.data };
	// Keys in a cloned project are untrusted text.
	const path = printable(parsed.error.issues[0]?.path.join('.') ?? '');
	return {
		ok: false,
		problem: path
			? `the entry at ${path} is malformed, and the client ignores the whole file because of it`
			: 'it does not hold a JSON object',
	};
}
