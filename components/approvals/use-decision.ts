'use client';
import { useState } from 'react';
import type { DecisionBody } from '#lib/contract/http.ts';
import { decide } from '../live/api.ts';

/** How a decision of this reader stands. */
export type DecisionState =
	| { step: 'open' }
	| { step: 'sending'; decision: DecisionBody['decision'] }
	| { step: 'done'; decision: DecisionBody['decision'] }
	| { step: 'refused'; message: string };

const explained: Record<number, string> = {
	401: 'You are signed out. Run “signalbox open” for a fresh link; nothing was decided.',
	403: 'This sign-in may look but not decide. Nothing was changed.',
	409: 'Somebody else has already decided this. Their answer stands.',
	410: 'Too late: the agent no longer waits. The denial stands; it may ask again.',
};

/** Sends one decision and keeps what came of it. */
export function useDecision(approvalId: string) {
	const [state, setState] = useState<DecisionState>({ step: 'open' });
	async function send(body: DecisionBody): Promise<void> {
		setState({ step: 'sending', decision: body.decision });
		const answer = await decide(approvalId, body);
		if (answer.ok) setState({ step: 'done', decision: body.decision });
		else setState({ step: 'refused', message: wordsFor(answer.status, answer.code) ?? answer.message });
	}
	return { state, send };
}

/** A missing passkey says what it is by itself. */
function wordsFor(status: number, code: string): string | undefined {
	return code.startsWith('passkey/') ? undefined : explained[status];
}
