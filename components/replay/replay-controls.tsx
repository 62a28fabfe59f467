import { useEffect, useRef, useState } from 'react';
import type { Chapter, ChapterKind, RecordedMoment } from '#lib/contract/archives/replay.ts';
import { stepChapter } from '#lib/replay/chapters.ts';
import { playOn, SPEEDS, type Speed } from '#lib/replay/play-on.ts';
import { clockTime, hourMinute, isSameDay } from '#lib/time/clock.ts';
import type { Span } from '#lib/timeline/time-scale.ts';
import { useSay } from '../language/use-say.ts';
import { Button } from '../ui/button.tsx';
import { ariaKeys, shortcuts } from '../ui/keys/shortcuts.ts';
import { useShortcut } from '../ui/keys/use-shortcut.ts';
import { Select } from '../ui/select.tsx';
import type { RecordingReads } from './recording-reads.ts';
import type { Tape } from './tape.ts';

interface ReplayControlsProps {
	reads: RecordingReads;
	tape: Tape;
	instant: number;
	/** No instant was chosen: steps forward and playing begin at the start, steps back at the end. */
	isAll: boolean;
	player: ReturnType<typeof usePlayer>;
	onPlay: () => void;
	onPause: () => void;
	chosen: { sessionId: string; seq: number } | undefined;
	kinds: readonly ChapterKind[];
	onMove: (instant: number) => Promise<unknown>;
	onOpen: (chapter: Chapter) => Promise<unknown>;
	onShowAll: () => void;
}

const dayOf = (at: number) => new Date(at).toLocaleDateString('en-CA');

/** A person's decision is one whether or not it overrode a denial. */
const jumps = [
	{ key: 'nextDenial', label: 'Next denial', kinds: ['denial'] },
	{ key: 'nextMismatch', label: 'Next mismatch', kinds: ['mismatch'] },
	{ key: 'nextDecision', label: 'Next decision', kinds: ['decision', 'override'] },
] as const;

export function ReplayControls(props: ReplayControlsProps) {
	const say = useSay();
	const { reads, tape, instant, isAll, player, onPlay, onPause, chosen, kinds, onMove, onOpen, onShowAll } = props;
	const { isPlaying, speed, setSpeed } = player;
	const { from, to } = tape;
	const steps = useSteps({ reads, instant, from, isAll, chosen, onMove, onOpen });
	const moment = useMoment(reads, isAll ? to : instant);
	const toggle = isPlaying ? onPause : onPlay;
	const stepSpeed = (by: 1 | -1) => setSpeed((now) => SPEEDS[SPEEDS.indexOf(now) + by] ?? now);
	useShortcut('play', toggle);
	useShortcut('slower', () => stepSpeed(-1));
	useShortcut('faster', () => stepSpeed(1));
	useShortcut('eventBack', () => steps.toEvent(-1));
	useShortcut('eventOn', () => steps.toEvent(1));
	useShortcut('chapterBack', () => steps.toChapter(-1, kinds));
	useShortcut('chapterOn', () => steps.toChapter(1, kinds));
	useShortcut('nextDenial', () => steps.toChapter(1, jumps[0].kinds));
	useShortcut('nextMismatch', () => steps.toChapter(1, jumps[1].kinds));
	useShortcut('nextDecision', () => steps.toChapter(1, jumps[2].kinds));

	return (
		<div className="flex min-h-7 flex-wrap items-center gap-x-2 gap-y-1">
			<Button
				kind="primary"
				size="small"
				className="min-w-20"
				aria-keyshortcuts={ariaKeys(shortcuts.play)}
				onClick={toggle}
			>
				<span aria-hidden>{isPlaying ? '❚❚' : '▶'}</span>
				{isPlaying ? say('Pause') : say('Play')}
			</Button>
			<Select
				label={say('Speed')}
				value={String(speed)}
				choices={SPEEDS.map((each) => ({ value: String(each), label: `${each}×` }))}
				onChoose={(next) => setSpeed(SPEEDS.find((each) => String(each) === next) ?? speed)}
			/>
			<h2 className="font-semibold tabular-nums">
				{isAll
					? say('The whole recording')
					: say('As it was on {day} at {time}', { day: dayOf(instant), time: clockTime(instant) })}
			</h2>
			<p className="text-muted tabular-nums">
				{isAll
					? `${dayOf(from)} ${hourMinute(from)} – ${isSameDay(from, to) ? '' : `${dayOf(to)} `}${hourMinute(to)}`
					: say('{happened} of {events} events', { happened: moment?.happened ?? '…', events: tape.events })}
			</p>
			{!isAll && (
				<Button size="small" onClick={onShowAll}>
					{say('Show the whole')}
				</Button>
			)}
			<span className="flex flex-wrap gap-1 md:ml-auto">
				<Button
					size="small"
					disabled={instant < from}
					aria-keyshortcuts={ariaKeys(shortcuts.eventBack)}
					onClick={() => steps.toEvent(-1)}
				>
					{say('‹ Event')}
				</Button>
				<Button
					size="small"
					disabled={!isAll && instant >= to}
					aria-keyshortcuts={ariaKeys(shortcuts.eventOn)}
					onClick={() => steps.toEvent(1)}
				>
					{say('Event ›')}
				</Button>
				{jumps.map(
					(jump) =>
						jump.kinds.some((kind) => tape.chapters[kind]) && (
							<Button
								key={jump.key}
								size="small"
								disabled={!isAll && !tape.marks.some(({ kind, at }) => isOf(jump.kinds, kind) && at > instant)}
								aria-keyshortcuts={ariaKeys(shortcuts[jump.key])}
								onClick={() => steps.toChapter(1, jump.kinds)}
							>
								{say(jump.label)}
							</Button>
						),
				)}
			</span>
		</div>
	);
}

