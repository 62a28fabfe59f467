'use client';
import { useEffect, useState } from 'react';
import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import { rowIn } from '#lib/timeline/row-window.ts';
import { useSession, useSessionSource } from '../live/session-source.ts';

interface FoundRow {
	row: Row | null;
	/** It lies outside the loaded stretch of the story. */
	isElsewhere: boolean;
}

/** A row by key: from the story where it is loaded, else asked for by `seq`, its first event's place. */
export function useRow(sessionId: string, key: string, seq: number | undefined): FoundRow {
	const { getRows } = useSessionSource();
	const loaded = useSession(sessionId, ({ window }) => rowIn(window.rows, key) ?? null);
	const [asked, setAsked] = useState<Row | null>(null);
	const isElsewhere = loaded === null && seq !== undefined;
	useEffect(() => {
		if (!isElsewhere) return;
		let current = true;
		void getRows(sessionId, { after: seq - 1, limit: 1 }).then((answer) => {
			if (current && answer.ok) setAsked(answer.data.rows[0] ?? null);
		});
		return () => {
			current = false;
		};
	}, [getRows, sessionId, seq, isElsewhere]);
	return { row: loaded ?? (asked?.key === key ? asked : null), isElsewhere };
}
