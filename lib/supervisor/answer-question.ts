/** One question of an AskUserQuestion call, as far as its form is known. */
export interface AskedQuestion {
	question: string;
	header: string;
	multiSelect: boolean;
	options: { label: string; description: string }[];
}

type Json = Readonly<Record<string, unknown>>;
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The questions of a call's input; those without a text are left out. */
export function questionsOf(toolInput: unknown): AskedQuestion[] {
	if (!isJson(toolInput) || !Array.isArray(toolInput.questions)) return [];
	return toolInput.questions.filter(isJson).flatMap((asked) => {
		const question = text(asked.question);
		const options = (Array.isArray(asked.options) ? asked.options : [])
			.filter(isJson)
			.map((option) => ({ label: text(option.label), description: text(option.description) }))
			.filter(({ label }) => label !== '');
		return question === ''
			? []
			: [{ question, header: text(asked.header), multiSelect: asked.multiSelect === true, options }];
	});
}

/** What a person chose for one question: labels, their own words, or both. */
export interface Choice {
	labels: readonly string[];
	own: string;
}

/** One answer as the client reads it: the chosen labels and own words, in order, with commas between them. */
export function answerText({ labels, own }: Choice): string {
	return [...labels, own.trim()].filter((part) => part !== '').join(', ');
}

/**
 * The input with which the call is allowed so that nobody is asked in the terminal: the call's own, with `answers` by
 * the question's text. Null unless every question has an answer.
 */
export function answeredInput(toolInput: unknown, given: unknown): Record<string, unknown> | null {
	if (!isJson(toolInput) || !isJson(given) || !isJson(given.answers)) return null;
	const { answers } = given;
	const questions = questionsOf(toolInput);
	const own = (question: string): string => (Object.hasOwn(answers, question) ? text(answers[question]).trim() : '');
	if (questions.length === 0 || questions.some(({ question }) => own(question) === '')) return null;
	const kept = questions.map(({ question }) => [question, own(question)] as const);
	return { ...toolInput, answers: Object.fromEntries(kept) };
}
