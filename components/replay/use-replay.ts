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
	/** The first begun first. */
	sessions: readonly SessionOutline[];
	/** The runs of each stage in all sessions, in the order in which stages were first begun. */
	stages: readonly { stage: string; runs: readonly StageRun[] }[];
	chapters: Readonly<Partial<Record<ChapterKind, number>>>;
	marks: SessionOutline['marks'];
}

/** Puts what is known of recorded sessions on one axis; null where none of them has an event. */
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

/** Where a recording stands, and how it is moved; handed on whole to all that show it. */
export function useReplay(reads: RecordingReads, tape: Tape) {
	const [{ at: addressed, session, chapter, kinds, go }, setReplay] = useReplayParams();
	/** Apart from the address while it plays: an address that changes cuts off a page that is being opened. */
	const [playedTo, setPlayedTo] = useState<number | null>(null);
	const [, setReading] = useSessionParams();
	const isNarrow = useNarrow();
	const { from, to: end, sessions } = tape;
	const at = playedTo ?? addressed;
	const isAll = at === null;
	const instant = Math.min(Math.max(at ?? end, from - 1), end);
	// Else the session that was begun last by then.
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
	/** From the end, and from the whole, it plays from the start. */
	function play() {
		if (isAll || instant >= end) void moveInstant({ at: from, chapter: null });
		player.setPlaying(true);
	}
	function pause() {
		player.setPlaying(false);
		void moveInstant({ at: instant, chapter: null });
	}
	const moveTo = (to: number) => moveInstant({ at: Math.round(Math.min(to, end)), chapter: null });
	/** Where the detail is a sheet over the controls, a step leaves it closed. */
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
		/** In ms; of the whole recording its end. */
		instant,
		/** No instant was chosen: all of it is shown. Steps forward and playing begin at the start, steps back at the end. */
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

/** The picture changes so often while playing (ms); for readers who want little motion it moves in steps. */
const TICK_MS = 100;
const CALM_TICK_MS = 1_000;

interface Playing {
	busy: readonly Span[];
	instant: number;
	end: number;
	onPlay: (instant: number, isLast: boolean) => void;
}

/** Plays a recording on from where the page stands, idle time skipped, until it is paused or at its end. */
function usePlayer({ busy, instant, end, onPlay }: Playing) {
	const [isPlaying, setPlaying] = useState(false);
	const [speed, setSpeed] = useState<Speed>(8);
	const latest = useRef(onPlay);
	const position = useRef({ exact: instant, shown: instant });
	// Whoever moves the slider while it plays goes on from there.
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
