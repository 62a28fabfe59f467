/** A journal row as far as the history of an approval or a grant needs it. */
export interface HistoryRow {
	kind: string;
	ts: string;
	sessionId?: string;
	payload: Record<string, unknown>;
}
