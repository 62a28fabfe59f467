import { join } from 'node:path';
import type { LLMClient } from '#lib/validators/llm-client.ts';
import { fileStamp } from '../../process/file-stamp.ts';
import type { Log } from '../../process/log.ts';
import { createLLMClient, noModel } from './llm-client.ts';
import { KEY_FILE, readLLMConfig } from './llm-config.ts';

/** Asked at every hook that could wait, so files are looked at no more often. */
const LOOK_MS = 1000;

/** The model that config.json names now. */
export interface ConfiguredClient {
	client: LLMClient;
	/** The model's name for people; undefined where none is configured. */
	model(): string | undefined;
}

/** Follows config.json and the key's file while the server runs. A configuration that does not fit is logged once. */
export function createConfiguredClient(
	home: string,
	variables: Readonly<Record<string, string | undefined>>,
	log: Log,
): ConfiguredClient {
	let stamp: string | undefined;
	let lookedAt = Number.NEGATIVE_INFINITY;
	let current: { client: LLMClient; name?: string } = { client: noModel };

	const look = () => {
		const now = performance.now();
		if (now - lookedAt < LOOK_MS) return current;
		lookedAt = now;
		const seen = [join(home, 'config.json'), join(home, KEY_FILE)].map(fileStamp).join();
		if (seen === stamp) return current;
		stamp = seen;
		const { config, problem } = readLLMConfig(home, variables);
		if (problem !== undefined) log.warn(`llm: ${problem}`);
		current = config
			? { client: createLLMClient(config, log), name: `${config.provider}/${config.model}` }
			: { client: noModel };
		return current;
	};

	return { client: { ask: (question) => look().client.ask(question) }, model: () => look().name };
}
