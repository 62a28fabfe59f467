import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import type { Chapter, ChapterKind } from '#lib/contract/archives/replay.ts';
import { useSay } from '../language/use-say.ts';
import { useSessionParams } from '../row/search-params.ts';
import { SessionNotesProvider } from '../session/notes/session-notes.tsx';
import { Select } from '../ui/select.tsx';
import { useNarrow } from '../ui/use-size.ts';
import { ChapterList } from './chapter-list.tsx';
import { RecordedReadings } from './recorded-readings.tsx';
import type { RecordingReads } from './recording-reads.ts';
import { ReplayAxis } from './replay-axis.tsx';
import { ReplayControls, usePlayer } from './replay-controls.tsx';
import { useReplayParams } from './replay-params.ts';
import { lastBegun, type Tape } from './tape.ts';

export function Replay({ reads, tape, notes }: { reads: RecordingReads; tape: Tape; notes?: ReactNode }) {
	const say = useSay();
	const [{ at: addressed, session, chapter, kinds, go }, setReplay] = useReplayParams();
	/** Apart from the address while it plays: an address that changes cuts off a page that is being opened. */
	const [playedTo, setPlayedTo] = useState<number | null>(null);
	const [, setReading] = useSessionParams();
	const isNarrow = useNarrow();
	const { from, to: end, sessions } = tape;
	const at = playedTo ?? addressed;
	const isAll = at === null;
	const instant = Math.min(Math.max(at ?? end, from - 1), end);
	const shown = sessions.find(({ sessionId }) => sessionId === session) ?? lastBegun(tape, isAll ? 0 : instant);
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
	async function choose(next: string) {
		await Promise.all([setReplay({ session: next, chapter: null }), setReading({ row: null, agent: null })]);
	}
	return (
		<SessionNotesProvider sessionId={shown?.sessionId ?? ''} read={reads.notes}>
			<div className="flex min-w-0 flex-1 flex-col xl:min-h-0">
				<div className="flex shrink-0 flex-col border-line border-b md:max-h-55 md:flex-row">
					<div className="flex min-w-0 flex-1 flex-col gap-1 px-3 py-1">
						<ReplayControls
							reads={reads}
							tape={tape}
							instant={instant}
							isAll={isAll}
							player={player}
							onPlay={play}
							onPause={pause}
							chosen={chosen}
							kinds={kinds}
							onMove={moveTo}
							onOpen={(to) => open(to, isNarrow ? null : to.row)}
							onShowAll={() => {
								player.setPlaying(false);
								void moveInstant({ at: null, chapter: null });
							}}
						/>
						<ReplayAxis
							tape={tape}
							instant={instant}
							isAll={isAll}
							shown={shown?.sessionId}
							kinds={kinds}
							onMove={(to) => void moveTo(to)}
							onChoose={(next) => void choose(next)}
						/>
					</div>
					<ChapterList
						reads={reads}
						tape={tape}
						instant={isAll ? null : instant}
						chosen={chosen}
						kinds={kinds}
						onKinds={(next: ChapterKind[]) => void setReplay({ kinds: next })}
						onOpen={(to) => void open(to, to.row)}
					/>
				</div>
				{notes}
				{sessions.length > 1 && (
					<div className="flex shrink-0 items-center gap-x-3 border-line border-b px-4">
						<span className="text-muted">{say('Session')}</span>
						<Select
							label={say('Session shown below')}
							value={shown?.sessionId ?? ''}
							onChoose={(next) => void choose(next)}
							choices={sessions.map(({ sessionId }) => ({ value: sessionId, label: sessionId }))}
						/>
					</div>
				)}
				{shown && (
					<RecordedReadings
						key={`${shown.sessionId} ${isAll}`}
						reads={reads}
						outline={shown}
						instant={instant}
						readsFrom={isAll ? 'start' : 'end'}
					/>
				)}
			</div>
		</SessionNotesProvider>
	);
}
