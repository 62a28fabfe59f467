import { isJson } from '../json/json.ts';

export interface AskedQuestion {
	question: string;
	header: string;
	multiSelect: boolean;
	options: { label: string; description: string }[];
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Questions without a text are left out. */
export function questionsOf(toolInput: unknown): AskedQuestion[] {
	if (!isJson(toolInput) || !Array.isArray(toolInput.questions)) return [];
	return toolInput.questions.filter(isJson).flatMap((item) => {
		const question = text(item.question);
		const options = (Array.isArray(item.options) ? item.options : [])
			.filter(isJson)
			.map((option) => ({ label: text(option.label), description: text(option.description) }))
			.filter(({ label }) => label !== '');
		return question === ''
			? []
			: [{ question, header: text(item.header), multiSelect: item.multiSelect === true, options }];
	});
}

export interface Choice {
	labels: readonly string[];
	/** What the person typed instead, or besides. */
	own: string;
}

/** As the client's own dialog would write it: labels and free text, separated by commas. */
export function answerText({ labels, own }: Choice): string {
	return [...labels, own.trim()].filter((part) => part !== '').join(', ');
}

/** The call's input with `answers` by question, so that the terminal does not ask. Null unless all are answered. */
export function answeredInput(toolInput: unknown, given: unknown): Record<string, unknown> | null {
	if (!isJson(toolInput) || !isJson(given) || !isJson(given.answers)) return null;
	const { answers } = given;
	const questions = questionsOf(toolInput);
	const answerTo = (question: string): string =>
		Object.hasOwn(answers, question) ? text(answers[question]).trim() : '';
	if (questions.length === 0 || questions.some(({ question }) => answerTo(question) === '')) return null;
	const byQuestion = questions.map(({ question }) => [question, answerTo(question)] as const);
	return { ...toolInput, answers: Object.fromEntries(byQuestion) };
}
