import type { KnownEvent, TimelineEvent } from '../contract/events/event.ts';
import { isKnown } from '../contract/events/is-known.ts';
import { isJson } from '../json/json.ts';
import { fieldText } from '../session/call-title.ts';
import { eventTitle } from '../session/event-title.ts';
import { plainText } from './search-terms.ts';

const MOST_SAID = 8000;

const BULK: ReadonlySet<string> = new Set(['content', 'new_string', 'old_string', 'new_source', 'edits', 'todos']);

/**
 * What an event says in words of a person or an agent, bounded; empty if it repeats another event of its row. Outputs
 * and file contents are not searched.
 */
export function saidText(event: TimelineEvent): string {
	if (!isKnown(event)) return '';
	const texts: string[] = [];
	let left = MOST_SAID;
	for (const piece of pieces(event)) {
		const text = plainText(fieldText(piece).slice(0, left));
		if (text === '') continue;
		texts.push(text);
		left -= text.length;
		if (left <= 0) break;
	}
	return texts.join('\n');
}

function pieces(event: KnownEvent): unknown[] {
	switch (event.type) {
		case 'tool:result':
		case 'agent:delegate':
		case 'todo:update':
		case 'approval:expire':
		case 'grant:expire':
		case 'workflow:adopt':
			return [];
		case 'tool:call':
			return inputTexts(event.input);
		case 'tool:error':
			return [event.error];
		case 'prompt:submit':
			return [event.prompt];
		case 'message:show':
			return [event.text];
		case 'agent:complete':
			return [event.agent, event.result, event.message];
		case 'gate:verdict':
			// A pass occurs at every call.
			return event.decision === 'pass' ? [] : [event.rule, event.reason];
		case 'supervisor:review':
			return [event.question];
		case 'supervisor:verdict':
			return [eventTitle(event), event.error];
		case 'validator:assessment':
			return [event.subject, event.reasoning, ...(event.suggestions ?? []), ...(event.warnings ?? [])];
		case 'validator:subtasks':
			return [event.featureName, ...event.subtasks];
		case 'approval:request':
			// The call itself is searched.
			return event.toolUseId ? [] : [...inputTexts(event.input), ...event.denials.map(({ reason }) => reason)];
		case 'approval:resolve':
			return [event.decision, event.by.name, event.reason, ...inputTexts(event.updatedInput)];
		default:
			return [eventTitle(event)];
	}
}

function inputTexts(input: unknown): unknown[] {
	if (typeof input !== 'object' || input === null || 'blob' in input) return [input];
	return Object.entries(input).flatMap(([name, value]) => {
		if (BULK.has(name)) return [];
		if (name === 'questions' && Array.isArray(value)) return value.flatMap(questionTexts);
		return typeof value === 'string' || isMoved(value) ? [value] : [];
	});
}

const isMoved = (value: unknown) => typeof value === 'object' && value !== null && 'blob' in value;

function questionTexts(questions: unknown): unknown[] {
	if (!isJson(questions)) return [];
	const options = Array.isArray(questions.options) ? questions.options.filter(isJson) : [];
	return [questions.question, ...options.flatMap(({ label, description }) => [label, description])];
}
