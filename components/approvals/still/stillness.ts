/** An area accepts decisions only after it has been still this long (ms), enough time to see what it shows. */
export const STILL_MS = 600;

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
	onChange: (isStill: boolean) => void;
}

export interface WatchedArea {
	/** Measures the area now, and returns whether it has been still long enough. Also detects moves without an event. */
	isStill: () => boolean;
	restart: () => void;
	stop: () => void;
}

interface Watched {
	area: DecisionArea;
	box: Box;
	movedAt: number;
	isStill: boolean;
}

/** Whether an area moved on screen for another reason than scrolling of its ancestors. */
function hasMoved(one: Box, other: Box): boolean {
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
 * Keeps a double click on one spot from deciding two questions. An area that is new, or moved by anything but the reader's own
 * scrolling, counts as moving for STILL_MS. Small moves add up: each is compared with where it was last still.
 */
export function createStillness(clock: { now: () => number; after: (ms: number, run: () => void) => () => void }) {
	const all = new Set<Watched>();
	let cancel: (() => void) | undefined;

	function startTimer(): void {
		cancel?.();
		cancel = undefined;
		const moving = [...all].filter(({ isStill }) => !isStill);
		if (moving.length === 0) return;
		const next = Math.min(...moving.map(({ movedAt }) => movedAt)) + STILL_MS - clock.now();
		cancel = clock.after(Math.max(0, next), checkAll);
	}
	function restart(watched: Watched): void {
		watched.movedAt = clock.now();
		if (!watched.isStill) return;
		watched.isStill = false;
		watched.area.onChange(false);
	}
	function measure(watched: Watched): void {
		const box = watched.area.box();
		if (hasMoved(watched.box, box)) {
			watched.box = box;
			restart(watched);
		} else if (!watched.isStill && clock.now() - watched.movedAt >= STILL_MS) {
			watched.isStill = true;
			watched.area.onChange(true);
		}
	}
	function checkAll(): void {
		for (const watched of all) measure(watched);
		startTimer();
	}

	return {
		watch(area: DecisionArea): WatchedArea {
			const watched: Watched = { area, box: area.box(), movedAt: clock.now(), isStill: false };
			all.add(watched);
			startTimer();
			return {
				isStill() {
					measure(watched);
					startTimer();
					return watched.isStill;
				},
				restart() {
					restart(watched);
					startTimer();
				},
				stop() {
					all.delete(watched);
					startTimer();
				},
			};
		},
		checkAreas: checkAll,
		/** The reader scrolled: accept all current positions. */
		acceptScroll() {
			for (const watched of all) watched.box = watched.area.box();
		},
	};
}
