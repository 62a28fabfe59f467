/** An area accepts decisions only after it has been still this long (ms), enough time to see what it shows. */
export const SETTLE_MS = 600;

/** Shifts up to this many px, as from changing text beside an area, do not count as moves. */
const SLACK_PX = 8;

export interface Box {
	left: number;
	top: number;
	width: number;
	height: number;
	/** Total scroll offset of the ancestors (px). Scrolling alone does not count as a move. */
	scrolledX?: number;
	scrolledY?: number;
}

export interface DecisionArea {
	box: () => Box;
	onChange: (isSettled: boolean) => void;
}

export interface WatchedArea {
	/** Measures the area now, and returns whether it has been still long enough. Also detects moves without an event. */
	isSettled: () => boolean;
	unsettle: () => void;
	stop: () => void;
}

interface Watched {
	place: DecisionArea;
	box: Box;
	movedAt: number;
	isSettled: boolean;
}

/** Whether an area moved on screen for another reason than scrolling of its ancestors. */
function isElsewhere(one: Box, other: Box): boolean {
	const unscroll = (box: Box): Box => ({
		...box,
		left: box.left + (box.scrolledX ?? 0),
		top: box.top + (box.scrolledY ?? 0),
	});
	return differ(one, other) && differ(unscroll(one), unscroll(other));
}

const differ = (one: Box, other: Box) =>
	Math.abs(one.left - other.left) > SLACK_PX ||
	Math.abs(one.top - other.top) > SLACK_PX ||
	Math.abs(one.left + one.width - other.left - other.width) > SLACK_PX ||
	Math.abs(one.top + one.height - other.top - other.height) > SLACK_PX;

/**
 * Prevents a double click on one spot from deciding two questions. An area that is new, or was moved by anything but the
 * reader's own scrolling, is unsettled for SETTLE_MS. Small moves add up, because an area is compared with where it last
 * settled.
 */
export function createSettling(clock: { now: () => number; after: (ms: number, run: () => void) => () => void }) {
	const all = new Set<Watched>();
	let cancel: (() => void) | undefined;

	function startTimer(): void {
		cancel?.();
		cancel = undefined;
		const moving = [...all].filter(({ isSettled }) => !isSettled);
		if (moving.length === 0) return;
		const next = Math.min(...moving.map(({ movedAt }) => movedAt)) + SETTLE_MS - clock.now();
		cancel = clock.after(Math.max(0, next), checkArea);
	}
	function unsettle(watched: Watched): void {
		watched.movedAt = clock.now();
		if (!watched.isSettled) return;
		watched.isSettled = false;
		watched.place.onChange(false);
	}
	function measure(watched: Watched): void {
		const box = watched.place.box();
		if (isElsewhere(watched.box, box)) {
			watched.box = box;
			unsettle(watched);
		} else if (!watched.isSettled && clock.now() - watched.movedAt >= SETTLE_MS) {
			watched.isSettled = true;
			watched.place.onChange(true);
		}
	}
	function checkArea(): void {
		for (const watched of all) measure(watched);
		startTimer();
	}

	return {
		watch(area: DecisionArea): WatchedArea {
			const watched: Watched = { place: area, box: area.box(), movedAt: clock.now(), isSettled: false };
			all.add(watched);
			startTimer();
			return {
				isSettled() {
					measure(watched);
					startTimer();
					return watched.isSettled;
				},
				unsettle() {
					unsettle(watched);
					startTimer();
				},
				stop() {
					all.delete(watched);
					startTimer();
				},
			};
		},
		look: checkArea,
		/** The reader scrolled: accept all current positions. */
		follow() {
			for (const watched of all) watched.box = watched.place.box();
		},
	};
}
