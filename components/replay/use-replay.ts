import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Chapter, ChapterKind, Recording, SessionOutline } from '#lib/contract/archives/replay.ts';
import type { StageRun } from '#lib/contract/sessions/read-model/session-view.ts';
import { playOn, type Speed } from '#lib/replay/play-on.ts';
import { busySpans, type Span } from '#lib/timeline/time-scale.ts';
import { useSessionParams } from '../row/search-params.ts';
import { useNarrow } from '../ui/use-size.ts';
import type { RecordingReads } from './recording-reads.ts';
import { useReplayParams } from './replay-params.ts';

/** All recorded sessions of a feature on one axis. Times are ms since the epoch. */
export interface Tape extends Span {
	events: number;
	busy: readonly Span[];
	/** In order of their start. */
	sessions: readonly SessionOutline[];
	/** Runs of each stage in all sessions, in order of the first start. */
	stages: readonly { stage: string; runs: readonly StageRun[] }[];
	chapters: Readonly<Partial<Record<ChapterKind, number>>>;
	marks: SessionOutline['marks'];
}

/** Combines recorded sessions on one axis. Returns null if none of them has an event. */
export function tapeSpans({ sessions }: Recording): Tape | null {
	if (sessions.length === 0) return null;
	const byStage = new Map<string, StageRun[]>();
	const runs = sessions.flatMap((session) => session.runs).sort((a, b) => a.from - b.from);
	for (const run of runs) byStage.set(run.stage, [...(byStage.get(run.stage) ?? []), run]);
	const chapters: Partial<Record<ChapterKind, number>> = {};
	for (const session of sessions) {
		for (const [kind, count] of Object.entries(session.chapters) as [ChapterKind, number][]) {
			chapters[kind] = (chapters[kind] ?? 0) + count;
		}
	}
	return {
		from: Math.min(...sessions.map(({ from }) => from)),
		to: Math.max(...sessions.map(({ to }) => to)),
		events: sessions.reduce((sum, { events }) => sum + events, 0),
		busy: busySpans(sessions.flatMap(({ busy }) => busy)),
		sessions: sessions.toSorted((a, b) => a.from - b.from),
		stages: [...byStage].map(([stage, own]) => ({ stage, runs: own })),
		chapters,
		marks: sessions.flatMap(({ marks }) => marks),
	};
}

export type ReplayState = ReturnType<typeof useReplay>;

/** Playback state of a recording and the functions that change it; passed unchanged to all parts of the page. */
export function useReplay(reads: RecordingReads, tape: Tape) {
	const [{ at: addressed, session, chapter, kinds, go }, setReplay] = useReplayParams();
	/** Position while playing. Not in the URL, because a URL change would cancel a page navigation in progress. */
	const [playedTo, setPlayedTo] = useState<number | null>(null);
	const [, setReading] = useSessionParams();
	const isNarrow = useNarrow();
	const { from, to: end, sessions } = tape;
	const at = playedTo ?? addressed;
	const isAll = at === null;
	const instant = Math.min(Math.max(at ?? end, from - 1), end);
	// Without a chosen session, show the last one that started before the instant.
	const begun = sessions.findLast((each) => !isAll && each.from <= instant) ?? sessions[0];
	const shown = sessions.find(({ sessionId }) => sessionId === session) ?? begun;
	const chosen =
		playedTo === null && session !== null && chapter !== null ? { sessionId: session, seq: chapter } : undefined;

	const player = usePlayer({
		busy: tape.busy,
		instant,
		end,
		onPlay: (to, isLast) => (isLast ? void moveInstant({ at: to, chapter: null }) : setPlayedTo(to)),
	});
	function moveInstant(to: Parameters<typeof setReplay>[0]) {
		setPlayedTo(null);
		return setReplay(to);
	}
	/** At the end, or if the whole recording is shown, playing starts from the beginning. */
	function play() {
		if (isAll || instant >= end) void moveInstant({ at: from, chapter: null });
		player.setPlaying(true);
	}
	function pause() {
		player.setPlaying(false);
		void moveInstant({ at: instant, chapter: null });
	}
	const moveTo = (to: number) => moveInstant({ at: Math.round(Math.min(to, end)), chapter: null });
	/** `row` is null for a step on narrow screens, where the detail sheet would cover the controls. */
	async function open(to: Chapter, row: string | null) {
		await Promise.all([
			moveInstant({ at: to.at, session: to.sessionId, chapter: to.seq }),
			setReading({ row, tab: 'story' }),
		]);
	}
	const goTo = useEffectEvent(async (kind: ChapterKind) => {
		const answer = await reads.chapters(from - 1, [kind], 1);
		const first = answer.ok ? answer.data.after[0] : undefined;
		await setReplay({ go: null });
		if (first) await open(first, isNarrow ? null : first.row);
	});
	useEffect(() => {
		if (go !== null) void goTo(go);
	}, [go]);
	return {
		...{ reads, tape, kinds, shown, chosen, player },
		/** In ms. The end, if the whole recording is shown. */
		instant,
		/** No instant is chosen: everything is shown. Playing and stepping forward start at the beginning. */
		isAll,
		...{ play, pause, moveTo, open },
		openInStep: (to: Chapter) => open(to, isNarrow ? null : to.row),
		showAll() {
			player.setPlaying(false);
			void moveInstant({ at: null, chapter: null });
		},
		choose: (sessionId: string) =>
			void Promise.all([setReplay({ session: sessionId, chapter: null }), setReading({ row: null, agent: null })]),
		setKinds: (next: ChapterKind[]) => void setReplay({ kinds: next }),
	};
}

/** Frame interval while playing (ms). Readers who prefer reduced motion get longer steps. */
const TICK_MS = 100;
const CALM_TICK_MS = 1_000;

interface Playing {
	busy: readonly Span[];
	instant: number;
	end: number;
	onPlay: (instant: number, isLast: boolean) => void;
}

/** Plays from the current instant, skipping idle time, until paused or at the end. */
function usePlayer({ busy, instant, end, onPlay }: Playing) {
	const [isPlaying, setPlaying] = useState(false);
	const [speed, setSpeed] = useState<Speed>(8);
	const latest = useRef(onPlay);
	const position = useRef({ exact: instant, shown: instant });
	// If the slider was moved while playing, continue from there.
	if (instant !== position.current.shown) position.current = { exact: instant, shown: instant };
	latest.current = onPlay;
	useEffect(() => {
		if (!isPlaying) return;
		const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
		let last = performance.now();
		const timer = setInterval(
			() => {
				const now = performance.now();
				const exact = playOn(busy, position.current.exact, now - last, speed);
				last = now;
				const isLast = exact >= end;
				const shown = isLast ? end : Math.round(exact);
				if (isLast) setPlaying(false);
				if (shown === position.current.shown && !isLast) position.current.exact = exact;
				else {
					position.current = { exact, shown };
					latest.current(shown, isLast);
				}
			},
			isCalm ? CALM_TICK_MS : TICK_MS,
		);
		return () => clearInterval(timer);
	}, [isPlaying, busy, end, speed]);
	return { isPlaying, setPlaying, speed, setSpeed };
}
