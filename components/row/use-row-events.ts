import { useEffect, useState } from 'react';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import { useSessionSource } from '../live/session-source.ts';

interface RowEvents {
	key: string;
	events: IndexedEvent[] | null;
	error: string | null;
}

/** The events of one row, read again whenever `version` changes; what is on screen stays until the answer comes. */
export function useRowEvents(sessionId: string, key: string | null, version: unknown): RowEvents | null {
	const { getEvents } = useSessionSource();
	const [rowEvents, setRowEvents] = useState<RowEvents | null>(null);
	// biome-ignore lint/correctness/useExhaustiveDependencies: a new version means that there are more events.
	useEffect(() => {
		if (key === null) return;
		let current = true;
		void getEvents(sessionId, { row: key, limit: 1000 }).then((answer) => {
			if (!current) return;
			setRowEvents(
				answer.ok ? { key, events: answer.data.events, error: null } : { key, events: null, error: answer.message },
			);
		});
		return () => {
			current = false;
		};
	}, [sessionId, key, version]);
	return rowEvents?.key === key ? rowEvents : null;
}
