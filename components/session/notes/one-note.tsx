import type { Note } from '#lib/contract/sessions/notes.ts';
import { clockTime, dayAndTime } from '#lib/time/clock.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';

/** One note with its author, its time, and what it is about where that is no row. */
export function OneNote({ note: { at, by, text, labels, stage, from, to } }: { note: Note }) {
	return (
		<div className="rounded border border-line bg-raised p-2">
			<p className="text-muted text-small">
				<AgentText>{by.name ?? by.via}</AgentText> · <time dateTime={at}>{dayAndTime(at)}</time>
				{stage !== undefined && (
					<>
						{' · '}
						<AgentText>{stage}</AgentText>
					</>
				)}
				{from !== undefined && to !== undefined && ` · ${clockTime(Date.parse(from))} – ${clockTime(Date.parse(to))}`}
			</p>
			{labels.length > 0 && (
				<p className="text-accent">
					<AgentText>{labels.map((label) => `#${label}`).join(' ')}</AgentText>
				</p>
			)}
			<AgentText className="whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</AgentText>
		</div>
	);
}
