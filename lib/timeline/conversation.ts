import { type CallView, outcomeOf } from '../session/call.ts';
import type { Row } from '../session/row.ts';

/** A turn of a conversation: what a person or an agent said, or how much was done between two such. */
export type Turn =
	| { kind: 'said'; key: string; row: Row; by: 'person' | 'agent' }
	| { kind: 'work'; key: string; calls: number; failed: number; denied: number; first: Row };

const SAID: ReadonlyMap<string, 'person' | 'agent'> = new Map([
	['prompt:submit', 'person'],
	['message:show', 'agent'],
	['agent:complete', 'agent'],
	['supervisor:verdict', 'agent'],
]);

/** A story as a conversation: prompts, messages, reports and verdicts, and between them what the calls came to. */
export function conversationOf(rows: readonly Row[]): Turn[] {
	const turns: Turn[] = [];
	for (const row of rows) {
		const by = SAID.get(row.type);
		const last = turns.at(-1);
		if (by !== undefined && row.title !== '') turns.push({ kind: 'said', key: row.key, row, by });
		else if (row.call && last?.kind === 'work') turns[turns.length - 1] = workAfter(last, row.call);
		else if (row.call)
			turns.push(
				workAfter({ kind: 'work', key: `work:${row.key}`, first: row, calls: 0, failed: 0, denied: 0 }, row.call),
			);
	}
	return turns;
}

function workAfter(work: Extract<Turn, { kind: 'work' }>, call: CallView): Turn {
	const outcome = outcomeOf(call);
	return {
		...{ ...work, calls: work.calls + 1 },
		failed: work.failed + (outcome === 'failed' ? 1 : 0),
		denied: work.denied + (outcome === 'stopped' ? 1 : 0),
	};
}
