import type { Judgement } from '#lib/gates/judge-hook.ts';
import type { Settings } from '#lib/settings/settings.ts';
import { denialsOf } from './hold-call.ts';
import type { HookRun } from './ports.ts';

const OFFER = 'If the call is needed, tell your user: a person can allow a retry of it in Signalbox.';

/**
 * Tells the agent with a denial that a person can allow a retry: where a server is there to ask and does not only observe,
 * the agent reads the reason, and a retry could be known as the same question.
 */
export function offerRetry(judgement: Judgement, run: HookRun, { observe }: Pick<Settings, 'observe'>): Judgement {
	const { decision } = judgement;
	if (!run.served || observe || decision?.decision !== 'deny' || decision.endsTurn) return judgement;
	if (denialsOf(judgement).some(({ fingerprint }) => fingerprint === undefined)) return judgement;
	return { ...judgement, decision: { ...decision, reason: `${decision.reason}. ${OFFER}` } };
}
