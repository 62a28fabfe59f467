import { callRoute } from '../../live/call-route.ts';
import { rowAddress } from '../../row/row-address.ts';

/** The address of a session as of an instant (ms): the row that had begun last by then. */
export async function addressAt(sessionId: string, at: number) {
	const until = new Date(at).toISOString();
	const answer = await callRoute('GET /api/sessions/:id/rows', {
		params: { id: sessionId },
		query: { until, limit: 1 },
	});
	return rowAddress(sessionId, answer.ok ? answer.data.rows.at(-1)?.key : undefined);
}
