import type { AgentHook } from '../../agents/agent-hook.ts';
import type { DraftEvent } from '../../contract/events/event.ts';
import { agentNameOf, expectedAgents, GENERAL_AGENT, isActivePlan } from '../../routing/routing-state.ts';
import { printable } from '../../text/printable.ts';
import {
	defineGate,
	type Facts,
	type Fingerprint,
	type GateContext,
	isName,
	PLAN_BINDS_UNTIL_PROMPT,
	type Verdict,
	verdictsOn,
} from '../gate.ts';
import { choiceSetting } from '../gate-setting.ts';

export const ROUTING_GATE = 'routing-plan';

/** A call passes unjudged because its plan could not be read. */
export const UNREADABLE_PLAN_RULE = 'routing.plan-unreadable';

export interface RoutingFacts {
	project: string;
	tool: string;
	subagentType: string | null;
	/** Null if the call names none and may. */
	actual: string | null;
	by?: 'script' | 'skill';
	plan: 'absent' | 'unreadable' | 'read';
	/** Why the file cannot be read; if `plan` is `read`, an earlier reading replaces it. */
	problem?: string;
	planId?: string;
	status?: string;
	expected: string[];
}

/**
 * A call that names no agent passes, but under `onMismatch: deny` counts as the general agent's: it must not be a way around the
 * plan.
 */
function routingFacts(hook: AgentHook, { project, plan, settings }: GateContext): RoutingFacts | null {
	if (hook.at !== 'call' || hook.call.deed.does !== 'start-agent') return null;
	const { requestedAgent, by } = hook.call.deed;
	const read = plan();
	const call = {
		project,
		tool: hook.call.tool,
		subagentType: requestedAgent.type?.slice(0, 200) ?? null,
		actual: agentNameOf(requestedAgent.type) ?? (settings.onMismatch === 'deny' ? GENERAL_AGENT : null),
		...(by && { by }),
	};
	if (!read) return { ...call, plan: 'absent', expected: [] };
	if (!read.ok) return { ...call, plan: 'unreadable', problem: read.reason, expected: [] };
	const { planId, status } = read.plan;
	const lost = read.lost !== undefined && { problem: read.lost };
	return { ...call, plan: 'read', planId, status, expected: expectedAgents(read.plan), ...lost };
}

/** A sub-agent may start unless an active plan expects other agents. A call that cannot be judged passes, and the rule says why. */
function judgeRouting(facts: RoutingFacts): Verdict {
	const verdict = verdictsOn(ROUTING_GATE, 'routing', facts);
	if (facts.actual === null) return verdict('pass', 'no-agent-named', 'the call names no subagent_type');
	if (facts.plan === 'absent') return verdict('pass', 'no-plan', 'there is no routing plan');
	if (facts.plan === 'unreadable') {
		return verdict(
			'pass',
			'plan-unreadable',
			`the routing plan could not be read: ${facts.problem ?? 'unknown reason'}`,
		);
	}
	if (!isActivePlan({ status: facts.status ?? '' })) {
		return verdict(
			'pass',
			'plan-not-active',
			`the routing plan is ${printable(facts.status ?? '', 64) || 'without status'}`,
		);
	}
	if (facts.expected.length === 0) return verdict('pass', 'no-open-task', 'the routing plan has no open task');
	if (facts.expected.includes(facts.actual))
		return verdict('pass', 'agent-in-plan', 'the routing plan expects this agent');
	const oldPlan = facts.problem === undefined ? '' : ` (the plan as it was read last, since ${facts.problem})`;
	const reason = `${mismatchReason(facts.actual, facts.expected)}${oldPlan}`;
	const isNamed = agentNameOf(facts.subagentType) !== null;
	return verdict('deny', 'agent-in-plan', isNamed ? reason : `${reason}, and the call names none`);
}

function routingFingerprint({ project, planId, actual }: Facts): Fingerprint | null {
	if (!isName(project) || !isName(planId) || !isName(actual)) return null;
	return {
		key: JSON.stringify([ROUTING_GATE, project, planId, actual]),
		words: `agent ${actual} while plan ${planId} of project ${project} is active`,
	};
}

