import { isKnown, labelOf, type Tone } from '../contract/events/event-labels.ts';
import type { IndexedEvent, SessionView } from '../contract/sessions/read-model/session-view.ts';
import { inEnglish } from '../messages/sentence.ts';
import { callTitle } from '../session/call.ts';
import { eventTitle } from '../session/row.ts';
import { printable } from '../text/printable.ts';

/** All text is printable, on one line, and bounded. */
export interface Notification {
	id: string;
	type: string;
	ts: string;
	sessionId: string;
	title: string;
	body: string;
	/** Where a person can act. Never a login link: messages pass through other servers. */
	url: string;
	tone: Tone;
}

const MAX_TITLE = 120;
const MAX_BODY = 500;

/** `address` is the server's own, without a slash at its end. */
export function notificationOf(event: IndexedEvent, view: SessionView, address: string): Notification {
	const { id, type, ts, sessionId } = event;
	const { en, tone } = labelOf(type);
	const location = view.project ?? sessionId;
	const url = `${address}${pathOf(event)}`;
	const title = printable(`${location}: ${en}`, MAX_TITLE);
	return { id, type, ts, sessionId, title, body: printable(bodyOf(event), MAX_BODY), url, tone };
}

/** A question leads to its card, everything else to its session. */
function pathOf(event: IndexedEvent): string {
	if (!isKnown(event) || event.type !== 'approval:request') return `/sessions/${encodeURIComponent(event.sessionId)}`;
	return `/approvals?card=${encodeURIComponent(event.approvalId)}`;
}

function bodyOf(event: IndexedEvent): string {
	if (!isKnown(event)) return '';
	if (event.type !== 'approval:request') return inEnglish(eventTitle(event));
	const { tool, input, denials, deadline } = event;
	const why = denials.map(({ reason }) => reason).join('; ');
	const until = deadline.slice(11, 19);
	return `${tool}: ${callTitle(tool, input)}${why && ` · denied: ${why}`} · waits until ${until} UTC`;
}
