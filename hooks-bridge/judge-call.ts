import { strictest, type Verdict } from '#lib/gates/gate.ts';
import { mismatchBox } from '#lib/gates/routing-plan/mismatch-box.ts';
import {
	type PlanRead,
	type RoutingFacts,
	routingFacts,
	routingPlanGate,
} from '#lib/gates/routing-plan/routing-plan-gate.ts';
import type { Settings } from '#lib/settings/settings.ts';
import { allowCall, denyCall, type HookOutput } from './claude-code/outputs.ts';

/** A tool call that gates may judge. */
export interface Call {
	project: string;
	tool: string;
	input: unknown;
	plan: PlanRead;
}

/** What the gates say of one call, and what is printed for it. */
export interface Judgement {
	verdict: Verdict;
	output: HookOutput;
	/** Only the denial's: how it is printed. */
	form?: 'stop' | 'deny';
	/** The routing gate's facts, typed, for the events beside the verdict. */
	facts: RoutingFacts;
}

/** A (gate, rule) pair that a person has overruled for this call. */
export type Overruled = Readonly<{ gate: string; rule: string }>;

/**
 * Judges a sub-agent call by every gate that is switched on. Null when none is: then nothing is printed.
 * A denial by an overruled pair counts as none (DESIGN 6).
 */
export function judgeCall(call: Call, settings: Settings, overruled: readonly Overruled[] = []): Judgement | null {
	if (!settings.routing.enabled) return null;
	const facts = routingFacts(call.project, call.tool, call.input, call.plan);
	const standing = [routingPlanGate(facts)].map((verdict) => unlessOverruled(verdict, overruled));
	const verdict = strictest(standing);
	if (!verdict) return null;
	if (verdict.decision === 'deny') {
		const form = settings.routing.onMismatch;
		return { verdict, facts, form, output: denyCall(form, verdict.reason, mismatchBox(facts)) };
	}
	const unjudged = verdict.rule === 'routing.plan-unreadable';
	const systemMessage = unjudged ? `Signalbox allows this call unjudged: ${verdict.reason}.` : undefined;
	return { verdict, facts, output: allowCall({ systemMessage }) };
}

function unlessOverruled(verdict: Verdict, overruled: readonly Overruled[]): Verdict {
	const named = overruled.some((pair) => pair.gate === verdict.gate && pair.rule === verdict.rule);
	return named && verdict.decision !== 'pass' ? { ...verdict, decision: 'pass' } : verdict;
}
