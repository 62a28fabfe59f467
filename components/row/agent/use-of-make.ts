'use client';
import { useSummaries } from '../../live/use-summaries.ts';
import { useMakeParam } from './use-makes.ts';

/** The lines of a list that are of the make in the address, by their sessions; what is about no session is about every make. */
export function useOfMake<Line extends { sessionId?: string | undefined }>(lines: readonly Line[]): readonly Line[] {
	const [make] = useMakeParam();
	const sessions = useSummaries(make === null ? [] : lines.flatMap(({ sessionId }) => sessionId ?? []));
	if (make === null) return lines;
	const mine = new Set(sessions.filter(({ agent }) => agent === make).map(({ sessionId }) => sessionId));
	return lines.filter(({ sessionId }) => sessionId === undefined || mine.has(sessionId));
}
