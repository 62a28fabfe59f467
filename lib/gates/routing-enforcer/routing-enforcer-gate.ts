import type { AgentHook } from '../../agents/agent-hook.ts';
import { type Deed, type DeedKind, filesOf } from '../../agents/tool-call.ts';
import { expectedAgents, isActivePlan } from '../../routing/routing-state.ts';
import { printable } from '../../text/printable.ts';
import { type Facts, type Fingerprint, isName, type Verdict } from '../gate.ts';
import type { GateContext } from '../gate-context.ts';
import { defineGate } from '../gate-row.ts';

/** The name of this gate in verdicts, denials and approvals. */
export const ENFORCER_GATE = 'routing-enforcer';
const LONGEST_TARGET = 2000;

/** What the gate looks at: kept with the verdict. */
export interface EnforcerFacts {
	project: string;
	tool: string;
	/** What the call does; older records name it by Claude Code's tool alone. */
	does?: DeedKind;
	/** What the call works on. */
	target: string | null;
	/** The call is a sub-agent's own. */
	inside: boolean;
	/** vibe-engine repairs something by itself right now. */
	autoFix: boolean;
	planId: string | null;
	/** Agents of open tasks of an active plan. */
	expected: string[];
}

/** Collects the gate's facts; null where no plan binds the main agent. Plan mode is for no routed session at all. */
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

/** vibe-engine's opt-in rule: who routes does not execute. Sub-agents are free, and so is everything without a plan. */
function judgeWork(facts: EnforcerFacts): Verdict {
	const say = (decision: 'pass' | 'deny', rule: string, reason: string): Verdict => ({
		gate: ENFORCER_GATE,
		decision,
		rule: `enforcer.${rule}`,
		reason,
		facts: { ...facts },
	});
	if (facts.autoFix) return say('pass', 'auto-fix', 'an automatic repair is at work');
	if (facts.inside) return say('pass', 'sub-agent', 'a sub-agent does its own work');
	if (isPlanMode(facts)) return say('deny', 'plan-mode', 'plan mode is not for a routed session');
	const agent = facts.expected[0];
	if (agent === undefined) return say('pass', 'no-open-task', 'no active plan has an open task');
	const name = printable(agent, 100);
	return say(
		'deny',
		'delegate',
		`${printable(facts.tool, 60)} is for the agents of the routing plan. Delegate ${name}`,
	);
}

/** Records of before know a deed by Claude Code's name of the tool. */
const isPlanMode = ({ does, tool }: { does?: unknown; tool?: unknown }): boolean =>
	(does ?? tool) === 'enter-plan-mode' || tool === 'EnterPlanMode';

/**
 * What the call works on: its command, else its file. Null where there is none, or too long to be compared, or
 * where the command asks to leave the client's sandbox: a later call like it must be asked for anew.
 */
function targetOf(deed: Deed): string | null {
	if (deed.does === 'run-command' && deed.leavesSandbox) return null;
	const target = deed.does === 'run-command' ? deed.line : deed.does === 'edit-file' ? pathsOf(deed) : null;
	return isName(target) && target.length <= LONGEST_TARGET ? target : null;
}

/** A call that changes several files is another question than one that changes one of them. */
function pathsOf(deed: Extract<Deed, { does: 'edit-file' }>): string | null {
	const paths = filesOf(deed).map(({ path }) => path);
	return paths.includes(null) ? null : paths.join('\n');
}

/** Project, plan, tool and what it works on; plan mode works on nothing. */
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

/** Seed 000, opt-in: the main agent of a plan delegates. */
export const routingEnforcer = defineGate({
	id: ENFORCER_GATE,
	setting: 'routingEnforcer',
	at: ['call'],
	deeds: ['edit-file', 'run-command', 'enter-plan-mode'],
	start: 'off',
	profile: 'open',
	rests: {
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
	judged: { facts: enforcerFacts, judge: judgeWork },
});
