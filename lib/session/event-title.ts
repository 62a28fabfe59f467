import { hookPointOf } from '../agents/recorded-event.ts';
import type { EventOf, KnownEvent } from '../contract/events/event.ts';
import { type EventType, eventLabels } from '../contract/events/event-labels.ts';
import { scopeWords } from '../grants/covers.ts';
import { type Sentence, sentence, type Words } from '../messages/sentence.ts';
import { fieldText } from '../text/printable.ts';
import { usageWords } from '../usage/usage-totals.ts';
import { spokenVerdicts, withoutVerdicts } from '../workflow/verdict-comment.ts';

type WordsOf<T extends EventType, Fields = EventOf<T>> = {
	[K in keyof Fields & string]-?: Fields[K] extends string | null | undefined ? K : never;
}[keyof Fields & string];

const named: { readonly [T in EventType]: { readonly title: readonly WordsOf<T>[] | null } } = eventLabels;

type Worded = { [T in EventType]: (typeof eventLabels)[T]['title'] extends null ? T : never }[EventType];

const worded: { readonly [T in Worded]: (event: EventOf<T>) => Words } = {
	'session:start': ({ source, model }) => join([source === 'startup' ? '' : source, model]),
	'session:end': ({ reason = '' }) =>
		isEndReason(reason) ? sentence(endReasons[reason]) : reason === 'other' ? '' : reason,
	'stage:complete': ({ stage, result, source }) => join([stage, resultWords(result), sourceWords(source)]),
	'agent:complete': (event) => join([event.agent, resultWords(event.result), report(event)]),
	'loop:advance': (event) => join([sentence('iteration {count}', { count: event.iteration }), progressWords(event)]),
	// The label names these two already.
	'loop:complete': ({ reason = '' }) => (reason === 'complete' || reason === 'stopped' ? '' : reason),
	'handoff:create': ({ from = '', to = '' }) => `${from} → ${to}`,
	'parallel:start': ({ group, stages }) => join([group, stages?.join(', ')]),
	'prompt:submit': ({ source, prompt }) => (source === 'task' ? taskReport(fieldText(prompt)) : fieldText(prompt)),
	'message:show': ({ text }) => spokenVerdicts(fieldText(text)),
	'hook:event': (event) =>
		hookPointOf(event) === 'turn-failure' ? `${event.name} · ${fieldText(event.fields.error)}` : event.name,
	'routing:mismatch': expectedWords,
	'supervisor:review': ({ hook, iteration, max }) => join([hook, sentence('{nth} of {max}', { nth: iteration, max })]),
	'supervisor:verdict': ({ failed, allow, by, feedback }) =>
		join([
			sentence(
				`${failed ? 'review failed, sent back' : allow ? 'allowed' : 'sent back'}${by === 'person' ? ' by a person' : ''}` as const,
			),
			feedback,
		]),
	'supervisor:switch': ({ action, count }) =>
		action === 'reset'
			? sentence('count reset to 0')
			: join([sentence(`${action}#switch` as const), sentence('count {count}', { count })]),
	'validator:assessment': assessmentTitle,
	'validator:subtasks': ({ featureName, subtasks }) =>
		join([featureName, sentence('{count} subtasks', { count: subtasks.length })]),
	'grant:create': ({ scope, reason, covers }) =>
		join([sentence(`for ${scopeWords[scope]}` as const), reason, covers.map(({ words }) => words).join('; ')]),
	'model:usage': (event) => join([event.model, usageWords(event)]),
	'model:error': ({ model = '', status, error }) => join([model, status === undefined ? '' : String(status), error]),
	'alarm:snooze': ({ alarm, until }) => join([alarm, sentence('until {time}', { time: until })]),
	'note:add': ({ labels, text }) => join([labels.map((each) => `#${each}`).join(' '), text]),
	'todo:update': ({ todos }) =>
		sentence('{done} of {total} done', {
			done: todos.filter(({ status }) => status === 'completed').length,
			total: todos.length,
		}),
	'system:gap': ({ bytes, offset, reason }) =>
		sentence('{count} bytes at {nth}: {reason}', { count: bytes, nth: offset, reason }),
};

/** Why a session ended, by the word of the client. */
const endReasons = {
	clear: 'the context was cleared',
	logout: 'the person signed out',
	prompt_input_exit: 'the person left',
} as const;

const isEndReason = (reason: string): reason is keyof typeof endReasons => Object.hasOwn(endReasons, reason);

export function eventTitle(event: KnownEvent): Words {
	const { title } = named[event.type];
	if (title) return join(title.map((field) => event[field as keyof KnownEvent]));
	// Each function fits its type, which the compiler cannot follow through a look-up.
	const words: (event: never) => Words = worded[event.type as Worded];
	return words(event as never);
}

export function expectedWords({ actual, expected }: { actual: string; expected: readonly string[] }): Sentence {
	return sentence('{agent}, expected {agents}', { agent: actual, agents: expected.join(', ') });
}

const join = (parts: readonly (Words | null | undefined)[]): Words => parts.filter((part): part is Words => !!part);

const results = ['pass', 'fail', 'reject', 'issues', 'unclear'] as const;

/** The result of work in the agent's words; an unknown one unchanged. */
export function resultWords(result: string | null | undefined): Words | undefined {
	const known = results.find((each) => each === result);
	return known === undefined ? (result ?? undefined) : sentence(known);
}

const ENTITIES: Record<string, string> = {
	'&lt;': '<',
	'&gt;': '>',
	'&quot;': '"',
	'&apos;': "'",
	'&#39;': "'",
	'&amp;': '&',
};

/** The client reports a finished background agent as a prompt in tags; its summary is what a person wants to know. */
function taskReport(prompt: string): string {
	const summary = /<summary>(?<summary>[^<]{1,500})<\/summary>/u.exec(prompt)?.groups?.summary;
	return summary?.replace(/&(?:lt|gt|quot|apos|#39|amp);/gu, (escaped) => ENTITIES[escaped] ?? escaped) ?? prompt;
}

function assessmentTitle({ validator, rating, subject, reasoning, nextTask }: EventOf<'validator:assessment'>): Words {
	const next = nextTask && sentence('next: {task}', { task: nextTask.description });
	return join([validator, rating, subject ?? reasoning, next]);
}

/** An agent's last words, without a verdict that the event has as a field. */
function report({ result, message }: EventOf<'agent:complete'>): string {
	const text = fieldText(message);
	return (result ? withoutVerdicts(text) : spokenVerdicts(text)).trim();
}

function sourceWords(source: string | undefined): Words {
	if (source === 'none') return sentence('no verdict was spoken');
	return source === 'words' ? sentence('read from its words') : '';
}

/** A loop's progress in words: `4 of 8 stages, 1 of 3 tasks`. Older lines count stages and tasks as one. */
export function progressWords({ progress, tasks }: { progress?: string; tasks?: string }): Words {
	if (!progress) return '';
	const first = sentence('{share} stages', { share: figure(progress) });
	if (tasks === undefined || tasks.endsWith('/0')) return tasks === undefined ? figure(progress) : first;
	return sentence('{first}, {more}', { first, more: sentence('{share} tasks', { share: figure(tasks) }) });
}

function figure(text: string): Words {
	const [, done, total] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
	return done === undefined || total === undefined ? text : sentence('{done} of {total}', { done, total });
}
