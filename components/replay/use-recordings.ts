'use client';
import { useEffect, useState } from 'react';
import { callRoute } from '../live/call-route.ts';
import { emptyRecording, type RecordedSession, withEvents } from './recorded-session.ts';

const PAGE = 1000;
/** Pages that are read between two pictures of the growing recording. */
const SHOW_EVERY = 10;

/** What has been read of an archived feature's sessions. */
export interface Recordings {
	sessions: readonly RecordedSession[];
	isWhole: boolean;
	/** Why reading ended early; what was read is kept. */
	error: string | null;
}

/** Reads the kept events of all sessions of a feature, one page after the other, and folds them as they come. */
export function useRecordings(featureId: string, sessionIds: readonly string[]): Recordings {
	const [recordings, setRecordings] = useState<Recordings>({ sessions: [], isWhole: false, error: null });
	const ids = sessionIds.join(' ');
	useEffect(() => {
		let current = true;
		void readAll(featureId, ids === '' ? [] : ids.split(' '), (next) => {
			if (current) setRecordings(next);
			return current;
		});
		return () => {
			current = false;
		};
	}, [featureId, ids]);
	return recordings;
}

async function readAll(featureId: string, ids: readonly string[], show: (found: Recordings) => boolean): Promise<void> {
	const done: RecordedSession[] = [];
	for (const sessionId of ids) {
		let recording = emptyRecording(sessionId);
		for (let page = 1; ; page++) {
			const answer = await callRoute('GET /api/features/:id/sessions/:sessionId/events', {
				params: { id: featureId, sessionId },
				query: { after: recording.events.length, limit: PAGE },
			});
			if (!answer.ok) return void show({ sessions: [...done, recording], isWhole: false, error: answer.message });
			recording = withEvents(recording, answer.data.events);
			if (answer.data.events.length < PAGE) break;
			if (page % SHOW_EVERY === 0 && !show({ sessions: [...done, recording], isWhole: false, error: null })) return;
		}
		done.push(recording);
	}
	show({ sessions: done, isWhole: true, error: null });
}
