import type { LanguageModel } from 'ai';
import { LLMError, type LLMQuestion } from '#lib/validators/llm-client.ts';
import { boundedFetch } from './bounded-fetch.ts';
import type { LLMConfig } from './llm-config.ts';

/** An answer is a few hundred tokens; this bounds one that runs on. */
const MOST_TOKENS = 4000;

type Sdk = typeof import('ai');

/**
 * One request to the configured model in structured output. The SDK is loaded at the first call: a server without a
 * model never loads it.
 */
export function createModel({ provider, model, baseUrl, key }: LLMConfig) {
	let loading: Promise<{ sdk: Sdk; languageModel: LanguageModel }> | undefined;

	const load = async () => {
		// Its own warnings would go to standard output, which belongs to the line with the link.
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
				maxOutputTokens: MOST_TOKENS,
				maxRetries: 0,
				abortSignal: signal,
			});
			return output;
		} catch (error) {
			throw asFailure(sdk, error, signal);
		}
	};
}

/** What the SDK says holds requests and headers: only the kind of failure and the status leave this place. */
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
