import type { Tone } from '../contract/events/event-labels.ts';
import type { CallOutcome, CallView } from '../contract/sessions/read-model/call-view.ts';
import type { MessageKey } from '../messages/tell.ts';
import { outcomeOf } from './call.ts';

/** What became of a call, in a word and its tone; colour never speaks alone. */
export const outcomeLooks = {
	running: { word: 'running', tone: 'run' },
	waiting: { word: 'waiting for you', tone: 'wait' },
	ran: { word: 'ran', tone: 'ok' },
	failed: { word: 'failed', tone: 'err' },
	stopped: { word: 'denied', tone: 'err' },
	unknown: { word: 'outcome unknown', tone: 'warn' },
} as const satisfies Record<CallOutcome, { word: MessageKey; tone: Tone }>;

const stoppedLook = { word: 'stopped by a person', tone: 'warn' } as const satisfies { word: MessageKey; tone: Tone };

/** What became of one call: its outcome, and of one that failed whether a person stopped it. */
export function outcomeLook(call: CallView) {
	const outcome = outcomeOf(call);
	return outcome === 'failed' && call.interrupted ? stoppedLook : outcomeLooks[outcome];
}
