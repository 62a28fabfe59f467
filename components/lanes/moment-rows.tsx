import type { StageRun } from '#lib/contract/sessions/read-model/session-view.ts';
import type { Note } from '#lib/contract/sessions/session-actions.ts';
import type { Plain } from '#lib/messages/say.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { clockTime } from '#lib/time/clock.ts';
import type { Pin, PinKind } from '#lib/timeline/lanes.ts';
import { noteLine, spanOfNote } from '#lib/timeline/note-marks.ts';
import type { Span, TimeScale } from '#lib/timeline/time-scale.ts';
import { useSay } from '../language/use-say.ts';
import { useSessionParams } from '../row/search-params.ts';
import { useNotes } from '../session/notes/notes-context.ts';
import { cn } from '../ui/cn.ts';
import { AgentText } from '../ui/text/agent-text.tsx';
import { toneGlyph, toneText } from '../ui/tone.tsx';

/** Appearance of each kind, most important last. Denials, mismatches and decisions look as in the fleet. */
export const pinLooks: Record<PinKind, { glyph: string; word: Plain }> = {
	prompt: { glyph: '❯', word: 'prompt' },
	verdict: { glyph: '✓', word: 'verdict' },
	decision: { glyph: '⚑', word: 'decision of a person' },
	failure: { glyph: '▲', word: 'failure' },
	denial: { glyph: '✕', word: 'denied' },
	mismatch: { glyph: '≠', word: 'not in the plan' },
};
export const pinKinds = Object.keys(pinLooks) as PinKind[];

/** Width of a pin (px). Pins closer than this are merged. */
const PIN_PX = 16;

export function PinRow({ pins, scale, view }: { pins: readonly Pin[]; scale: TimeScale; view: Span }) {
	const say = useSay();
	const [{ row }, setParams] = useSessionParams();
	const drawn: { x: number; pins: [Pin, ...Pin[]] }[] = [];
	for (const pin of pins) {
		if (pin.at < view.from || pin.at > view.to) continue;
		const x = Math.min(scale.toX(pin.at), scale.width - PIN_PX / 2);
		const before = drawn.at(-1);
		if (before && x - before.x < PIN_PX) before.pins.push(pin);
		else drawn.push({ x, pins: [pin] });
	}
	return (
		<ul aria-label={say('Moments')} className="relative h-6">
			{drawn.map(({ x, pins: here }) => {
				const main = here.reduce((a, b) => (pinKinds.indexOf(b.kind) > pinKinds.indexOf(a.kind) ? b : a));
				const title = say.field(main, 'title');
				const values = { what: say(pinLooks[main.kind].word), title, at: clockTime(main.at) };
				const sentence = visibleString(
					here.length > 1
						? say('{what}: {title}, at {at}, and {count} more', { ...values, count: here.length - 1 })
						: say('{what}: {title}, at {at}', values),
				);
				return (
					<li key={`${main.row} ${main.kind}`}>
						<button
							type="button"
							aria-label={sentence}
							title={sentence}
							aria-current={here.some((pin) => pin.row === row) || undefined}
							onClick={() => void setParams({ row: main.row })}
							className={cn(
								'absolute top-0.5 h-5 w-4 -translate-x-1/2 rounded-xs text-center font-semibold leading-5 hover:bg-hover aria-current:outline-2 aria-current:outline-accent',
								toneText[main.tone],
							)}
							style={{ left: Math.max(PIN_PX / 2, x) }}
						>
							<span aria-hidden>{main.kind === 'verdict' ? toneGlyph[main.tone] : pinLooks[main.kind].glyph}</span>
						</button>
					</li>
				);
			})}
		</ul>
	);
}

interface NoteRowProps {
	runs: readonly StageRun[];
	scale: TimeScale;
	view: Span;
	/** In ms. A running stage is drawn up to this time. */
	now: number;
}

const MIN_WIDTH_PX = 14;

export function NoteRow({ runs, scale, view, now }: NoteRowProps) {
	const say = useSay();
	const { notes, open } = useNotes();
	const [, setParams] = useSessionParams();
	const placed = placedIn(notes, runs, view, now);
	if (placed.length === 0) return null;
	return (
		<ul aria-label={say('Notes')} className="relative h-6">
			{placed.map(({ note, span }) => {
				const left = Math.max(0, Math.min(scale.toX(span.from), scale.width - MIN_WIDTH_PX));
				const { id, row, stage, from, to } = note;
				return (
					<li key={id}>
						<button
							type="button"
							title={visibleString(noteLine(note))}
							onClick={() => (row === undefined ? open({ stage, from, to }) : void setParams({ row }))}
							className="absolute top-0.5 h-5 overflow-hidden truncate rounded-xs border border-accent bg-selected px-0.5 text-left text-accent text-small leading-4 hover:bg-hover"
							style={{ left, width: Math.max(MIN_WIDTH_PX, Math.min(scale.toX(span.to), scale.width) - left) }}
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

export const hasNotesIn = (...where: Parameters<typeof placedIn>): boolean => placedIn(...where).length > 0;
