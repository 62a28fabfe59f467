import type { HookDecision } from '#lib/contract/events/catalogue/judgement.ts';
import { isJson, type Json } from '#lib/json/json.ts';

const MAX_TEXT = 64 * 1024;

/** An empty text is one, too: a reviewer may have nothing to say. */
const wordsOf = (value: unknown) => (typeof value === 'string' ? value.slice(0, MAX_TEXT) : undefined);

/** The way back: what printed JSON says to this client. Older versions recorded their verdicts so. Total. */
export function readPrinted(output: Json): HookDecision {
	const specific = isJson(output.hookSpecificOutput) ? output.hookSpecificOutput : {};
	const permission = specific.permissionDecision;
	const reason = wordsOf(specific.permissionDecisionReason) ?? wordsOf(output.reason);
	const message = wordsOf(output.systemMessage);
	const context = wordsOf(specific.additionalContext);
	const texts = {
		...(reason !== undefined && { reason }),
		...(message !== undefined && { message }),
		...(context !== undefined && { context }),
	};
	const stops = output.continue === false;
	if (permission === 'deny') return { decision: 'deny', ...texts, ...(stops && { endsTurn: true }) };
	// What says both may be read either way: nothing can be made of it.
	if (permission === 'allow' && (stops || output.decision === 'block')) return { decision: 'pass' };
	if (permission === 'allow') {
		const input = isJson(specific.updatedInput) ? { input: specific.updatedInput } : {};
		return { decision: 'allow', ...texts, ...input };
	}
	if (permission === 'ask') return { decision: 'ask', ...texts };
	if (stops) return { decision: 'deny', ...texts, endsTurn: true };
	return { decision: output.decision === 'block' ? 'deny' : 'pass', ...texts };
}
