import type { FleetLane } from '../contract/sessions/fleet.ts';
import { nextMoment } from './lane-spans.ts';

/** Where the pointer or the keys stand: a lane, and an instant (ms) on it. */
export interface FleetCursor {
	sessionId: string;
	at: number;
}

/** The strip as a person sees it: its lanes, and its time in ms. */
export interface FleetField {
	lanes: readonly FleetLane[];
	from: number;
	to: number;
}

/** Where a key leads: up and down by lanes, left and right by moments. Null for a key that moves nothing. */
export function moveCursor(
	key: string,
	cursor: FleetCursor | null,
	{ lanes, from, to }: FleetField,
): FleetCursor | null {
	const index = lanes.findIndex(({ sessionId }) => sessionId === cursor?.sessionId);
	const at = cursor?.at ?? to;
	const stand = (lane: FleetLane | undefined, instant: number) =>
		lane ? { sessionId: lane.sessionId, at: instant } : null;
	const lane = lanes[Math.max(0, index)];
	switch (key) {
		case 'ArrowDown':
			return stand(lanes[Math.min(lanes.length - 1, index + 1)], at);
		case 'ArrowUp':
			return stand(lanes[Math.max(0, index - 1)], at);
		case 'ArrowLeft':
			return stand(lane, lane ? nextMoment(lane, at, -1, from) : at);
		case 'ArrowRight':
			return stand(lane, lane ? nextMoment(lane, at, 1, to) : at);
		case 'Home':
			return stand(lane, from);
		case 'End':
			return stand(lane, to);
		default:
			return null;
	}
}
