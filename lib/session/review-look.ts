import type { Tone } from '../contract/events/event-labels.ts';
import type { Plain } from '../messages/say.ts';
import type { SupervisorView } from './view.ts';

/** How a review stands at an instant (ms), in words. One without a verdict past its deadline was cut off. */
export function reviewLook(review: SupervisorView, now: number): { word: Plain; tone: Tone; isRunning: boolean } {
	const { allow, failed, by, cutOffAt, deadline } = review;
	if (allow === undefined) {
		const isOver = cutOffAt !== undefined || (deadline !== undefined && now > Date.parse(deadline));
		return isOver
			? { word: 'cut off: no verdict', tone: 'warn', isRunning: false }
			: { word: 'reviewing', tone: 'run', isRunning: true };
	}
	if (failed) {
		return { word: allow ? 'review failed, allowed' : 'review failed, blocked', tone: 'err', isRunning: false };
	}
	if (by === 'limit') return { word: 'limit reached, allowed unreviewed', tone: 'warn', isRunning: false };
	const tone = allow ? 'ok' : 'err';
	if (by === 'person') return { word: allow ? 'allowed by a person' : 'blocked by a person', tone, isRunning: false };
	return { word: allow ? 'allowed' : 'blocked', tone, isRunning: false };
}
