import { type FormEvent, useId, useState } from 'react';
import type { ApprovalView } from '#lib/contract/sessions/read-model/call-view.ts';
import { type AskedQuestion, answerText, type Choice } from '#lib/supervisor/answer-question.ts';
import { useSay } from '../language/use-say.ts';
import { Button } from '../ui/button.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import type { Card } from './use-card.ts';

interface QuestionFormProps {
	questions: readonly AskedQuestion[];
	approval: ApprovalView;
	card: Card;
}

const NOTHING: Choice = { labels: [], own: '' };

export function QuestionForm({ questions, approval, card }: QuestionFormProps) {
	const say = useSay();
	const { isFree, answer } = card;
	const [choices, setChoices] = useState<ReadonlyMap<string, Choice>>(new Map());
	const answers = questions.map(({ question }) => [question, answerText(choices.get(question) ?? NOTHING)] as const);
	const open = answers.filter(([, text]) => text === '').length;

	function choose(question: string, change: Partial<Choice>) {
		setChoices((before) => new Map(before).set(question, { ...(before.get(question) ?? NOTHING), ...change }));
	}
	function submit(event: FormEvent) {
		event.preventDefault();
		// Keyed by the question's text, the format that the client expects.
		if (open === 0 && isFree) answer(Object.fromEntries(answers));
	}
	return (
		<form onSubmit={submit} aria-label={say('Answer in the agent’s place')} className="flex flex-col gap-2 pt-1">
			{questions.map((question, index) => (
				<Question
					// biome-ignore lint/suspicious/noArrayIndexKey: a question may occur twice, and the order is fixed.
					key={index}
					asked={question}
					isShown={questions.length === 1 && question.question === approval.title}
					choice={choices.get(question.question) ?? NOTHING}
					onChoose={(change) => choose(question.question, change)}
				/>
			))}
			<p className="flex flex-wrap items-center gap-3">
				<Button kind="primary" type="submit" disabled={!isFree || open > 0}>
					{say('Answer')}
				</Button>
				<span className="text-muted">
					{open === 0
						? approval.isPrompt
							? say('The agent reads this as your answer; the terminal stops asking.')
							: say('The agent reads this as your answer; no one is asked in the terminal.')
						: questions.length > 1 && say('{open} of {all} without an answer', { open, all: questions.length })}
				</span>
			</p>
		</form>
	);
}

interface QuestionProps {
	asked: AskedQuestion;
	isShown: boolean;
	choice: Choice;
	onChoose: (change: Partial<Choice>) => void;
}

function Question({ asked, isShown, choice, onChoose }: QuestionProps) {
	const say = useSay();
	const { question, header, multiSelect, options } = asked;
	const group = useId();
	const toggle = (label: string) => {
		const others = choice.labels.filter((chosen) => chosen !== label);
		onChoose({ labels: others.length < choice.labels.length ? others : [...others, label] });
	};
	return (
		<fieldset className="rounded border border-edge">
			<legend className="mx-2 px-1 font-medium">
				{header && <AgentText className="text-muted">{isShown ? header : `${header}: `}</AgentText>}
				<AgentText className={isShown ? 'sr-only' : ''}>{question}</AgentText>
			</legend>
			{options.map(({ label, description }, index) => (
				<label
					// biome-ignore lint/suspicious/noArrayIndexKey: a label may occur twice, and the order is fixed.
					key={index}
					className="flex min-h-8 items-center gap-2 border-line pointer-coarse:min-h-11 border-b px-3 py-1 has-checked:bg-selected hover:bg-hover"
				>
					<input
						type={multiSelect ? 'checkbox' : 'radio'}
						name={group}
						checked={choice.labels.includes(label)}
						onChange={() => (multiSelect ? toggle(label) : onChoose({ labels: [label], own: '' }))}
					/>
					<AgentText className="font-medium">{label}</AgentText>
					{description && <AgentText className="min-w-0 text-muted">{description}</AgentText>}
				</label>
			))}
			<label className="flex items-center gap-2 px-3 py-1.5">
				<span className="text-muted">{say('Own words')}</span>
				<input
					value={choice.own}
					maxLength={2000}
					onChange={({ target }) => onChoose({ own: target.value, ...(!multiSelect && { labels: [] }) })}
					className="h-7 min-w-0 flex-1 rounded border border-edge bg-surface px-2 pointer-coarse:h-10"
				/>
			</label>
		</fieldset>
	);
}
