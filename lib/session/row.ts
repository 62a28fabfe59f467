import { callKind, hookPointOf } from '../agents/recorded-event.ts';
import type { EventOf, KnownEvent } from '../contract/events/event.ts';
import {
	COMPLETION_VALIDATOR_GATE,
	type EventType,
	eventLabels,
	isKnown,
	labelOf,
	type Tone,
} from '../contract/events/event-labels.ts';
import type { ApprovalView, CallOutcome } from '../contract/sessions/read-model/call-view.ts';
import type { Row } from '../contract/sessions/read-model/row.ts';
import type { IndexedEvent } from '../contract/sessions/read-model/session-view.ts';
import { scopeWords } from '../grants/covers.ts';
import type { Say } from '../messages/say.ts';
import { inWords, type Sentence, sentence, type Words } from '../messages/sentence.ts';
import { clip, fieldText, oneLine, shortPath } from '../text/printable.ts';
import { usageWords } from '../usage/usage-totals.ts';
import { spokenVerdicts, withoutVerdicts } from '../workflow/verdict-comment.ts';
import { outcomeOf, requestedAgentOf } from './call.ts';

export function eventRow(event: IndexedEvent): Row {
	const label = labelOf(event.type);
	const known = isKnown(event) && !event.unverified;
	return {
		key: `event:${event.id}`,
		seq: event.seq,
		at: event.ts,
		...(event.agentId !== undefined && { agentId: event.agentId }),
		type: event.type,
		...inWords({ title: known ? eventTitle(event) : '' }, oneLine),
		...(known && workOf(event)),
		...(isStoppedLoop(event) && { label: 'Loop stopped' }),
		...(isTaskEnd(event) && { label: 'Background task' }),
		...(isIssuesNote(event) && { label: 'Issues found' }),
		tone: event.unverified ? 'err' : toneOf(event, label.tone),
		shown: event.unverified || (label.shown && !isQuiet(event)) || isFailure(event),
		...(event.unverified && { unverified: true as const }),
	};
}

function workOf(event: KnownEvent): Pick<Row, 'stage' | 'agent' | 'result'> {
	switch (event.type) {
		case 'stage:start':
			return { stage: event.stage };
		case 'stage:complete':
			return { stage: event.stage, ...(event.source !== 'none' && event.result && { result: event.result }) };
		case 'agent:delegate':
		case 'agent:start':
		case 'agent:error':
			return { agent: event.agent, ...(event.stage && { stage: event.stage }) };
		case 'agent:complete':
			return {
				agent: event.agent,
				...(event.stage && { stage: event.stage }),
				...(event.result && { result: event.result }),
			};
		default:
			return {};
	}
}

const isStoppedLoop = (event: IndexedEvent) =>
	isKnown(event) && event.type === 'loop:complete' && event.reason !== undefined && event.reason !== 'complete';

/** A prompt that the client wrote itself, when a background agent or command had ended. */
const isTaskEnd = (event: IndexedEvent) => isKnown(event) && event.type === 'prompt:submit' && event.source === 'task';

/** Older versions recorded ISSUES as a retry. */
const isIssuesNote = (event: IndexedEvent) =>
	isKnown(event) && event.type === 'stage:retry' && event.retroCount !== undefined;

/** A next task that was chosen without a model is left out: one would follow every todo. */
const isQuiet = (event: IndexedEvent) =>
	isKnown(event) &&
	event.type === 'validator:assessment' &&
	event.validator === COMPLETION_VALIDATOR_GATE &&
	event.fallback === true;

const isFailure = (event: IndexedEvent) =>
	isKnown(event) && event.type === 'hook:event' && hookPointOf(event) === 'turn-failure';

/** A bad result outweighs the tone that the type of the event has. */
export function resultTone(result: string | undefined, tone: Tone): Tone {
	switch (result?.toLowerCase()) {
		case 'fail':
		case 'reject':
			return 'err';
		case 'issues':
		case 'unclear':
			return 'warn';
		default:
			return tone;
	}
}

function toneOf(event: IndexedEvent, tone: Tone): Tone {
	if (!isKnown(event)) return tone;
	if (event.type === 'supervisor:verdict')
		return event.allow && event.by !== 'limit' ? 'ok' : event.failed ? 'err' : 'warn';
	if (event.type === 'validator:assessment') return event.allowed ? 'ok' : 'err';
	if (event.type === 'gate:verdict' && event.decision === 'deny') return 'err';
	if (event.type === 'stage:complete' && event.source === 'none') return resultTone('unclear', tone);
	if (event.type === 'stage:complete' || event.type === 'agent:complete') return resultTone(event.result, tone);
	if (isStoppedLoop(event)) return 'plain';
	return isFailure(event) ? 'err' : tone;
}

export const rowLabel = (row: Row): string => row.label ?? labelOf(row.type).en;