const isOf = (kinds: readonly ChapterKind[], kind: ChapterKind) => kinds.includes(kind);

/** Where an instant (ms) stands among all events: the last that is known, while it moves. Null before the first answer. */
function useMoment(reads: RecordingReads, instant: number): RecordedMoment | null {
	const [known, setKnown] = useState<{ at: number; moment: RecordedMoment } | null>(null);
	const isBusy = useRef(false);
	useEffect(() => {
		if (known?.at === instant || isBusy.current) return;
		isBusy.current = true;
		void reads.moment(instant).then((answer) => {
			isBusy.current = false;
			if (answer.ok) setKnown({ at: instant, moment: answer.data });
		});
	}, [reads, instant, known]);
	return known?.moment ?? null;
}

const AROUND = 50;

interface ReplayPosition {
	reads: RecordingReads;
	instant: number;
	/** The first instant, ms; of a whole recording steps forward begin before it. */
	from: number;
	isAll: boolean;
	chosen: { sessionId: string; seq: number } | undefined;
	onMove: (instant: number) => Promise<unknown>;
	onOpen: (chapter: Chapter) => Promise<unknown>;
}

/** Steps from where the page stands to other instants, one after another however fast they are asked for. */
function useSteps(position: ReplayPosition) {
	const latest = useRef(position);
	/** Where a step has led that the page has not drawn yet: the next one begins there. */
	const ahead = useRef<Pick<ReplayPosition, 'instant' | 'isAll' | 'chosen'> | null>(null);
	const waiting = useRef(0);
	const { instant: shown, chosen: marked, isAll: whole } = latest.current;
	const isMoved = shown !== position.instant || marked?.seq !== position.chosen?.seq || whole !== position.isAll;
	if (isMoved && waiting.current === 0) ahead.current = null;
	latest.current = position;
	const last = useRef<Promise<unknown>>(Promise.resolve());

	const after = (step: (from: ReplayPosition & { at: number }, side: 1 | -1) => Promise<unknown>, side: 1 | -1) => {
		waiting.current += 1;
		last.current = last.current.then(async () => {
			const current = { ...latest.current, ...ahead.current };
			const { instant, from, isAll } = current;
			try {
				await step({ ...current, at: isAll && side === 1 ? from - 1 : instant }, side);
			} finally {
				waiting.current -= 1;
			}
		});
	};
	async function stepEvent({ reads, at, from, onMove }: ReplayPosition & { at: number }, side: 1 | -1) {
		const answer = await reads.moment(at);
		if (!answer.ok) return;
		const { previous, next } = answer.data;
		// A step back from the first event shows what was before it: nothing.
		const to = side === 1 ? next : (previous ?? (at >= from ? from - 1 : null));
		if (to === null) return;
		ahead.current = { instant: to, isAll: false, chosen: undefined };
		await onMove(to);
	}
	return {
		toEvent: (side: 1 | -1) => after(stepEvent, side),
		toChapter: (side: 1 | -1, kinds: readonly ChapterKind[]) =>
			after(async ({ reads, at, chosen, onOpen }) => {
				if (kinds.length === 0) return;
				const answer = await reads.chapters(at, kinds, AROUND);
				const chapter = answer.ok && stepChapter(answer.data, at, side, chosen);
				if (!chapter) return;
				ahead.current = { instant: chapter.at, isAll: false, chosen: chapter };
				await onOpen(chapter);
			}, side),
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
export function usePlayer({ busy, instant, end, onPlay }: Playing) {
	const [isPlaying, setPlaying] = useState(false);
	const [speed, setSpeed] = useState<Speed>(8);
	const latest = useRef({ instant, onPlay });
	const position = useRef({ exact: instant, shown: instant });
	// Whoever moves the slider while it plays goes on from there.
	if (instant !== position.current.shown) position.current = { exact: instant, shown: instant };
	latest.current = { instant, onPlay };
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
					latest.current.onPlay(shown, isLast);
				}
			},
			isCalm ? CALM_TICK_MS : TICK_MS,
		);
		return () => clearInterval(timer);
	}, [isPlaying, busy, end, speed]);
	return { isPlaying, setPlaying, speed, setSpeed };
}
