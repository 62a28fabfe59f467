import type { Note } from '#lib/contract/sessions/notes.ts';
import type { StageRun } from '#lib/contract/sessions/read-model/session-view.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { noteLine, spanOfNote } from '#lib/timeline/note-marks.ts';
import type { Span, TimeScale } from '#lib/timeline/time-scale.ts';
import { useSay } from '../language/use-say.ts';
import { useSessionParams } from '../row/search-params.ts';
import { useNotes } from '../session/notes/notes-context.ts';
import { AgentText } from '../ui/text/agent-text.tsx';

interface NoteRowProps {
	runs: readonly StageRun[];
	scale: TimeScale;
	view: Span;
	/** In ms: where a stage that runs ends for now. */
	now: number;
}

/** A mark is seen however short its time is, px. */
const LEAST_PX = 14;

/** What reviewers noted, where it lies in time; one on a row opens that row, others their own words. */
export function NoteRow({ runs, scale, view, now }: NoteRowProps) {
	const say = useSay();
	const { notes, open } = useNotes();
	const [, setParams] = useSessionParams();
	const placed = placedIn(notes, runs, view, now);
	if (placed.length === 0) return null;
	return (
		<ul aria-label={say('Notes')} className="relative h-6">
			{placed.map(({ note, span }) => {
				const left = Math.max(0, Math.min(scale.toX(span.from), scale.width - LEAST_PX));
				const { id, row, stage, from, to } = note;
				return (
					<li key={id}>
						<button
							type="button"
							title={visibleString(noteLine(note))}
							onClick={() => (row === undefined ? open({ stage, from, to }) : void setParams({ row }))}
							className="absolute top-0.5 h-5 overflow-hidden truncate rounded-xs border border-accent bg-selected px-0.5 text-left text-accent text-small leading-4 hover:bg-hover"
							style={{ left, width: Math.max(LEAST_PX, Math.min(scale.toX(span.to), scale.width) - left) }}
						>
							<span aria-hidden>✎ </span>
							<AgentText>{noteLine(note)}</AgentText>
						</button>
					</li>
				);
			})}
		</ul>
	);
}

function placedIn(notes: readonly Note[], runs: readonly StageRun[], view: Span, now: number) {
	return notes.flatMap((note) => {
		const span = spanOfNote(note, runs, now);
		return span && span.to >= view.from && span.from <= view.to ? [{ note, span }] : [];
	});
}

/** Whether the row has anything in view. */
export const hasNotesIn = (...where: Parameters<typeof placedIn>): boolean => placedIn(...where).length > 0;
