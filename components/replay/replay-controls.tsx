import { useEffect, useRef, useState } from 'react';
import type { ChapterKind, RecordedMoment } from '#lib/contract/archives/replay.ts';
import type { Plain } from '#lib/messages/say.ts';
import { stepChapter } from '#lib/replay/chapters.ts';
import { SPEEDS } from '#lib/replay/play-on.ts';
import { clockTime, dayWords, hourMinute, isSameDay } from '#lib/time/clock.ts';
import { useSay } from '../language/use-say.ts';
import { serverNow } from '../live/now.ts';
import { Button } from '../ui/button.tsx';
import { cn } from '../ui/cn.ts';
import { ariaKeys, shortcuts } from '../ui/keys/shortcuts.ts';
import { useShortcut } from '../ui/keys/use-shortcut.ts';
import { Select } from '../ui/select.tsx';
import type { RecordingReads } from './recording-reads.ts';
import type { ReplayState } from './use-replay.ts';

/** Includes decisions that did not override a denial. */
const jumps = [
	{ key: 'nextDenial', label: 'Next denial', kinds: ['denial'] },
	{ key: 'nextMismatch', label: 'Next mismatch', kinds: ['mismatch'] },
	{ key: 'nextDecision', label: 'Next decision', kinds: ['decision', 'override'] },
] as const;

export function ReplayControls({ replay }: { replay: ReplayState }) {
	const say = useSay();
	const { tape, instant, isAll, kinds } = replay;
	const { isPlaying, speed, setSpeed } = replay.player;
	const { from, to } = tape;
	const dayOf = (at: number) => dayWords(at, serverNow(), say.language);
	const steps = useSteps(replay);
	const moment = useMoment(replay.reads, isAll ? to : instant);
	const toggle = isPlaying ? replay.pause : replay.play;
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

	const step = (key: keyof typeof shortcuts, label: Plain, isOff: boolean, press: () => void, arrow?: '‹' | '›') => (
		<Button
			key={key}
			size={arrow ? 'icon' : 'small'}
			disabled={isOff}
			onClick={press}
			className={cn(arrow && 'md:size-6')}
			aria-label={say(label)}
			aria-keyshortcuts={ariaKeys(shortcuts[key])}
		>
			{arrow ?? say(label)}
		</Button>
	);
	return (
		<div className="flex items-center gap-2 max-md:contents">
			{/* On a phone it stays in sight, because the page is about the instant that it names. */}
			<div className="flex min-h-7 min-w-0 items-center gap-1 max-md:sticky max-md:top-0 max-md:z-20 max-md:h-11 max-md:border-line max-md:border-b max-md:bg-surface max-md:px-3 md:gap-2">
				{step('eventBack', '‹ Event', instant < from, () => steps.toEvent(-1), '‹')}
				<Button
					kind="primary"
					size="small"
					className="max-md:h-10 max-md:w-10 md:min-w-20"
					aria-keyshortcuts={ariaKeys(shortcuts.play)}
					onClick={toggle}
				>
					<span aria-hidden>{isPlaying ? '❚❚' : '▶'}</span>
					<span className="max-md:sr-only">{isPlaying ? say('Pause') : say('Play')}</span>
				</Button>
				{step('eventOn', 'Event ›', !isAll && instant >= to, () => steps.toEvent(1), '›')}
				<h2 className="px-1 font-semibold tabular-nums max-md:min-w-0 max-md:flex-1 max-md:leading-4 md:whitespace-nowrap">
					{isAll
						? say('The whole recording')
						: say('As it was on {day} at {time}', { day: dayOf(instant), time: clockTime(instant) })}
				</h2>
				<p className="min-w-0 truncate text-muted tabular-nums max-md:hidden">
					{isAll
						? `${dayOf(from)} ${hourMinute(from)} – ${isSameDay(from, to) ? '' : `${dayOf(to)} `}${hourMinute(to)}`
						: say('{happened} of {events} events', { happened: moment?.happened ?? '…', events: tape.events })}
				</p>
				{!isAll && (
					<Button kind="quiet" size="small" className="text-accent" onClick={replay.showAll}>
						<span className="max-md:sr-only">{say('Whole recording')}</span>
						<span aria-hidden className="md:hidden">
							✕
						</span>
					</Button>
				)}
			</div>
			<div className="flex shrink-0 gap-1 max-md:flex-wrap max-md:px-3 max-md:pt-1 md:ml-auto">
				<Select
					label={say('Speed')}
					value={String(speed)}
					choices={SPEEDS.map((each) => ({ value: String(each), label: `${each}×` }))}
					onChoose={(next) => setSpeed(SPEEDS.find((each) => String(each) === next) ?? speed)}
				/>
				{jumps
					.filter((jump) => jump.kinds.some((kind) => tape.chapters[kind]))
					.map(({ key, label, kinds: own }) => {
						const isOff = !isAll && !tape.marks.some(({ kind, at }) => isOf(own, kind) && at > instant);
						return step(key, label, isOff, () => steps.toChapter(1, own));
					})}
			</div>
		</div>
	);
}

