import type { AgentHook, HookAt } from '#lib/agents/agent-hook.ts';
import type { HookDecision } from '#lib/contract/events/catalogue/judgement.ts';
import { isJson, type Json, textOf } from '#lib/json/json.ts';
import type { AgentAdapter } from './agent-adapter.ts';

/** Some clients ignore a denial without a reason. */
const NO_REASON = 'Signalbox denies this call.';

/** A denial's words for the model; there always are some. */
export function reasonOf({ reason, message }: HookDecision): string {
	return reason || message || NO_REASON;
}

/** Whether a decision says no to a make that can put no question to its person, or would hang over one. */
export function isNo({ decision }: HookDecision): boolean {
	return decision === 'deny' || decision === 'ask';
}

/** How one make says what was decided at each point where it listens. */
export interface Shapes {
	call(said: HookDecision, hook: HookAt<'call'>): Json | null;
	permission?(said: HookDecision): Json | null;
	/** Sends the agent on instead of ending a prompt, turn or agent; `name` is the client's name of the event. */
	block?(reason: string, name: string): Json | null;
	/** Text that the model reads beside an event; only for events that accept it. */
	context?(context: string, name: string): Json | null;
	/** The points that accept context. */
	listens: readonly AgentHook['at'][];
	/** A denied call, for the profile that denies what cannot be judged. */
	denied(reason: string): Json;
}

/** Gives a make's `print`: the one object for a decision at a hook, null for nothing. No key stands in it that the make does not know. */
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

/** What a profile prints where nothing could be judged. Silence lets a call pass in every make. */
export function unjudgedPrinter({ denied }: Pick<Shapes, 'denied'>): AgentAdapter['printUnjudged'] {
	return (profile, reason) => (profile === 'closed' ? denied(`Signalbox: ${reason}`) : null);
}

/** The way back, for all makes but the first: whether what was printed lets the call run. Total. */
export function readPrinted(output: Json): HookDecision {
	const specific = isJson(output.hookSpecificOutput) ? output.hookSpecificOutput : output;
	const printed = specific.permissionDecision ?? output.permission ?? output.decision;
	const reason = textOf(specific.permissionDecisionReason ?? output.agent_message ?? output.reason, 64 * 1024);
	const decision = printed === 'deny' || printed === 'block' ? 'deny' : printed === 'ask' ? 'ask' : 'pass';
	return { decision, ...(reason !== undefined && { reason }) };
}
