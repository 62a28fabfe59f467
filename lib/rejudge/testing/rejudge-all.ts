import type { IndexedEvent } from '../../contract/sessions/read-model/session-view.ts';
import { createRejudge, type Rejudged } from '../rejudge-session.ts';
import type { RejudgeSettings } from '../rejudge-settings.ts';

/** Judges one session's events again, all at once. */
export function rejudgeAll(events: Iterable<IndexedEvent>, settings: RejudgeSettings): Rejudged {
	const session = createRejudge(settings);
	for (const event of events) session.add(event);
	const steps = session.judge();
	for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}