const MAX_CHARS = 90;
const COMMANDS: ReadonlySet<string> = new Set(['Bash', 'bash', 'Shell', 'run_shell_command']);

const done = {
	agent: '{actor} started {agent}',
	file: '{actor} edited {file}',
	command: '{actor} ran {command}',
	tool: '{actor} called {tool}',
} as const;
const wanted = {
	agent: '{actor} wants to start {agent}',
	file: '{actor} wants to edit {file}',
	command: '{actor} wants to run {command}',
	tool: '{actor} wants to call {tool}',
} as const;
const denied = {
	agent: '{actor} was not allowed to start {agent}',
	file: '{actor} was not allowed to edit {file}',
	command: '{actor} was not allowed to run {command}',
	tool: '{actor} was not allowed to call {tool}',
} as const;
const callSentences = {
	...{ running: done, ran: done, failed: done },
	...{ waiting: wanted, unknown: wanted, stopped: denied },
} as const satisfies Record<CallOutcome, unknown>;

/** A row as one sentence; parts are agent text. */
export function rowSentence({ call, ...row }: Row, actor: string, folder: string | null, say: Say): string {
	if (!call) return say.known(rowLabel(row));
	const words = callSentences[outcomeOf(call)];
	const agent = requestedAgentOf(call);
	if (agent !== undefined) return say(words.agent, { actor, agent });
	if (call.edit) return say(words.file, { actor, file: clip(shortPath(call.edit.path, folder), MAX_CHARS) });
	if (COMMANDS.has(call.tool)) return say(words.command, { actor, command: clip(call.title, MAX_CHARS) });
	return say(words.tool, { actor, tool: call.tool });
}

/** What a held call would do, or was not allowed to, as one sentence; parts are agent text. */
export function requestSentence({ tool, asked, title, state }: ApprovalView, actor: string, say: Say): string {
	const sentences = state === 'denied' || state === 'expired' ? denied : wanted;
	if (COMMANDS.has(tool)) return say(sentences.command, { actor, command: clip(title, MAX_CHARS) });
	if (callKind({ tool }) === 'edit-file') return say(sentences.file, { actor, file: title });
	const words =
		asked === undefined ? say(sentences.tool, { actor, tool }) : say(sentences.agent, { actor, agent: asked });
	return title === '' ? words : `${words}${say(': {answer}', { answer: title })}`;
}

type RowBefore = (before: number) => Promise<Row | undefined>;

/** The `seq` of the newest row begun by an instant (ISO), by binary search; 0 if none. `newest` is the session's last seq. */
export async function seqUntil(rowBefore: RowBefore, newest: number, until: string): Promise<number> {
	let begun = 0;
	let later = newest + 1;
	while (later - begun > 1) {
		const middle = Math.floor((begun + later) / 2);
		const row = await rowBefore(middle + 1);
		if (row === undefined || row.at <= until) begun = middle;
		else later = Math.min(middle, row.seq);
	}
	return (await rowBefore(begun + 1))?.seq ?? 0;
}

type WordsOf<T extends EventType, Fields = EventOf<T>> = {
	[K in keyof Fields & string]-?: Fields[K] extends string | null | undefined ? K : never;
}[keyof Fields & string];

const titleFields: { readonly [T in EventType]: { readonly title: readonly WordsOf<T>[] | null } } = eventLabels;

type TypeWithWords = { [T in EventType]: (typeof eventLabels)[T]['title'] extends null ? T : never }[EventType];

const titleWords: { readonly [T in TypeWithWords]: (event: EventOf<T>) => Words } = {
	'session:start': ({ source, model }) => join([source === 'startup' ? '' : source, model]),
	'session:end': ({ reason = '' }) =>
		isEndReason(reason) ? sentence(endReasons[reason]) : reason === 'other' ? '' : reason,
	'stage:complete': ({ stage, result, source }) => join([stage, resultWords(result), sourceWords(source)]),
	'agent:complete': (event) => join([event.agent, resultWords(event.result), lastWords(event)]),
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
	'supervisor:verdict': ({ failed, allow, by, feedback }) => {
		const end = allow ? 'allowed' : 'sent back';
		const whose = by === 'person' ? ' by a person' : '';
		return join([sentence(failed ? (`review failed, ${end}` as const) : (`${end}${whose}` as const)), feedback]);
	},
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

/** The event in one line; agent text in it stays untranslated. */
export function eventTitle(event: KnownEvent): Words {
	const { title } = titleFields[event.type];
	if (title) return join(title.map((field) => event[field as keyof KnownEvent]));
	// Each function fits its type, which the compiler cannot follow through a look-up.
	const words: (event: never) => Words = titleWords[event.type as TypeWithWords];
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
function lastWords({ result, message }: EventOf<'agent:complete'>): string {
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
