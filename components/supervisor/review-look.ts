import type { Tone } from '#lib/contract/event-labels.ts';
import type { SupervisorView } from '#lib/session/view.ts';

/** How a review stands at an instant (ms), in words. One without a verdict past its deadline was cut off. */
export function reviewLook(review: SupervisorView, now: number): { word: string; tone: Tone; isRunning: boolean } {
	const { allow, failed, by, cutOffAt, deadline } = review;
	if (allow === undefined) {
		const isOver = cutOffAt !== undefined || (deadline !== undefined && now > Date.parse(deadline));
		return isOver
			? { word: 'cut off: no verdict', tone: 'warn', isRunning: false }
			: { word: 'reviewing', tone: 'run', isRunning: true };
	}
	const word = allow ? 'allowed' : 'blocked';
	if (failed) return { word: `review failed, ${word}`, tone: 'err', isRunning: false };
	if (by === 'limit') return { word: 'limit reached, allowed unreviewed', tone: 'warn', isRunning: false };
	return { word: by === 'person' ? `${word} by a person` : word, tone: allow ? 'ok' : 'err', isRunning: false };
}