const isOf = (kinds: readonly ChapterKind[], kind: ChapterKind) => kinds.includes(kind);

/** Position of an instant (ms) among all events; null until loaded. While the instant moves, the last one loaded. */
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

type Position = Pick<ReplayState, 'reads' | 'tape' | 'instant' | 'isAll' | 'chosen' | 'moveTo' | 'openInStep'>;
/** `at` is where the step starts (ms): before the beginning if the whole recording is shown. */
type Begun = Position & { at: number };

/** Steps to the next or previous event or chapter. Steps are queued, so fast clicks are not lost. */
function useSteps(position: Position) {
	const latest = useRef(position);
	/** Target of the last step until the page has rendered it. The next step starts from here. */
	const ahead = useRef<Pick<Position, 'instant' | 'isAll' | 'chosen'> | null>(null);
	const waiting = useRef(0);
	const { instant: shown, chosen: marked, isAll: whole } = latest.current;
	const isMoved = shown !== position.instant || marked?.seq !== position.chosen?.seq || whole !== position.isAll;
	if (isMoved && waiting.current === 0) ahead.current = null;
	latest.current = position;
	const last = useRef<Promise<unknown>>(Promise.resolve());

	const after = (step: (from: Begun, side: 1 | -1) => Promise<unknown>, side: 1 | -1) => {
		waiting.current += 1;
		last.current = last.current.then(async () => {
			const current = { ...latest.current, ...ahead.current };
			const { instant, tape, isAll } = current;
			try {
				await step({ ...current, at: isAll && side === 1 ? tape.from - 1 : instant }, side);
			} finally {
				waiting.current -= 1;
			}
		});
	};
	async function stepEvent({ reads, at, tape, moveTo }: Begun, side: 1 | -1) {
		const answer = await reads.moment(at);
		if (!answer.ok) return;
		const { previous, next } = answer.data;
		// A step back from the first event goes to the empty state before it.
		const to = side === 1 ? next : (previous ?? (at >= tape.from ? tape.from - 1 : null));
		if (to === null) return;
		ahead.current = { instant: to, isAll: false, chosen: undefined };
		await moveTo(to);
	}
	return {
		toEvent: (side: 1 | -1) => after(stepEvent, side),
		toChapter: (side: 1 | -1, kinds: readonly ChapterKind[]) =>
			after(async ({ reads, at, chosen, openInStep }) => {
				if (kinds.length === 0) return;
				const answer = await reads.chapters(at, kinds, AROUND);
				const chapter = answer.ok && stepChapter(answer.data, at, side, chosen);
				if (!chapter) return;
				ahead.current = { instant: chapter.at, isAll: false, chosen: chapter };
				await openInStep(chapter);
			}, side),
	};
}
