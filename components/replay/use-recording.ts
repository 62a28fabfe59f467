'use client';
import { useCallback, useState } from 'react';
import type { Recording } from '#lib/contract/replay.ts';
import { callRoute } from '../live/call-route.ts';
import { useAnswer } from '../live/use-answer.ts';

/** While the server still reads a recording for the first time, it is asked so often (ms). */
const AGAIN_MS = 500;

/** What is known of an archive's sessions; `data` grows until all of them have been read. */
export function useRecording(featureId: string): { data: Recording | null; error: string | null } {
	const [isReading, setReading] = useState(true);
	const ask = useCallback(async () => {
		const answer = await callRoute('GET /api/features/:id/recording', { params: { id: featureId } });
		setReading(answer.ok && answer.data.reading !== undefined);
		return answer;
	}, [featureId]);
	return useAnswer(ask, isReading ? AGAIN_MS : undefined);
}
