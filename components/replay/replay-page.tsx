import { useCallback, useMemo, useState } from 'react';
import type { FeatureDetail } from '#lib/contract/archives/features.ts';
import type { Recording } from '#lib/contract/archives/replay.ts';
import { useSay } from '../language/use-say.ts';
import { useAnswer } from '../live/use-answer.ts';
import { Alert, Skeleton } from '../ui/answer-state.tsx';
import { type RecordingReads, servedRecording } from './recording-reads.ts';
import { Replay } from './replay.tsx';
import { tapeSpans } from './use-replay.ts';

export function ReplayPage({ detail }: { detail: FeatureDetail }) {
	const say = useSay();
	const { feature, manifest } = detail;
	const reads = useMemo(() => servedRecording(feature.id), [feature.id]);
	const { data, error } = useRecording(reads);
	const tape = useMemo(() => data && tapeSpans(data), [data]);
	if (!manifest?.sessions.length)
		return <p className="p-4 text-muted">{say('No session was kept with this feature.')}</p>;
	const reading = data?.reading;
	const failures = data?.failed ?? [];
	const notes = (
		<>
			<Alert className="border-line border-b px-4 py-1">
				{error ?? failures.map((failure) => `${failure.sessionId}: ${say.field(failure, 'reason')}`).join(' ')}
			</Alert>
			{reading !== undefined && (
				<p role="status" className="border-line border-b px-4 py-1 text-muted">
					{say('Read for the first time: {share} %', { share: Math.floor(reading * 100) })}
				</p>
			)}
		</>
	);
	if (tape) return <Replay reads={reads} tape={tape} notes={notes} />;
	if (!data && !error) return <Skeleton label={say('The recorded sessions are loading')} />;
	return (
		<>
			{notes}
			{reading === undefined && !error && failures.length === 0 && (
				<p className="p-4 text-muted">{say('The kept sessions hold no events.')}</p>
			)}
		</>
	);
}

/** Poll interval (ms) while the server reads a recording for the first time. */
const REFRESH_MS = 500;

/** The sessions of an archive read so far. `data` grows until all of them are read. */
function useRecording(reads: RecordingReads): { data: Recording | null; error: string | null } {
	const [isReading, setReading] = useState(true);
	const ask = useCallback(async () => {
		const answer = await reads.recording();
		setReading(answer.ok && answer.data.reading !== undefined);
		return answer;
	}, [reads]);
	return useAnswer(ask, isReading ? REFRESH_MS : undefined);
}
