'use client';
import { useEffect, useState } from 'react';
import { InstantContext } from '../live/now.ts';
import { SessionSourceContext, useSession } from '../live/session-source.ts';
import { StagePipeline } from '../session/stage-pipeline.tsx';
import { WorkflowLine } from '../session/workflow-line.tsx';
import { SessionReadings } from '../session-page/session-readings.tsx';
import { countAt, type RecordedSession } from './recorded-session.ts';
import { createRecordingSource } from './recording-source.ts';

interface RecordedReadingsProps {
	featureId: string;
	recording: RecordedSession;
	/** In ms. */
	instant: number;
	/** A whole recording is read from its start, an instant from what had just happened. */
	readsFrom: 'start' | 'end';
}

/** One recorded session as it stood at an instant (ms), with the same parts as a live one. */
export function RecordedReadings({ featureId, recording, instant, readsFrom }: RecordedReadingsProps) {
	const count = countAt(recording, instant);
	const [source] = useState(() => createRecordingSource(featureId, recording, count, readsFrom));
	useEffect(() => source.moveTo(recording, count), [source, recording, count]);
	return (
		<SessionSourceContext value={source}>
			<InstantContext value={instant}>
				<Readings sessionId={recording.sessionId} />
			</InstantContext>
		</SessionSourceContext>
	);
}

function Readings({ sessionId }: { sessionId: string }) {
	const view = useSession(sessionId, (session) => session.view);
	if (!view) return null;
	return (
		<div className="flex h-[85dvh] flex-col xl:h-auto xl:min-h-0 xl:flex-1">
			<div className="relative flex max-h-1/2 shrink-0 flex-col gap-1 overflow-y-auto border-line border-b px-4 py-1">
				<StagePipeline view={view} />
				<WorkflowLine view={view} />
			</div>
			<SessionReadings sessionId={sessionId} />
		</div>
	);
}
