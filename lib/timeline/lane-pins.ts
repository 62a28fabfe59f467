import type { Tone } from '../contract/events/event-labels.ts';
import { isDenied, outcomeOf } from '../session/call.ts';
import { expectedWords } from '../session/event-title.ts';
import type { Row } from '../session/row.ts';

/** What a pin stands for: an instant that a reader of lanes looks for. */
export type PinKind = 'prompt' | 'denial' | 'mismatch' | 'decision' | 'verdict' | 'failure';

/** An instant with its row. */
export interface Pin {
	kind: PinKind;
	/** ms since the epoch. */
	at: number;
	row: string;
	tone: Tone;
	/** Agent text. */
	title: string;
}

/** The pins of the loaded rows, ascending by instant. A call has one for its denial and one for what a person decided. */
export function pinsOf(rows: readonly Row[]): Pin[] {
	return rows.flatMap(pinsOfRow).sort((a, b) => a.at - b.at);
}

function pinsOfRow(row: Row): Pin[] {
	const pin = (kind: PinKind, tone: Tone, title = row.title, at = row.at): Pin => ({
		...{ kind, tone, title, row: row.key },
		at: Date.parse(at),
	});
	const { call } = row;
	if (call) {
		const denied = call.verdicts.find(({ decision }) => decision === 'deny');
		const { mismatch, approval } = call;
		const title = denied ? denied.reason : row.title;
		const isDecided = approval?.decidedAt !== undefined && !approval.unverified;
		return [
			...(mismatch ? [pin('mismatch', 'err', expectedWords(mismatch))] : []),
			...(denied && !mismatch && isDenied(call) && outcomeOf(call) !== 'waiting' ? [pin('denial', 'err', title)] : []),
			...(isDecided ? [pin('decision', approval.state === 'approved' ? 'ok' : 'err', title, approval.decidedAt)] : []),
		];
	}
	switch (row.type) {
		case 'prompt:submit':
			return [pin('prompt', 'plain')];
		case 'supervisor:verdict':
		case 'validator:assessment':
			return [pin('verdict', row.tone)];
		case 'stage:complete':
			return row.tone === 'plain' ? [] : [pin('verdict', row.tone)];
		case 'command:block':
			return [pin('denial', 'err')];
		case 'error:fatal':
		case 'workflow:abort':
		case 'agent:error':
		case 'session:lost':
			return [pin('failure', 'err')];
		default:
			return [];
	}
}
