import { hookPointOf } from '../agents/recorded-event.ts';
import type { KnownEvent, TimelineEvent } from '../contract/events/event.ts';
import { COMPLETION_VALIDATOR_GATE, isKnown, labelOf, type Tone } from '../contract/events/event-labels.ts';
import type { CallOutcome, CallView } from '../contract/sessions/read-model/call-view.ts';
import type { Row } from '../contract/sessions/read-model/row.ts';
import type { IndexedEvent, SessionView } from '../contract/sessions/read-model/session-view.ts';
import type { Say } from '../messages/say.ts';
import { inWords } from '../messages/sentence.ts';
import { clip, oneLine, shortPath } from '../text/printable.ts';
import { alarmOf, outcomeLooks, outcomeOf, requestedAgentOf } from './call.ts';
import { eventTitle } from './event-title.ts';
import { find } from './view.ts';

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
		...(known && aboutOf(event)),
		...(isStoppedLoop(event) && { label: 'Loop stopped' }),
		...(isTaskEnd(event) && { label: 'Background task' }),
		...(isIssuesNote(event) && { label: 'Issues found' }),
		tone: event.unverified ? 'err' : toneOf(event, label.tone),
		shown: event.unverified ? true : (label.shown && !isQuiet(event)) || isFailure(event),
		...(event.unverified && { unverified: true as const }),
	};
}

function aboutOf(event: KnownEvent): Pick<Row, 'stage' | 'agent' | 'result'> {
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

/** The next task of a fallback is not in the story: there would be one after every todo. */
const isQuiet = (event: IndexedEvent) =>
	isKnown(event) &&
	event.type === 'validator:assessment' &&
	event.validator === COMPLETION_VALIDATOR_GATE &&
	event.fallback === true;

const isFailure = (event: IndexedEvent) =>
	isKnown(event) && event.type === 'hook:event' && hookPointOf(event) === 'turn-failure';

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
	if (event.type === 'stage:complete' && event.source === 'none') return resultTone('unclear', tone);
	if (event.type === 'stage:complete' || event.type === 'agent:complete') return resultTone(event.result, tone);
	if (isStoppedLoop(event)) return 'plain';
	return isFailure(event) ? 'err' : tone;
}

/** The row that an event belongs to; needs the view before the event. */
export function rowKeyOf(view: Pick<SessionView, 'agents'>, event: IndexedEvent | TimelineEvent): string {
	if (!isKnown(event) || ('unverified' in event && event.unverified)) return `event:${event.id}`;
	switch (event.type) {
		case 'tool:call':
		case 'tool:result':
		case 'tool:error':
		case 'gate:verdict':
		case 'routing:mismatch':
		case 'agent:delegate':
		// A line of another program may belong to no call.
		case 'command:run':
		case 'command:block':
		case 'grant:use':
		case 'permission:decide':
			return event.toolUseId ? `call:${event.toolUseId}` : `event:${event.id}`;
		case 'agent:start':
		case 'agent:complete':
		case 'agent:error': {
			const call = event.toolUseId ?? find(view.agents, 'agentId', event.agentId)?.toolUseId;
			return call ? `call:${call}` : `event:${event.id}`;
		}
		case 'approval:request':
		case 'approval:resolve':
		case 'approval:expire':
		case 'approval:abandon':
		case 'approval:late':
			return event.toolUseId ? `call:${event.toolUseId}` : `approval:${event.approvalId}`;
		default:
			return `event:${event.id}`;
	}
}

export const rowLabel = (row: Row): string => row.label ?? labelOf(row.type).en;

const MOST_CHARS = 90;
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
	if (call.edit) return say(words.file, { actor, file: clip(shortPath(call.edit.path, folder), MOST_CHARS) });
	if (COMMANDS.has(call.tool)) return say(words.command, { actor, command: clip(call.title, MOST_CHARS) });
	return say(words.tool, { actor, tool: call.tool });
}

type RowBefore = (before: number) => Promise<Row | undefined>;

/**
 * The `seq` of the newest row that had begun by an instant (ISO), by binary search; 0 if none had. `newest` is the session's last
 * seq.
 */
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
