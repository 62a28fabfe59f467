import { pointOfTold } from '../agents/told-event.ts';
import type { EventOf, KnownEvent } from '../contract/event.ts';
import { labelOf, type Tone } from '../contract/event-labels.ts';
import { isKnown } from '../contract/is-known.ts';
import { scopeWords } from '../grants/words.ts';
import { usageWords } from '../usage/usage-words.ts';
import { COMPLETION_VALIDATOR_GATE } from '../validators/validator-gates.ts';
import { spokenVerdicts, withoutVerdicts } from '../workflow/verdict-comment.ts';
import { alarmOf, type CallView, outcomeOf } from './call.ts';
import { fieldText, oneLine } from './call-title.ts';
import { outcomeLooks } from './outcome-looks.ts';
import { progressWords } from './progress-words.ts';
import type { Row } from './row.ts';
import type { IndexedEvent } from './view.ts';

/** The story's line for a call. */
export function callRow(call: CallView): Row {
	const row: Row = {
		key: `call:${call.toolUseId}`,
		seq: call.seq,
		at: call.at,
		type: 'tool:call',
		title: call.title,
		tone: alarmOf(call) ? 'err' : outcomeLooks[outcomeOf(call)].tone,
		shown: true,
		call,
	};
	if (call.agentId !== undefined) row.agentId = call.agentId;
	return row;
}

/** The story's line for an event that is a thing of its own. */
export function eventRow(event: IndexedEvent): Row {
	const label = labelOf(event.type);
	const known = isKnown(event) && !event.unverified;
	return {
		key: `event:${event.id}`,
		seq: event.seq,
		at: event.ts,
		...(event.agentId !== undefined && { agentId: event.agentId }),
		type: event.type,
		title: known ? oneLine(eventTitle(event)) : '',
		...(isStoppedLoop(event) && { label: 'Loop stopped' }),
		...(isIssuesNote(event) && { label: 'Issues found' }),
		tone: event.unverified ? 'err' : toneOf(event, label.tone),
		shown: event.unverified ? true : (label.shown && !isQuiet(event)) || isFailure(event),
		...(event.unverified && { unverified: true as const }),
	};
}

/** A loop that a person or a limit stopped has not got done what it was for. */
const isStoppedLoop = (event: IndexedEvent) =>
	isKnown(event) && event.type === 'loop:complete' && event.reason !== undefined && event.reason !== 'complete';

/** Older versions told of ISSUES as of a retry; whether it was done again other lines say. */
const isIssuesNote = (event: IndexedEvent) =>
	isKnown(event) && event.type === 'stage:retry' && event.retroCount !== undefined;

/** What comes next by priority alone is worth a look in the Verdicts tab, not a line at each todo. */
const isQuiet = (event: IndexedEvent) =>
	isKnown(event) &&
	event.type === 'validator:assessment' &&
	event.validator === COMPLETION_VALIDATOR_GATE &&
	event.fallback === true;

const isFailure = (event: IndexedEvent) =>
	isKnown(event) && event.type === 'hook:event' && pointOfTold(event) === 'turn-failure';

/** An end is as good as its result; "issues" hold nothing up. */
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
	if (event.type === 'supervisor:verdict') return event.allow ? (event.by === 'limit' ? 'warn' : 'ok') : 'err';
	if (event.type === 'validator:assessment') return event.allowed ? 'ok' : 'err';
	if (event.type === 'stage:complete' || event.type === 'agent:complete') return resultTone(event.result, tone);
	if (isStoppedLoop(event)) return 'plain';
	return isFailure(event) ? 'err' : tone;
}

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
	return [validator, rating, subject ?? reasoning, next].filter(Boolean).join(' · ');
}

