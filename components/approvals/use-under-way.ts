import { callRoute } from '../live/call-route.ts';
import { useAnswer } from '../live/use-answer.ts';
import { underWayWords } from '#lib/approvals/call-words.ts';

/** How often a waiting call is asked about; what asks within half of that shares an answer (ms). */
const AGAIN_MS = 2000;

const ask = () => callRoute('GET /api/hub/decisions');
let last: { at: number; answer: ReturnType<typeof ask> } | undefined;

function askTogether(): ReturnType<typeof ask> {
	const at = performance.now();
	if (!last || at - last.at > AGAIN_MS / 2) last = { at, answer: ask() };
	return last.answer;
}

/** Of a call that waits and is decided at a hub: that somebody has decided it, and the machine has not answered; else undefined. */
export function useUnderWay(approvalId: string, isWaiting: boolean): string | undefined {
	const { data } = useAnswer(isWaiting ? askTogether : null, AGAIN_MS);
	const found = data?.decisions.find(({ approval }) => approval === approvalId);
	return found && underWayWords(found);
}
