import { type LLMClient, LLMError, type LLMFailure, type LLMQuestion } from '../llm-question.ts';

/** A client with given answers; it records its questions. A failure is given by its name. */
export function scriptedClient(...answers: (Record<string, unknown> | LLMFailure)[]) {
	const questions: LLMQuestion<unknown>[] = [];
	const client: LLMClient = {
		async ask(question) {
			questions.push(question);
			const answer = answers[questions.length - 1] ?? 'failed';
			if (typeof answer === 'string') throw new LLMError(answer);
			const parsed = question.schema.safeParse(answer);
			if (!parsed.success) throw new LLMError('unreadable');
			return parsed.data;
		},
	};
	return { client, asked: questions };
}
