'use client';
import { useEffect, useState } from 'react';
import type { SessionOutline } from '#lib/contract/archives/replay.ts';
import { useSay } from '../language/use-say.ts';
import { InstantContext } from '../live/now.ts';
import { SessionSourceContext, useSession } from '../live/session-source.ts';
import { StagePipeline } from '../session/stage-pipeline.tsx';
import { WorkflowLine } from '../session/workflow-line.tsx';
import { SessionReadings } from '../session-page/session-readings.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { holds } from './loaded-parts.ts';
import type { RecordingReads } from './recording-reads.ts';
import { createRecordingSource } from './recording-source.ts';
import { useParts } from './use-parts.ts';

interface RecordedReadingsProps {
	reads: RecordingReads;
	outline: SessionOutline;
	/** In ms. */
	instant: number;
	/** A whole recording is read from its start, an instant from what had just happened. */
	readsFrom: 'start' | 'end';
}

/** One recorded session as it stood at an instant (ms), with the same parts as a live one. */
export function RecordedReadings({ reads, outline, instant, readsFrom }: RecordedReadingsProps) {
	const say = useSay();
	const { part, error } = useParts(reads, outline.sessionId, instant);
	const [source] = useState(() => createRecordingSource(reads, outline, readsFrom));
	// What is on screen stays, with its own instant, until the right part is here.
	const [shownAt, setShownAt] = useState(instant);
	const isHere = part !== null && holds(part, instant);
	useEffect(() => {
		if (!part || !isHere) return;
		source.moveTo(part, instant);
		setShownAt(instant);
	}, [source, part, isHere, instant]);
	return (
		<SessionSourceContext value={source}>
			<InstantContext value={shownAt}>
				{error && (
					<p role="alert" className="border-line border-b px-4 py-1 text-warn">
						{say('{error} What was read until then is shown.', { error })}
					</p>
				)}
				<Readings sessionId={outline.sessionId} />
			</InstantContext>
		</SessionSourceContext>
	);
}

function Readings({ sessionId }: { sessionId: string }) {
	const say = useSay();
	const view = useSession(sessionId, (session) => session.view);
	if (!view) return <Skeleton label={say('The recorded session is loading')} />;
	return (
		<section aria-label={sessionId} className="flex h-[85dvh] flex-col xl:h-auto xl:min-h-0 xl:flex-1">
			<div className="flex shrink-0 border-line border-b px-4">
				<WorkflowLine view={view}>
					<StagePipeline view={view} />
				</WorkflowLine>
			</div>
			<SessionReadings sessionId={sessionId} />
		</section>
	);
}
