'use client';
import { useCallback, useState } from 'react';
import type { Recording } from '#lib/contract/archives/replay.ts';
import { useAnswer } from '../live/use-answer.ts';
import type { RecordingReads } from './recording-reads.ts';

/** While the server still reads a recording for the first time, it is asked so often (ms). */
const AGAIN_MS = 500;

/** What is known of an archive's sessions; `data` grows until all of them have been read. */
export function useRecording(reads: RecordingReads): { data: Recording | null; error: string | null } {
	const [isReading, setReading] = useState(true);
	const ask = useCallback(async () => {
		const answer = await reads.recording();
		setReading(answer.ok && answer.data.reading !== undefined);
		return answer;
	}, [reads]);
	return useAnswer(ask, isReading ? AGAIN_MS : undefined);
}
