import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { LanguageModel } from 'ai';
import { type LLMClient, LLMError, type LLMQuestion } from '#lib/validators/llm-question.ts';
import { fileStamp } from '../../process/file-stamp.ts';
import type { Log } from '../../process/log.ts';
import { LruMap } from '../../process/lru-map.ts';
import { KEY_FILE, type LLMConfig, readLLMConfig } from './llm-config.ts';

const MAX_ANSWERS = 500;
const MAX_SESSIONS = 10_000;

export const noModel: LLMClient = { ask: () => Promise.reject(new LLMError('not-configured')) };

/** Each question has a time-out, one retry and its session's budget; equal questions are asked once. */
export function createLLMClient(config: LLMConfig, log: Log): LLMClient {
	const model = createModel(config);
	const answers = new LruMap<string, Promise<unknown>>(MAX_ANSWERS);
	const spent = new LruMap<string, number>(MAX_SESSIONS);

	function spend(sessionId: string): void {
		const calls = spent.get(sessionId) ?? 0;
		if (calls >= config.callsPerSession) throw new LLMError('budget');
		spent.set(sessionId, calls + 1);
	}

	async function askModel<T>(question: LLMQuestion<T>): Promise<T> {
		const signal = AbortSignal.timeout(Math.max(1, Math.min(config.timeoutMs, question.withinMs ?? Infinity)));
		for (let tries = 1; ; tries++) {
			spend(question.sessionId);
			try {
				return await model(question, signal);
			} catch (error) {
				const failure = error instanceof LLMError ? error : new LLMError('failed');
				log.warn(`llm: ${question.name} was not answered (${failure.message})`, { session: question.sessionId });
				if (tries > 1 || failure.why === 'timeout') throw failure;
			}
		}
	}

	return {
		ask<T>(question: LLMQuestion<T>): Promise<T> {
			const { provider, model: name, baseUrl } = config;
			const content = JSON.stringify([provider, name, baseUrl, question.name, question.system, question.prompt]);
			const key = createHash('sha256').update(content).digest('hex');
			const known = answers.get(key);
			if (known !== undefined) return within(known as Promise<T>, question.withinMs);
			const answer = askModel(question);
			answers.set(key, answer);
			answer.catch(() => answers.delete(key));
			return answer;
		},
	};
}

/** A caller that joins an equal question still has its own deadline. */
async function within<T>(answer: Promise<T>, ms: number | undefined): Promise<T> {
	if (ms === undefined) return answer;
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new LLMError('timeout')), Math.max(1, ms));
	});
	return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

const MAX_TOKENS = 4000;

type Sdk = typeof import('ai');

/** The SDK is loaded at the first question: a server without a model never loads it. */
export function createModel({ provider, model, baseUrl, key }: LLMConfig) {
	let loading: Promise<{ sdk: Sdk; languageModel: LanguageModel }> | undefined;

	const load = async () => {
		// Its warnings would go to standard output, which is for the line with the link.
		Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
		const sdk = await import('ai');
		if (provider === 'anthropic') {
			const { createAnthropic } = await import('@ai-sdk/anthropic');
			return {
				sdk,
				languageModel: createAnthropic({ apiKey: key ?? '', baseURL: baseUrl, fetch: boundedFetch })(model),
			};
		}
		const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
		const how = { supportsStructuredOutputs: true, fetch: boundedFetch };
		const settings = { name: 'openai-compatible', baseURL: baseUrl, ...how };
		return { sdk, languageModel: createOpenAICompatible({ ...settings, ...(key && { apiKey: key }) })(model) };
	};

	/** Rejects with an LLMError; `failed` and `unreadable` may be tried once more. */
	return async function ask<T>(question: LLMQuestion<T>, signal: AbortSignal): Promise<T> {
		loading ??= load();
		const { sdk, languageModel } = await loading;
		try {
			const { output } = await sdk.generateText({
				model: languageModel,
				system: question.system,
				prompt: question.prompt,
				output: sdk.Output.object({ schema: question.schema, name: question.name }),
				maxOutputTokens: MAX_TOKENS,
				maxRetries: 0,
				abortSignal: signal,
			});
			return output;
		} catch (error) {
			throw asFailure(sdk, error, signal);
		}
	};
}

/** Errors of the SDK contain requests and headers: only the kind of failure and the status are passed on. */
function asFailure(sdk: Sdk, error: unknown, signal: AbortSignal): LLMError {
	if (signal.aborted) return new LLMError('timeout');
	if (sdk.NoObjectGeneratedError.isInstance(error) || sdk.NoOutputGeneratedError.isInstance(error)) {
		return new LLMError('unreadable');
	}
	if (sdk.APICallError.isInstance(error)) {
		const { statusCode } = error;
		return new LLMError('failed', `the model's server answered ${statusCode ?? 'nothing'}`);
	}
	return new LLMError('failed');
}

const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** Follows no redirect, which would carry the question to another host, and bounds the answer. */
export const boundedFetch: typeof fetch = async (input, init) => {
	const { body, status, statusText, headers } = await fetch(input, { ...init, redirect: 'manual' });
	let left = MAX_ANSWER_BYTES;
	const limit = new TransformStream<Uint8Array, Uint8Array>({
		transform(chunk, controller) {
			left -= chunk.length;
			if (left < 0) controller.error(new Error('the answer is too long'));
			else controller.enqueue(chunk);
		},
	});
	return new Response(body?.pipeThrough(limit) ?? null, { status, statusText, headers });
};

/** Files are checked no more often than this. */
const LOOK_MS = 1000;

export interface ConfiguredClient {
	client: LLMClient;
	model(): string | undefined;
}

/** Follows config.json and the key's file while the server runs. An invalid configuration is logged once. */
export function createConfiguredClient(
	home: string,
	variables: Readonly<Record<string, string | undefined>>,
	log: Log,
): ConfiguredClient {
	let stamp: string | undefined;
	let lookedAt = Number.NEGATIVE_INFINITY;
	let current: { client: LLMClient; name?: string } = { client: noModel };

	const readCurrent = () => {
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

	return { client: { ask: (question) => readCurrent().client.ask(question) }, model: () => readCurrent().name };
}
