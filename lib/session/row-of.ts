import { hookPointOf } from '../agents/recorded-event.ts';
import type { KnownEvent, TimelineEvent } from '../contract/events/event.ts';
import { labelOf, type Tone } from '../contract/events/event-labels.ts';
import { isKnown } from '../contract/events/is-known.ts';
import { COMPLETION_VALIDATOR_GATE } from '../contract/events/validator-names.ts';
import { alarmOf, type CallView, outcomeOf } from './call.ts';
import { oneLine } from './call-title.ts';
import { eventTitle } from './event-title.ts';
import { outcomeLooks } from './outcome-looks.ts';
import { find } from './roster.ts';
import type { Row } from './row.ts';
import type { IndexedEvent, SessionView } from './view.ts';

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
		...(known && aboutOf(event)),
		...(isStoppedLoop(event) && { label: 'Loop stopped' }),
		...(isIssuesNote(event) && { label: 'Issues found' }),
		tone: event.unverified ? 'err' : toneOf(event, label.tone),
		shown: event.unverified ? true : (label.shown && !isQuiet(event)) || isFailure(event),
		...(event.unverified && { unverified: true as const }),
	};
}

/** Which stage or agent a line is about, by name. */
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
	isKnown(event) && event.type === 'hook:event' && hookPointOf(event) === 'turn-failure';

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
	if (event.type === 'stage:complete' && event.source === 'none') return resultTone('unclear', tone);
	if (event.type === 'stage:complete' || event.type === 'agent:complete') return resultTone(event.result, tone);
	if (isStoppedLoop(event)) return 'plain';
	return isFailure(event) ? 'err' : tone;
}

/**
 * Which line of the story an event belongs to. Events of one call share a row, and so does the end
 * of the agent that the call started, once it is bound. Needs the view before the event.
 */
export function rowKeyOf(view: Pick<SessionView, 'agents'>, event: IndexedEvent | TimelineEvent): string {
	if (!isKnown(event) || ('unverified' in event && event.unverified)) return `event:${event.id}`;
	switch (event.type) {
		case 'tool:call':
		case 'tool:result':
		case 'tool:error':
		case 'gate:verdict':
		case 'routing:mismatch':
		case 'agent:delegate':
		// Of the agent shell; a line of another program may belong to no call.
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
