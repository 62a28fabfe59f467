import { printable } from '../../text/printable.ts';
import { type Facts, type Fingerprint, isName, type Verdict } from '../gate.ts';

/** The name of this gate in verdicts, denials and approvals. */
export const ENFORCER_GATE = 'routing-enforcer';
const LONGEST_TARGET = 2000;
const AUTO_FIX_MS = 5 * 60 * 1000;

/** The tools that a main agent with a plan leaves to its sub-agents. */
export const ENFORCED_TOOLS: readonly string[] = ['Write', 'Edit', 'Bash', 'NotebookEdit', 'EnterPlanMode'];

/** Whether the gate has anything to say about a tool. Compared exactly. */
export function isEnforcedTool(tool: unknown): tool is string {
	return typeof tool === 'string' && ENFORCED_TOOLS.includes(tool);
}

/** What the gate looks at: kept with the verdict. */
export interface EnforcerFacts {
	project: string;
	tool: string;
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

/** vibe-engine's opt-in rule: who routes does not execute. Sub-agents are free, and so is everything without a plan. */
export function routingEnforcerGate(facts: EnforcerFacts): Verdict {
	const say = (decision: 'pass' | 'deny', rule: string, reason: string): Verdict => ({
		gate: ENFORCER_GATE,
		decision,
		rule: `enforcer.${rule}`,
		reason,
		facts: { ...facts },
	});
	if (facts.autoFix) return say('pass', 'auto-fix', 'an automatic repair is at work');
	if (facts.inside) return say('pass', 'sub-agent', 'a sub-agent does its own work');
	if (facts.tool === 'EnterPlanMode') return say('deny', 'plan-mode', 'plan mode is not for a routed session');
	const agent = facts.expected[0];
	if (agent === undefined) return say('pass', 'no-open-task', 'no active plan has an open task');
	const name = printable(agent, 100);
	return say(
		'deny',
		'delegate',
		`${printable(facts.tool, 60)} is for the agents of the routing plan. Delegate ${name}`,
	);
}

/**
 * What the call works on: the command of Bash, else the file. Null where there is none, or too long to be compared, or
 * where the command asks to leave the client's sandbox: a later call like it must be asked for anew.
 */
export function targetOf(input: unknown): string | null {
	if (typeof input !== 'object' || input === null) return null;
	const { command, file_path: file, notebook_path: notebook, dangerouslyDisableSandbox: leaves } = input as Facts;
	if (leaves === true) return null;
	const target = [command, file, notebook].find(isName);
	return target !== undefined && target.length <= LONGEST_TARGET ? target : null;
}

/** Project, plan, tool and what it works on; plan mode works on nothing. */
export function enforcerFingerprint({ project, planId, tool, target }: Facts): Fingerprint | null {
	if (!isName(project) || !isName(tool)) return null;
	if (tool === 'EnterPlanMode') {
		return { key: JSON.stringify([ENFORCER_GATE, project, tool]), words: `plan mode in project ${project}` };
	}
	if (!isName(planId) || !isName(target)) return null;
	return {
		key: JSON.stringify([ENFORCER_GATE, project, planId, tool, target]),
		words: `${tool} of exactly “${target}” by the main agent while plan ${planId} of project ${project} is active`,
	};
}

/**
 * Whether auto-fix-state.json says that a repair is at work: fewer than three rounds, begun in the last five minutes. One
 * that begins in the future would never be over.
 */
export function isAutoFix(text: string, now: number): boolean {
	try {
		const { active, iteration, startedAt, timestamp } = JSON.parse(text) as Record<string, unknown>;
		const since = startedAt ?? timestamp;
		const at = typeof since === 'number' ? since : Date.parse(String(since));
		const age = now - at;
		return active === true && Number(iteration) < 3 && age >= 0 && age < AUTO_FIX_MS;
	} catch {
		return false;
	}
}
