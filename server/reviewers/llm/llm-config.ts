import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { readBounded } from '#hooks-bridge/disk/bounded-read.ts';
import { misspeltKeys } from '#lib/text/near-words.ts';

/** Holds the key: never logged, never sent anywhere but to its provider. */
export interface LLMConfig {
	provider: 'anthropic' | 'openai-compatible';
	model: string;
	baseUrl: string;
	key: string | undefined;
	timeoutMs: number;
	callsPerSession: number;
}

/** `problem`: why there is no configuration, or which part of the section is ignored. */
export interface LLMConfigRead {
	config: LLMConfig | null;
	problem?: string;
}

export const LLMSection = z.object({
	provider: z.enum(['anthropic', 'openai-compatible']),
	model: z.string().min(1).max(200),
	baseUrl: z.url({ protocol: /^https?$/ }).optional(),
	timeoutSeconds: z.number().min(1).max(300).default(30),
	callsPerSession: z.number().int().min(0).max(100_000).default(100),
});

const DEFAULT_URL = { anthropic: 'https://api.anthropic.com/v1', 'openai-compatible': 'https://api.openai.com/v1' };
const OWN_KEY = { anthropic: 'ANTHROPIC_API_KEY', 'openai-compatible': 'OPENAI_API_KEY' };

export const KEY_FILE = 'llm.key';

/**
 * Reads `llm` of the person's config.json; a key in the environment alone enables nothing. The key is SIGNALBOX_LLM_KEY, the
 * provider's own variable, or a file that nobody else may read.
 */
export function readLLMConfig(home: string, variables: Readonly<Record<string, string | undefined>>): LLMConfigRead {
	const text = fileText(join(home, 'config.json'));
	const section = text === null ? undefined : sectionOf(text);
	if (section === undefined) return { config: null };
	const parsed = LLMSection.safeParse(section);
	if (!parsed.success) {
		const issues = parsed.error.issues.map(({ path, message }) => `llm.${path.join('.')}: ${message}`);
		return { config: null, problem: `No model is asked, because config.json does not fit: ${issues.join('; ')}` };
	}
	const { provider, model, baseUrl, timeoutSeconds, callsPerSession } = parsed.data;
	const own = baseUrl === undefined ? variables[OWN_KEY[provider]] : undefined;
	const file = keyIn(join(home, KEY_FILE));
	const key = (variables.SIGNALBOX_LLM_KEY || own || file.key)?.trim() || undefined;
	const url = baseUrl ?? DEFAULT_URL[provider];
	if (key === undefined && !(provider === 'openai-compatible' && baseUrl !== undefined)) {
		const how = `Set SIGNALBOX_LLM_KEY or write the key to ${KEY_FILE} in the state folder (mode 600).`;
		return { config: null, problem: file.problem ?? `No model is asked, because there is no key. ${how}` };
	}
	const config = { provider, model, baseUrl: url, key, timeoutMs: timeoutSeconds * 1000, callsPerSession };
	const misspelt = misspeltKeys('llm', section, Object.keys(LLMSection.shape));
	return { config, ...(misspelt.length > 0 && { problem: misspelt.join('; ') }) };
}

function sectionOf(text: string): unknown {
	try {
		const value: unknown = JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text);
		if (typeof value !== 'object' || value === null) return undefined;
		if ('llm' in value) return value.llm;
		const flat = Object.entries(value).filter(([name]) => name.startsWith('llm.'));
		return flat.length === 0 ? undefined : Object.fromEntries(flat.map(([name, of]) => [name.slice(4), of]));
	} catch {
		return undefined;
	}
}

function keyIn(path: string): { key?: string; problem?: string } {
	const stat = lstatSync(path, { throwIfNoEntry: false });
	if (!stat) return {};
	const own = stat.isFile() && (stat.mode & 0o077) === 0 && stat.uid === process.getuid?.();
	if (!own) return { problem: `No model is asked, because others may read ${path}. Run: chmod 600 ${path}` };
	return { key: fileText(path) ?? undefined };
}

function fileText(path: string): string | null {
	const read = readBounded(path);
	return read.ok ? read.text : null;
}
