import { agentNameOf } from '../../routing/agent-name.ts';
import { expectedAgents, isActivePlan, type PlanParse } from '../../routing/routing-state.ts';
import { printable } from '../../text/printable.ts';
import { type Facts, type Fingerprint, isName, type Verdict } from '../gate.ts';

/** The name of this gate in verdicts, denials and approvals. */
export const ROUTING_GATE = 'routing-plan';

/** The rule by which a call passes unjudged, because its plan could not be read. */
export const UNREADABLE_PLAN_RULE = 'routing.plan-unreadable';

/** What the gate looks at: kept with the verdict, so that it can be judged again later. */
export interface RoutingFacts {
	project: string;
	tool: string;
	/** The `subagent_type` as the model wrote it, cut for the record; null when it named none. */
	subagentType: string | null;
	/** The agent that it starts; null where it names none and that is let pass. */
	actual: string | null;
	plan: 'absent' | 'unreadable' | 'read';
	/** Why the plan could not be read. */
	problem?: string;
	planId?: string;
	status?: string;
	expected: string[];
}

/** What was found where the plan should be; null means that there is no plan. */
export type PlanRead = PlanParse | null;

/**
 * Collects the gate's facts from a call and the plan beside it. `unnamed` is the agent for which a call counts that names
 * none; null lets it pass, as the seed has it.
 */
export function routingFacts(
	project: string,
	tool: string,
	input: unknown,
	read: PlanRead,
	unnamed: string | null = null,
): RoutingFacts {
	const named = typeof input === 'object' && input !== null && 'subagent_type' in input ? input.subagent_type : null;
	const call = {
		project,
		tool,
		subagentType: typeof named === 'string' ? named.slice(0, 200) : null,
		actual: agentNameOf(named) ?? unnamed,
	};
	if (!read) return { ...call, plan: 'absent', expected: [] };
	if (!read.ok) return { ...call, plan: 'unreadable', problem: read.reason, expected: [] };
	const { planId, status } = read.plan;
	return { ...call, plan: 'read', planId, status, expected: expectedAgents(read.plan) };
}

/**
 * Seed 000: a sub-agent may start unless an active plan expects other agents. Anything that cannot be
 * judged passes (fail-safe), and the rule says why.
 */
export function routingPlanGate(facts: RoutingFacts): Verdict {
	const say = (decision: 'pass' | 'deny', rule: string, reason: string): Verdict => ({
		gate: ROUTING_GATE,
		decision,
		rule: `routing.${rule}`,
		reason,
		facts: { ...facts },
	});
	if (facts.actual === null) return say('pass', 'no-agent-named', 'the call names no subagent_type');
	if (facts.plan === 'absent') return say('pass', 'no-plan', 'there is no routing plan');
	if (facts.plan === 'unreadable') {
		return say('pass', 'plan-unreadable', `the routing plan could not be read: ${facts.problem ?? 'unknown reason'}`);
	}
	if (!isActivePlan({ status: facts.status ?? '' })) {
		return say(
			'pass',
			'plan-not-active',
			`the routing plan is ${printable(facts.status ?? '', 64) || 'without status'}`,
		);
	}
	if (facts.expected.length === 0) return say('pass', 'no-open-task', 'the routing plan has no open task');
	if (facts.expected.includes(facts.actual)) return say('pass', 'agent-in-plan', 'the routing plan expects this agent');
	const reason = mismatchReason(facts.actual, facts.expected);
	const isNamed = agentNameOf(facts.subagentType) !== null;
	return say('deny', 'agent-in-plan', isNamed ? reason : `${reason}, and the call names none`);
}

/** Project, plan and agent; whatever else a retry changes. */
export function routingFingerprint({ project, planId, actual }: Facts): Fingerprint | null {
	if (!isName(project) || !isName(planId) || !isName(actual)) return null;
	return {
		key: JSON.stringify([ROUTING_GATE, project, planId, actual]),
		words: `agent ${actual} while plan ${planId} of project ${project} is active`,
	};
}

/** The seed's words for a denial; lists beyond 20 agents are cut and say so. */
export function mismatchReason(actual: string, expected: readonly string[]): string {
	return `Agent mismatch: ${printable(actual, 100)} not in expected ${agentList(expected)}`;
}

/** `[developer, tester]`, as the seed prints it. */
export function agentList(agents: readonly string[]): string {
	const shown = agents.slice(0, 20).map((agent) => printable(agent, 60));
	const more = agents.length - shown.length;
	return `[${shown.join(', ')}${more > 0 ? `, … ${more} more` : ''}]`;
}
