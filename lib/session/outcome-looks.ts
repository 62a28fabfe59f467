import type { Tone } from '../contract/events/event-labels.ts';
import type { CallOutcome } from '../contract/sessions/read-model/call-view.ts';
import type { MessageKey } from '../messages/tell.ts';

/** What became of a call, in a word and its tone; colour never speaks alone. */
export const outcomeLooks = {
	running: { word: 'running', tone: 'run' },
	waiting: { word: 'waiting for you', tone: 'wait' },
	ran: { word: 'ran', tone: 'ok' },
	failed: { word: 'failed', tone: 'err' },
	stopped: { word: 'denied', tone: 'err' },
	unknown: { word: 'outcome unknown', tone: 'warn' },
} as const satisfies Record<CallOutcome, { word: MessageKey; tone: Tone }>;
