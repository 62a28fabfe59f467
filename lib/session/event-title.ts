import { pointOfTold } from '../agents/told-event.ts';
import type { EventOf, KnownEvent } from '../contract/event.ts';
import { type EventType, eventLabels } from '../contract/event-labels.ts';
import { scopeWords } from '../grants/words.ts';
import { usageWords } from '../usage/usage-words.ts';
import { spokenVerdicts, withoutVerdicts } from '../workflow/verdict-comment.ts';
import { fieldText } from './call-title.ts';
import { progressWords } from './progress-words.ts';

/** The fields of a type that are words. */
type WordsOf<T extends EventType, Fields = EventOf<T>> = {
	[K in keyof Fields & string]-?: Fields[K] extends string | null | undefined ? K : never;
}[keyof Fields & string];

/** The types whose title is some of their fields, and which. */
const named: { readonly [T in EventType]: { readonly title: readonly WordsOf<T>[] | null } } = eventLabels;

type Worded = { [T in EventType]: (typeof eventLabels)[T]['title'] extends null ? T : never }[EventType];

/** The titles of the others. */
const worded: { readonly [T in Worded]: (event: EventOf<T>) => string } = {
	'stage:complete': ({ stage, result, source }) => join([stage, result, sourceWords(source)]),
	'agent:complete': (event) => join([event.agent, event.result, report(event)]),
	'loop:advance': (event) => join([`iteration ${event.iteration}`, progressWords(event)]),
	// The label says these two already.
	'loop:complete': ({ reason = '' }) => (reason === 'complete' || reason === 'stopped' ? '' : reason),
	'handoff:create': ({ from = '', to = '' }) => `${from} → ${to}`,
	'parallel:start': ({ group, stages }) => join([group, stages?.join(', ')]),
	'prompt:submit': ({ source, prompt }) => (source === 'task' ? taskReport(fieldText(prompt)) : fieldText(prompt)),
	'message:show': ({ text }) => spokenVerdicts(fieldText(text)),
	'hook:event': (event) =>
		pointOfTold(event) === 'turn-failure' ? `${event.name} · ${fieldText(event.fields.error)}` : event.name,
	'routing:mismatch': ({ actual, expected }) => `${actual}, expected ${expected.join(', ')}`,
	'supervisor:review': ({ hook, iteration, max }) => `${hook} · ${iteration} of ${max}`,
	'supervisor:verdict': ({ failed, allow, by, feedback }) =>
		`${failed ? 'review failed, blocked' : allow ? 'allowed' : 'blocked'}${by === 'person' ? ' by a person' : ''} · ${feedback}`,
	'supervisor:switch': ({ action, count }) => (action === 'reset' ? 'count reset to 0' : `${action} · count ${count}`),
	'validator:assessment': assessmentTitle,
	'validator:subtasks': ({ featureName, subtasks }) => `${featureName} · ${subtasks.length} subtasks`,
	'grant:create': ({ scope, reason, covers }) =>
		`for ${scopeWords[scope]} · ${reason} · ${covers.map(({ words }) => words).join('; ')}`,
	'model:usage': (event) => `${event.model} · ${usageWords(event)}`,
	'alarm:snooze': ({ alarm, until }) => `${alarm} · until ${until}`,
	'note:add': ({ labels, text }) => join([labels.map((each) => `#${each}`).join(' '), text]),
	'todo:update': ({ todos }) =>
		`${todos.filter(({ status }) => status === 'completed').length} of ${todos.length} done`,
	'system:gap': ({ bytes, offset, reason }) => `${bytes} bytes at ${offset}: ${reason}`,
};

/** What a person reads beside the label; agent text, to be shown as text only. */
export function eventTitle(event: KnownEvent): string {
	const { title } = named[event.type];
	if (title) return join(title.map((field) => event[field as keyof KnownEvent]));
	// Each function fits its type, which the compiler cannot follow through a look-up.
	const words: (event: never) => string = worded[event.type as Worded];
	return words(event as never);
}

const join = (parts: readonly (string | null | undefined)[]) => parts.filter(Boolean).join(' · ');

const ENTITIES: Record<string, string> = {
	...{ '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'", '&#39;': "'", '&amp;': '&' },
};

/** The client reports a finished background agent as a prompt in tags; its summary says what a person wants to know. */
function taskReport(prompt: string): string {
	const summary = /<summary>(?<summary>[^<]{1,500})<\/summary>/u.exec(prompt)?.groups?.summary;
	return summary?.replace(/&(?:lt|gt|quot|apos|#39|amp);/gu, (escaped) => ENTITIES[escaped] ?? escaped) ?? prompt;
}

function assessmentTitle({ validator, rating, subject, reasoning, nextTask }: EventOf<'validator:assessment'>): string {
	const next = nextTask && `next: ${nextTask.description}`;
	return join([validator, rating, subject ?? reasoning, next]);
}

/** An agent's last words; its verdict only where the event does not tell it. */
function report({ result, message }: EventOf<'agent:complete'>): string {
	const said = fieldText(message);
	return (result ? withoutVerdicts(said) : spokenVerdicts(said)).trim();
}

/** Where a verdict was read, where that needs to be known: a comment and a line say it in so many words. */
function sourceWords(source: string | undefined): string {
	if (source === 'none') return 'no verdict was spoken';
	return source === 'words' ? 'read from its words' : '';
}
