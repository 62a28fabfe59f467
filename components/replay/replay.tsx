import type { ReactNode } from 'react';
import { useSay } from '../language/use-say.ts';
import { SessionNotesProvider } from '../session/notes/session-notes.tsx';
import { Select } from '../ui/select.tsx';
import { ChapterList } from './chapter-list.tsx';
import { RecordedReadings } from './recorded-readings.tsx';
import type { RecordingReads } from './recording-reads.ts';
import { ReplayAxis } from './replay-axis.tsx';
import { ReplayControls } from './replay-controls.tsx';
import { type Tape, useReplay } from './use-replay.ts';

/** Axis, chapters and controls of a recording, and below them a session as it was at the instant. */
export function Replay({ reads, tape, notes }: { reads: RecordingReads; tape: Tape; notes?: ReactNode }) {
	const say = useSay();
	const replay = useReplay(reads, tape);
	const { shown, instant, isAll, choose } = replay;
	const { sessions } = tape;
	return (
		<SessionNotesProvider sessionId={shown?.sessionId ?? ''} read={reads.notes}>
			<div className="flex min-w-0 flex-1 flex-col xl:min-h-0">
				<div className="flex shrink-0 flex-col border-line border-b md:max-h-55 md:flex-row">
					<div className="flex min-w-0 flex-1 flex-col gap-1 px-3 py-1">
						<ReplayControls replay={replay} />
						<ReplayAxis replay={replay} />
					</div>
					<ChapterList replay={replay} />
				</div>
				{notes}
				{sessions.length > 1 && (
					<div className="flex shrink-0 items-center gap-x-3 border-line border-b px-4 md:hidden">
						<span className="text-muted">{say('Session')}</span>
						<Select
							label={say('Session shown below')}
							value={shown?.sessionId ?? ''}
							onChoose={choose}
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
