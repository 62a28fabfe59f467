import { SHELL_TOOL } from '#lib/commands/shell-tool.ts';
import { isCommandTool } from '#lib/gates/command-policy/command-gate-name.ts';
import { commandFacts, commandPolicyGate } from '#lib/gates/command-policy/command-policy-gate.ts';
import { strictest, type Verdict } from '#lib/gates/gate.ts';
import { gateTable } from '#lib/gates/gate-table.ts';
import { isEnforcedTool, routingEnforcerGate, targetOf } from '#lib/gates/routing-enforcer/routing-enforcer-gate.ts';
import { mismatchBox } from '#lib/gates/routing-plan/mismatch-box.ts';
import {
	type PlanRead,
	ROUTING_GATE,
	type RoutingFacts,
	routingFacts,
	routingPlanGate,
	UNREADABLE_PLAN_RULE,
} from '#lib/gates/routing-plan/routing-plan-gate.ts';
import { stageFacts, stageGuardGate } from '#lib/gates/stage-guard/stage-guard-gate.ts';
import { isSameDenial, type Overridden, withFingerprint } from '#lib/grants/covers.ts';
import { GENERAL_AGENT, isSubagentTool } from '#lib/routing/agent-name.ts';
import { expectedAgents, isActivePlan } from '#lib/routing/routing-state.ts';
import type { Settings } from '#lib/settings/settings.ts';
import type { WorkflowState } from '#lib/workflow/workflow-state.ts';
import { allowCall, denyCall, type HookOutput } from '../agents/claude-code/outputs.ts';
import { type Spawn, spawnInput } from './spawn-of.ts';

/** A tool call that gates may judge. */
export interface Call {
	project: string;
	tool: string;
	/** What it asks for, if it starts sub-agents. */
	spawn: Spawn | null;
	input: unknown;
	/** Where a command would run; empty where the client did not say. */
	cwd: string;
	plan: PlanRead;
	/** The session's workflow, if it has one. */
	workflow: WorkflowState | null;
	/** It is a sub-agent's own call. */
	inside: boolean;
	/** vibe-engine repairs something by itself right now. */
	autoFix: boolean;
}

/** What the gates say of one call, and what is printed for it. */
export interface Judgement {
	/** The one that decides. */
	verdict: Verdict;
	/** Of every gate that was asked, in the gates' order. */
	verdicts: Verdict[];
	output: HookOutput;
	/** Only a denial's: how it is printed. */
	form?: 'stop' | 'deny';
	/** The routing gate's facts, typed, where it denies. */
	mismatch?: RoutingFacts;
}

/**
 * Judges a call by every gate that is switched on and is for its tool. Null when none is: then nothing is printed.
 * A denial that a person has overridden counts as none, another one by the same rule does not (DESIGN 6).
 */
export function judgeCall(call: Call, settings: Settings, overridden: readonly Overridden[] = []): Judgement | null {
	const { project, tool, spawn } = call;
	if (spawn === null) return judgeOwnWork(call, settings, overridden);
	const { gates, onMismatch } = settings;
	const asked = spawnInput(spawn, call.input);
	// To the letter of the seed a call that names none passes; where `init` has set the form, it is no way around the plan.
	const unnamed = onMismatch === 'deny' ? GENERAL_AGENT : null;
	const routing = gates.routing.enabled ? routingFacts(project, tool, asked, call.plan, unnamed) : null;
	const stage = gates.stageGuard.enabled ? stageFacts(project, tool, asked, call.workflow) : null;
	const said = [...(routing ? [routingPlanGate(routing)] : []), ...(stage ? [stageGuardGate(stage)] : [])];
	const verdicts = said.map((verdict) => unlessOverridden(verdict, overridden));
	const verdict = strictest(verdicts);
	if (!verdict) return null;
	const denials = verdicts.filter(({ decision }) => decision === 'deny');
	if (denials.length > 0) {
		const mismatch = denials.some(({ gate }) => gate === ROUTING_GATE) ? (routing ?? undefined) : undefined;
		const form = mismatch ? onMismatch : 'deny';
		const reason = reasonOf(denials);
		const message = mismatch ? mismatchBox(mismatch) : `Signalbox: ${reason}.`;
		return { verdict, verdicts, form, output: denyCall(form, reason, message), ...(mismatch && { mismatch }) };
	}
	// An explicit allow is the routing gate's alone (DESIGN 5), and of the sub-agent tool: others have prompts of the client.
	if (!routing || !isSubagentTool(tool)) return { verdict, verdicts, output: null };
	const unjudged = verdicts.find(({ rule }) => rule === UNREADABLE_PLAN_RULE);
	const systemMessage = unjudged ? `Signalbox allows this call unjudged: ${unjudged.reason}.` : undefined;
	return { verdict, verdicts, output: allowCall({ systemMessage }) };
}

/** What an agent does itself instead of delegating it. */
function judgeOwnWork(call: Call, settings: Settings, overridden: readonly Overridden[]): Judgement | null {
	const said = [...enforcerVerdicts(call, settings), ...commandVerdicts(call, settings)];
	const verdicts = said.map((verdict) => unlessOverridden(verdict, overridden));
	const verdict = strictest(verdicts);
	if (!verdict) return null;
	if (verdict.decision !== 'deny') return { verdict, verdicts, output: null };
	const reason = reasonOf(verdicts);
	return { verdict, verdicts, form: 'deny', output: denyCall('deny', reason, `Signalbox: ${reason}.`) };
}

function enforcerVerdicts({ project, tool, input, inside, autoFix, plan }: Call, { gates }: Settings): Verdict[] {
	const speaks = gates.routingEnforcer.enabled && isEnforcedTool(tool) && (plan !== null || tool === 'EnterPlanMode');
	if (!speaks) return [];
	const active = plan?.ok === true && isActivePlan(plan.plan) ? plan.plan : null;
	const expected = active ? expectedAgents(active) : [];
	const target = targetOf(input);
	const facts = { project, tool, target, inside, autoFix, planId: active?.planId ?? null, expected };
	return [routingEnforcerGate(facts)];
}

function commandVerdicts({ project, tool, input, cwd }: Call, { gates, commands }: Settings): Verdict[] {
	if (!isCommandTool(tool) || gates.commandPolicy.enabled === false) return [];
	const facts = commandFacts(project, cwd, input, commands.exclude);
	return facts ? [commandPolicyGate(tool === SHELL_TOOL ? { ...facts, shell: true } : facts)] : [];
}

function reasonOf(verdicts: readonly Verdict[]): string {
	const denials = verdicts.filter(({ decision }) => decision === 'deny');
	return denials.map(({ reason }) => reason).join('; ');
}

/** Whether every gate that denies leaves its denial to a person. */
export function mayHold({ verdicts }: Judgement, settings: Settings): boolean {
	const held = gateTable.filter(({ setting }) => settings.gates[setting].hold).map(({ id }): string => id);
	return verdicts.every(({ decision, gate }) => decision !== 'deny' || held.includes(gate));
}

function unlessOverridden(verdict: Verdict, overridden: readonly Overridden[]): Verdict {
	if (verdict.decision === 'pass' || overridden.length === 0) return verdict;
	const denial = withFingerprint(verdict);
	return overridden.some((seen) => isSameDenial(seen, denial)) ? { ...verdict, decision: 'pass' } : verdict;
}
