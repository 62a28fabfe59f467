import { type ReactNode, useEffect, useRef } from 'react';
import { SessionNotesProvider } from '../session/notes/session-notes.tsx';
import { useNarrow } from '../ui/use-size.ts';
import { ChapterList } from './chapter-list.tsx';
import { RecordedReadings } from './recorded-readings.tsx';
import type { RecordingReads } from './recording-reads.ts';
import { ReplayAxis } from './replay-axis.tsx';
import { ReplayControls } from './replay-controls.tsx';
import { type Tape, useReplay } from './use-replay.ts';

/** Axis, chapters and controls of a recording, and below them a session as it was at the instant. */
export function Replay({ reads, tape, notes }: { reads: RecordingReads; tape: Tape; notes?: ReactNode }) {
	const replay = useReplay(reads, tape);
	const { shown, instant, isAll, chosen } = replay;
	const isNarrow = useNarrow();
	const readings = useRef<HTMLDivElement>(null);
	const chapter = chosen && `${chosen.sessionId} ${chosen.seq}`;
	// On a narrow screen the end of the story, where the chapter is, would stay below the controls.
	useEffect(() => {
		if (isNarrow && chapter) readings.current?.scrollIntoView({ block: 'end' });
	}, [isNarrow, chapter]);
	return (
		<SessionNotesProvider sessionId={shown?.sessionId ?? ''} read={reads.notes}>
			<div className="flex min-w-0 flex-1 flex-col xl:min-h-0">
				<div className="flex shrink-0 border-line border-b max-md:contents md:max-h-72">
					<div className="flex min-w-0 flex-1 flex-col gap-1 px-3 py-1 max-md:contents">
						<ReplayControls replay={replay} />
						<ReplayAxis replay={replay} />
					</div>
					<ChapterList replay={replay} />
				</div>
				{notes}
				<div ref={readings} className="flex h-[58dvh] scroll-mb-2 flex-col md:h-[85dvh] xl:h-auto xl:min-h-0 xl:flex-1">
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
			</div>
		</SessionNotesProvider>
	);
}
