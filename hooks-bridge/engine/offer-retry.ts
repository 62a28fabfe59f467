import type { Settings } from '#lib/settings/settings.ts';
import { isJson } from '../agents/claude-code/json.ts';
import { denialsOf } from './hold-call.ts';
import type { Judgement } from './judge-call.ts';
import type { HookRun } from './ports.ts';

const OFFER = 'If the call is needed, tell your user: a person can allow a retry of it in Signalbox.';

/**
 * Tells the agent with a denial that a person can allow a retry: where a server is there to ask and does not only observe, the agent reads the
 * reason (form `deny`), and a retry could be known as the same question.
 */
export function offerRetry(judgement: Judgement, run: HookRun, { observe }: Pick<Settings, 'observe'>): Judgement {
	const { form, output } = judgement;
	if (!run.served || observe || form !== 'deny' || !isJson(output?.hookSpecificOutput)) return judgement;
	if (denialsOf(judgement).some(({ fingerprint }) => fingerprint === undefined)) return judgement;
	const specific = output.hookSpecificOutput;
	const permissionDecisionReason = `${specific.permissionDecisionReason}. ${OFFER}`;
	return { ...judgement, output: { ...output, hookSpecificOutput: { ...specific, permissionDecisionReason } } };
}
