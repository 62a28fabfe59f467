import { useEffect, useRef, useState } from 'react';
import { playOn, type Speed } from '#lib/replay/play-on.ts';
import type { Span } from '#lib/timeline/time-scale.ts';

/** The picture changes so often while playing (ms); for readers who want little motion it moves in steps. */
const TICK_MS = 100;
const CALM_TICK_MS = 1_000;

interface Playing {
	busy: readonly Span[];
	/** Where the page stands, ms. */
	instant: number;
	/** The last instant of the recording, ms. */
	end: number;
	/** `isLast` says that playing ends there. */
	onPlay: (instant: number, isLast: boolean) => void;
}

/** Plays a recording on from where the page stands, idle time skipped, until it is paused or at its end. */
export function usePlayer({ busy, instant, end, onPlay }: Playing) {
	const [isPlaying, setPlaying] = useState(false);
	const [speed, setSpeed] = useState<Speed>(8);
	const latest = useRef({ instant, onPlay });
	const place = useRef({ exact: instant, shown: instant });
	// Whoever moves the slider while it plays goes on from there.
	if (instant !== place.current.shown) place.current = { exact: instant, shown: instant };
	latest.current = { instant, onPlay };
	useEffect(() => {
		if (!isPlaying) return;
		const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
		let last = performance.now();
		const timer = setInterval(
			() => {
				const now = performance.now();
				const exact = playOn(busy, place.current.exact, now - last, speed);
				last = now;
				const isLast = exact >= end;
				const shown = isLast ? end : Math.round(exact);
				if (isLast) setPlaying(false);
				if (shown === place.current.shown && !isLast) place.current.exact = exact;
				else {
					place.current = { exact, shown };
					latest.current.onPlay(shown, isLast);
				}
			},
			isCalm ? CALM_TICK_MS : TICK_MS,
		);
		return () => clearInterval(timer);
	}, [isPlaying, busy, end, speed]);
	return { isPlaying, setPlaying, speed, setSpeed };
}
