import { createHash } from 'node:crypto';
import { type LLMClient, LLMError, type LLMQuestion } from '#lib/validators/llm-client.ts';
import type { Log } from '../../process/log.ts';
import { LruMap } from '../../process/lru-map.ts';
import { createModel } from './ask-model.ts';
import type { LLMConfig } from './llm-config.ts';

/** Answers that are kept; each is a few hundred bytes. */
const MOST_ANSWERS = 500;
const MOST_SESSIONS = 10_000;

/** Without a model every question is refused, and validators fall back on their rules. */
export const noModel: LLMClient = { ask: () => Promise.reject(new LLMError('not-configured')) };

/**
 * A client over a configured model: each question has a time-out, one more try and its session's budget; the same
 * content is asked once, also when it is asked twice at the same time. Only answers are kept, never failures.
 */
export function createLLMClient(config: LLMConfig, log: Log): LLMClient {
	const model = createModel(config);
	const answers = new LruMap<string, Promise<unknown>>(MOST_ANSWERS);
	const spent = new LruMap<string, number>(MOST_SESSIONS);

	function spend(sessionId: string): void {
		const calls = spent.get(sessionId) ?? 0;
		if (calls >= config.callsPerSession) throw new LLMError('budget');
		spent.set(sessionId, calls + 1);
	}

	async function askAnew<T>(question: LLMQuestion<T>): Promise<T> {
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
			const answer = askAnew(question);
			answers.set(key, answer);
			answer.catch(() => answers.delete(key));
			return answer;
		},
	};
}

/** Who joins a question of somebody else still has a deadline of their own. */
async function within<T>(answer: Promise<T>, ms: number | undefined): Promise<T> {
	if (ms === undefined) return answer;
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new LLMError('timeout')), Math.max(1, ms));
	});
	return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
