import { type LLMClient, LLMError, type LLMFailure, type LLMQuestion } from '../llm-client.ts';

/** A client whose answers are given; it keeps what it was asked. A failure is given by its name. */
export function scriptedClient(...answers: (Record<string, unknown> | LLMFailure)[]) {
	const asked: LLMQuestion<unknown>[] = [];
	const client: LLMClient = {
		async ask(question) {
			asked.push(question);
			const answer = answers[asked.length - 1] ?? 'failed';
			if (typeof answer === 'string') throw new LLMError(answer);
			const parsed = question.schema.safeParse(answer);
			if (!parsed.success) throw new LLMError('unreadable');
			return parsed.data;
		},
	};
	return { client, asked };
}
