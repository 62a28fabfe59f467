import type { KnownEvent, TimelineEvent } from '../contract/events/event.ts';
import { isKnown } from '../contract/events/is-known.ts';
import { isJson } from '../json/json.ts';
import { fieldText } from '../session/call-title.ts';
import { eventTitle } from '../session/event-title.ts';
import { plainText } from './fold-case.ts';

/** So many characters of an event are searched; every one of them costs the index a little. */
const MOST_SAID = 8000;

/** Fields of a call's input that hold a file's content: what was written, not what was asked. */
const BULK: ReadonlySet<string> = new Set(['content', 'new_string', 'old_string', 'new_source', 'edits', 'todos']);

/**
 * What an event says in words of a person or an agent, as a search finds it: prompts, messages, commands, paths, reasons and
 * verdicts, bounded. Empty for what says nothing or only repeats another event of its row. Outputs and file contents are
 * not searched.
 */
export function saidText(event: TimelineEvent): string {
	if (!isKnown(event)) return '';
	const said: string[] = [];
	let left = MOST_SAID;
	for (const piece of pieces(event)) {
		const text = plainText(fieldText(piece).slice(0, left));
		if (text === '') continue;
		said.push(text);
		left -= text.length;
		if (left <= 0) break;
	}
	return said.join('\n');
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
			// That a gate let something pass is said at every call, and in its own words only.
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
			// A call of its own has said it.
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

/** A question and what may be answered. */
function questionTexts(asked: unknown): unknown[] {
	if (!isJson(asked)) return [];
	const options = Array.isArray(asked.options) ? asked.options.filter(isJson) : [];
	return [asked.question, ...options.flatMap(({ label, description }) => [label, description])];
}
