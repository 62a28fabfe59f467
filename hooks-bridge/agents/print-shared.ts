import type { AgentHook, HookAt } from '#lib/agents/agent-hook.ts';
import type { HookDecision } from '#lib/contract/events/catalogue/judgement.ts';
import { isJson, type Json, textOf } from '#lib/json/json.ts';
import type { AgentAdapter } from './agent-adapter.ts';

/** Some clients ignore a denial without a reason. */
const NO_REASON = 'Signalbox denies this call.';

/** A denial's words for the model, never empty. */
export function reasonOf({ reason, message }: HookDecision): string {
	return reason || message || NO_REASON;
}

/** Whether a decision counts as a denial for a client that cannot ask its person, or would hang if it did. */
export function isNo({ decision }: HookDecision): boolean {
	return decision === 'deny' || decision === 'ask';
}

/** How one client prints decisions at each point where it has hooks. */
export interface Shapes {
	call(said: HookDecision, hook: HookAt<'call'>): Json | null;
	permission?(said: HookDecision): Json | null;
	/** Makes the agent continue instead of ending a prompt, turn or agent; `name` is the client's name of the event. */
	block?(reason: string, name: string): Json | null;
	/** Text that the model reads beside an event; only for events that accept it. */
	context?(context: string, name: string): Json | null;
	/** The points that accept context. */
	listens: readonly AgentHook['at'][];
	/** A denied call, for the profile that denies what cannot be judged. */
	denied(reason: string): Json;
}

/** Returns a client's `print`: the object for a decision at a hook, null for nothing; only with keys that the client knows. */
export function printer(shapes: Shapes): (decision: HookDecision | null, hook: AgentHook) => Json | null {
	return (answer, hook) => {
		if (answer === null) return null;
		if (hook.at === 'call') return shapes.call(answer, hook);
		if (hook.at === 'permission') return shapes.permission?.(answer) ?? null;
		if (answer.decision === 'deny') return shapes.block?.(reasonOf(answer), hook.name) ?? null;
		const { context } = answer;
		return context === undefined || !shapes.listens.includes(hook.at)
			? null
			: (shapes.context?.(context, hook.name) ?? null);
	};
}

/** What a profile prints if nothing could be judged. Printing nothing lets a call pass in every client. */
export function unjudgedPrinter({ denied }: Pick<Shapes, 'denied'>): AgentAdapter['printUnjudged'] {
	return (profile, reason) => (profile === 'closed' ? denied(`Signalbox: ${reason}`) : null);
}

/** For all clients but the first: whether the printed output lets the call run. Never throws. */
export function readPrinted(output: Json): HookDecision {
	const specific = isJson(output.hookSpecificOutput) ? output.hookSpecificOutput : output;
	const printed = specific.permissionDecision ?? output.permission ?? output.decision;
	const reason = textOf(specific.permissionDecisionReason ?? output.agent_message ?? output.reason, 64 * 1024);
	const decision = printed === 'deny' || printed === 'block' ? 'deny' : printed === 'ask' ? 'ask' : 'pass';
	return { decision, ...(reason !== undefined && { reason }) };
}
