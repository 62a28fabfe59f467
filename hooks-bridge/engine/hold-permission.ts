import type { HookAt } from '#lib/agents/agent-hook.ts';
import type { HookDecision } from '#lib/contract/events/catalogue/judgement.ts';
import { printable } from '#lib/text/printable.ts';
import type { HeldCall, HookRun, PersonsDecision } from '../ports/ports.ts';
import type { HookContext } from './facts.ts';
import { waitingCall } from './hold-call.ts';

const MOST_SUGGESTIONS = 20;

/**
 * The client's own permission prompt, including its questions, to be held as a denial is, with an empty answer as its verdict: if
 * nobody answers, the terminal's dialog remains (DESIGN 6). Undefined if no person is asked about it here.
 */
export function holdPermission(
	hook: HookAt<'permission'>,
	run: HookRun,
	{ settings, ports }: HookContext,
): HeldCall | undefined {
	if (!settings.holdsPrompts) return undefined;
	return {
		...waitingCall(hook, hook.call, run, ports),
		denials: [],
		mayWait: true,
		decision: null,
		form: 'deny',
		facts: {},
		permission: { suggestions: hook.suggestions.slice(0, MOST_SUGGESTIONS) },
	};
}

/** The output for a person's decision about a permission prompt. Only the client's own suggestions become rules. */
export function decidePermission({ permission }: Pick<HeldCall, 'permission'>, decided: PersonsDecision): HookDecision {
	const { decision, stop, updatedInput: input, suggestions = [] } = decided;
	if (decision === 'deny') {
		const words = decided.reason === undefined ? '' : printable(decided.reason, 1000);
		const reason = `Denied in Signalbox by an operator${words && `: "${words}"`}`;
		return { decision, reason, ...(stop && { endsTurn: true }) };
	}
	const offered = permission?.suggestions ?? [];
	const rules = suggestions.map((at) => offered[at]).filter((rule) => typeof rule === 'object' && rule !== null);
	return { decision: 'allow', ...(input && { input }), ...(rules.length > 0 && { rules }) };
}