/** Why the loop ended, unless the label says it already. */
function loopEnd({ reason = '' }: EventOf<'loop:complete'>): string {
	return reason === 'complete' || reason === 'stopped' ? '' : reason;
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

/** What a person reads beside the label; agent text, to be shown as text only. */
export function eventTitle(event: KnownEvent): string {
	switch (event.type) {
		case 'workflow:start':
			return [event.workflowType, event.featureName].filter(Boolean).join(' · ');
		case 'workflow:complete':
		case 'workflow:abort':
			return [event.workflowType, event.duration].filter(Boolean).join(' · ');
		case 'workflow:pause':
		case 'workflow:resume':
			return event.workflowType ?? '';
		case 'workflow:adopt':
			return event.file;
		case 'stage:start':
			return event.stage;
		case 'stage:complete':
			return [event.stage, event.result, sourceWords(event.source)].filter(Boolean).join(' · ');
		case 'stage:retry':
			return [event.stage, event.reason].filter(Boolean).join(' · ');
		case 'agent:delegate':
			return [event.agent, event.description].filter(Boolean).join(' · ');
		case 'agent:start':
			return event.agent;
		case 'agent:complete':
			return [event.agent, event.result, report(event)].filter(Boolean).join(' · ');
		case 'agent:error':
			return `${event.agent} · ${event.reason}`;
		case 'loop:start':
			return event.workflowType ?? '';
		case 'loop:advance':
			return [`iteration ${event.iteration}`, progressWords(event)].filter(Boolean).join(' · ');
		case 'loop:complete':
			return loopEnd(event);
		case 'session:end':
		case 'session:lost':
		case 'approval:abandon':
		case 'grant:revoke':
			return event.reason ?? '';
		case 'handoff:create':
			return `${event.from ?? ''} → ${event.to ?? ''}`;
		case 'parallel:start':
			return [event.group, event.stages?.join(', ')].filter(Boolean).join(' · ');
		case 'parallel:converge':
			return event.group;
		case 'grader:score':
			return `${event.stage} · ${event.agent}`;
		case 'specs:init':
		case 'specs:pause':
		case 'specs:resume':
		case 'specs:archive':
			return event.featureName;
		case 'error:fatal':
			return event.reason;
		case 'session:start':
			return [event.source, event.model].filter(Boolean).join(' · ');
		case 'session:compact':
			return event.trigger ?? '';
		case 'session:notice':
		case 'system:warning':
			return event.message;
		case 'prompt:submit':
			return event.source === 'task' ? taskReport(fieldText(event.prompt)) : fieldText(event.prompt);
		case 'message:show':
			return spokenVerdicts(fieldText(event.text));
		case 'hook:event':
			return isFailure({ ...event, seq: 0 }) ? `${event.name} · ${fieldText(event.fields.error)}` : event.name;
		case 'tool:call':
		case 'tool:result':
		case 'tool:error':
			return event.tool;
		case 'gate:verdict':
			return `${event.gate} · ${event.decision} · ${event.reason}`;
		case 'routing:plan':
			return `${event.planId} · ${event.status}`;
		case 'routing:mismatch':
			return `${event.actual}, expected ${event.expected.join(', ')}`;
		case 'supervisor:review':
			return `${event.hook} · ${event.iteration} of ${event.max}`;
		case 'supervisor:verdict':
			return `${event.failed ? 'review failed, blocked' : event.allow ? 'allowed' : 'blocked'}${event.by === 'person' ? ' by a person' : ''} · ${event.feedback}`;
		case 'supervisor:switch':
			return event.action === 'reset' ? 'count reset to 0' : `${event.action} · count ${event.count}`;
		case 'validator:assessment':
			return assessmentTitle(event);
		case 'validator:subtasks':
			return `${event.featureName} · ${event.subtasks.length} subtasks`;
		case 'approval:request':
			return event.tool;
		case 'approval:resolve':
			return [event.decision, event.reason].filter(Boolean).join(' · ');
		case 'approval:expire':
			return '';
		case 'grant:create':
			return `for ${scopeWords[event.scope]} · ${event.reason} · ${event.covers.map(({ words }) => words).join('; ')}`;
		case 'grant:use':
			return event.reason;
		case 'grant:expire':
			return event.grantId;
		case 'model:usage':
			return `${event.model} · ${usageWords(event)}`;
		case 'alarm:acknowledge':
			return event.alarm;
		case 'alarm:snooze':
			return `${event.alarm} · until ${event.until}`;
		case 'todo:update':
			return `${event.todos.filter((todo) => todo.status === 'completed').length} of ${event.todos.length} done`;
		case 'command:run':
			return event.command;
		case 'command:block':
			return `${event.command} · ${event.reason}`;
		case 'system:gap':
			return `${event.bytes} bytes at ${event.offset}: ${event.reason}`;
	}
}