function mismatchReason(actual: string, expected: readonly string[]): string {
	return `Agent mismatch: ${printable(actual, 100)} not in expected ${agentList(expected)}`;
}

function draftMismatch({ planId = 'unknown', actual, expected }: RoutingFacts): DraftEvent[] {
	return actual === null ? [] : [{ type: 'routing:mismatch', planId, actual, expected: expected.slice(0, 100) }];
}

/** Output form of a denial. Does not affect whether the call is denied. */
export const onMismatch = choiceSetting({
	path: 'gates.routing.onMismatch',
	means:
		'`stop` ends the turn of the agent, `deny` lets the agent read the reason and continue. A project chooses freely.',
	loose: 'deny',
	strict: 'stop',
	isStrictUnset: true,
	isProjectFree: true,
	rehearsal: 'changes-no-verdict',
});

export const routingPlan = defineGate({
	id: ROUTING_GATE,
	setting: 'routing',
	at: ['call'],
	deeds: ['start-agent', 'use-skill'],
	start: 'on',
	profile: 'open',
	basis: PLAN_BINDS_UNTIL_PROMPT,
	mayHold: true,
	settings: [onMismatch],
	seed: '000',
	denies: { 'routing.agent-in-plan': 'a sub-agent that the active routing plan does not expect' },
	fingerprint: routingFingerprint,
	judgedBy: {
		facts: routingFacts,
		judge: judgeRouting,
		message: mismatchBox,
		endsTurn: ({ onMismatch }) => onMismatch === 'stop',
		// Scripts and skills have prompts of the client, which an allow would skip.
		allows: ({ rule, reason, facts }) => {
			if (facts.by !== undefined) return null;
			const isUnjudged = rule === UNREADABLE_PLAN_RULE;
			return isUnjudged ? { message: `Signalbox allows this call unjudged: ${reason}.` } : {};
		},
		records: draftMismatch,
	},
});

interface MismatchFacts {
	tool: string;
	actual: string | null;
	planId?: string;
	expected: readonly string[];
}

const TITLE = ' Agent Type Mismatch ';
const WIDE =
	/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const MAX_SAMPLES = 8;
const MIN_WIDTH = 48;
const MAX_WIDTH = 100;

/** East Asian wide characters take two columns. */
function columns(line: string): number {
	return [...line].reduce((sum, char) => sum + (WIDE.test(char) ? 2 : 1), 0);
}

/** A box without side walls, so that lines can be copied and wide characters cannot break it. */
export function mismatchBox(facts: MismatchFacts): string {
	const tool = facts.tool === 'Task' ? 'Task' : 'Agent';
	const samples = facts.expected
		.slice(0, MAX_SAMPLES)
		.map((agent) => `  ${tool}(${JSON.stringify({ subagent_type: printable(agent, 60), prompt: '...' })})`);
	const more = facts.expected.length - samples.length;
	const body = [
		`預期使用: ${agentList(facts.expected)}`,
		`實際使用: ${printable(facts.actual ?? '', 100)}`,
		`路由計劃: ${printable(facts.planId ?? 'unknown', 100)}`,
		'',
		'正確用法 (use one of these):',
		...samples,
		...(more > 0 ? [`  … ${more} more`] : []),
	];
	const width = Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, ...body.map(columns)));
	const side = width - TITLE.length;
	const left = '═'.repeat(Math.floor(side / 2));
	const right = '═'.repeat(Math.ceil(side / 2));
	return [`╔${left}${TITLE}${right}╗`, ...body, `╚${'═'.repeat(width)}╝`].join('\n');
}

/** `[developer, tester]`, as vibe-engine prints it. */
function agentList(agents: readonly string[]): string {
	const shown = agents.slice(0, 20).map((agent) => printable(agent, 60));
	const more = agents.length - shown.length;
	return `[${shown.join(', ')}${more > 0 ? `, … ${more} more` : ''}]`;
}
