import type { AgentHook } from '../../agents/agent-hook.ts';
import { type Deed, type DeedKind, filesOf } from '../../agents/tool-call.ts';
import { expectedAgents, isActivePlan } from '../../routing/routing-state.ts';
import { printable } from '../../text/printable.ts';
import {
	defineGate,
	type Facts,
	type Fingerprint,
	type GateContext,
	isName,
	type Verdict,
	verdictsOn,
} from '../gate.ts';

export const ENFORCER_GATE = 'routing-enforcer';
const MAX_TARGET = 2000;

export interface EnforcerFacts {
	project: string;
	tool: string;
	/** Older records name it by Claude Code's tool. */
	does?: DeedKind;
	target: string | null;
	inside: boolean;
	autoFix: boolean;
	planId: string | null;
	expected: string[];
}

function enforcerFacts(hook: AgentHook, { project, plan, isRepairing }: GateContext): EnforcerFacts | null {
	if (hook.at !== 'call' || hook.agentId !== undefined || project === '') return null;
	const { tool, deed } = hook.call;
	const read = plan();
	if (read === null && deed.does !== 'enter-plan-mode') return null;
	const active = read?.ok === true && isActivePlan(read.plan) ? read.plan : null;
	return {
		project,
		tool,
		does: deed.does,
		target: targetOf(deed),
		inside: false,
		autoFix: isRepairing(),
		planId: active?.planId ?? null,
		expected: active ? expectedAgents(active) : [],
	};
}

/** The main agent of a plan must delegate instead of working. Sub-agents, and sessions without a plan, are free. */
function judgeWork(facts: EnforcerFacts): Verdict {
	const verdict = verdictsOn(ENFORCER_GATE, 'enforcer', facts);
	if (facts.autoFix) return verdict('pass', 'auto-fix', 'an automatic repair is at work');
	if (facts.inside) return verdict('pass', 'sub-agent', 'a sub-agent does its own work');
	if (isPlanMode(facts)) return verdict('deny', 'plan-mode', 'plan mode is not for a routed session');
	const agent = facts.expected[0];
	if (agent === undefined) return verdict('pass', 'no-open-task', 'no active plan has an open task');
	const name = printable(agent, 100);
	return verdict(
		'deny',
		'delegate',
		`${printable(facts.tool, 60)} is for the agents of the routing plan. Delegate ${name}`,
	);
}

/** Older records name a deed by Claude Code's tool. */
const isPlanMode = ({ does, tool }: { does?: unknown; tool?: unknown }): boolean =>
	(does ?? tool) === 'enter-plan-mode' || tool === 'EnterPlanMode';

/** Null without a target, for one too long to compare, or outside the client's sandbox: that must be asked every time. */
function targetOf(deed: Deed): string | null {
	if (deed.does === 'run-command' && deed.leavesSandbox) return null;
	const target = deed.does === 'run-command' ? deed.line : deed.does === 'edit-file' ? pathsOf(deed) : null;
	return isName(target) && target.length <= MAX_TARGET ? target : null;
}

/** A call that changes several files is a different question from one that changes one of them. */
function pathsOf(deed: Extract<Deed, { does: 'edit-file' }>): string | null {
	const paths = filesOf(deed).map(({ path }) => path);
	return paths.includes(null) ? null : paths.join('\n');
}

function enforcerFingerprint(facts: Facts): Fingerprint | null {
	const { project, planId, tool, target } = facts;
	if (!isName(project) || !isName(tool)) return null;
	if (isPlanMode(facts)) {
		return { key: JSON.stringify([ENFORCER_GATE, project, tool]), words: `plan mode in project ${project}` };
	}
	if (!isName(planId) || !isName(target)) return null;
	return {
		key: JSON.stringify([ENFORCER_GATE, project, planId, tool, target]),
		words: `${tool} of exactly “${target}” by the main agent while plan ${planId} of project ${project} is active`,
	};
}

export const routingEnforcer = defineGate({
	id: ENFORCER_GATE,
	setting: 'routingEnforcer',
	at: ['call'],
	deeds: ['edit-file', 'run-command', 'enter-plan-mode'],
	start: 'off',
	profile: 'open',
	basis: {
		guidance:
			'The plan and `auto-fix-state.json`, which lets everything through for a repair, are files that the agent can write.',
	},
	mayHold: true,
	settings: [],
	seed: '000',
	denies: {
		'enforcer.delegate': 'work by the main agent itself while its plan has open tasks',
		'enforcer.plan-mode': 'plan mode in a routed session',
	},
	fingerprint: enforcerFingerprint,
	judgedBy: { facts: enforcerFacts, judge: judgeWork },
});
