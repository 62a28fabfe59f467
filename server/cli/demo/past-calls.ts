import { commandPolicy } from '#lib/gates/command-policy/command-policy-gate.ts';
import type { Verdict } from '#lib/gates/gate.ts';
import type { GateRow } from '#lib/gates/gate-row.ts';
import { routingPlan } from '#lib/gates/routing-plan/routing-plan-gate.ts';
import { stageGuard } from '#lib/gates/stage-guard/stage-guard-gate.ts';
import { type StoryLine, usageLine } from './story.ts';

/** What a person said to a call that was held for them, and after how many seconds; nobody: the time ran out. */
type Answer =
	| { by: string; decision: 'approve' | 'deny'; after: number; reason?: string }
	| { by: null; after: number };

/** What a session's calls are made by, each with an id of its own. */
export interface Caller {
	/** A call that nothing speaks against. */
	ran(tool: string, input: object, seconds: number): StoryLine[];
	/** A command that the policy denies, and nobody is asked. */
	denied(line: string): StoryLine[];
	/** A call that is denied by a gate and held for a person. */
	held(tool: string, input: object, denial: Verdict, answer: Answer): StoryLine[];
}

/** Commands that the projects of the demo exclude. */
const EXCLUDED = ['sudo', 'rm', 'git', 'curl'];

/** What a gate says of these facts, by its own words; it must deny them. */
function denialBy({ id, judged }: GateRow, facts: Record<string, unknown>): Verdict {
	if (typeof judged === 'string') throw new Error(judged);
	const verdict = judged.judge({ project: '', ...facts });
	if (verdict.decision !== 'deny')
		throw new Error(`The gate ${id} has nothing against the demo's ${JSON.stringify(facts)}`);
	return verdict;
}

const policyOf = (line: string) => denialBy(commandPolicy, { cwd: '', line, exclude: EXCLUDED });

/** A command that the policy denies. */
export const command = (line: string) => ['Bash', { command: line }, policyOf(line)] as const;

/** The agents of the routing plans. */
const PLANNED = ['developer', 'tester'];
const PLAN = { plan: 'read', planId: 'route-past', status: 'in_progress', expected: PLANNED };
const agentOf = (input: object) => ('subagent_type' in input ? String(input.subagent_type) : '');
const start = (agent: string, task: string) => ['Agent', { subagent_type: agent, description: task }] as const;

/** A sub-agent that the routing plan does not name. */
export const unplanned = (agent: string, task: string) =>
	[
		...start(agent, task),
		denialBy(routingPlan, { tool: 'Agent', subagentType: agent, actual: agent, ...PLAN }),
	] as const;

/** The writer of documents, before the review. */
export const skipping = (task: string) => {
	const workflow = { workflowType: 'standard', paused: false, createdAt: '', expected: ['code-reviewer'] };
	const facts = { tool: 'Agent', actual: 'doc-updater', stage: 'DOCS', skipped: ['REVIEW'], ...workflow };
	return [...start('doc-updater', task), denialBy(stageGuard, facts)] as const;
};

/** The calls of a session, which name it in their ids. */
export function callerOf(sessionId: string): Caller {
	let calls = 0;
	const callOf = (tool: string) => {
		calls += 1;
		return { toolUseId: `${sessionId}-call-${calls}`, tool };
	};
	const done = (call: object, seconds: number): StoryLine[] => [
		{ type: 'tool:result', ...call, response: 'ok', durationMs: seconds * 1000, after: seconds },
		usageLine({}, seconds),
	];
	const stopped = (call: { tool: string }, input: object, denial: Verdict): StoryLine[] => [
		{ type: 'tool:call', ...call, input, after: 3 },
		{
			type: 'gate:verdict',
			...call,
			...denial,
			form: 'deny',
			hook: 'PreToolUse',
			durationMs: 1,
		},
	];
	return {
		ran(tool, input, seconds) {
			const call = callOf(tool);
			return [{ type: 'tool:call', ...call, input, after: 2 }, ...done(call, seconds)];
		},
		denied(line) {
			return stopped(callOf('Bash'), { command: line }, policyOf(line));
		},
		held(tool, input, denial, answer) {
			const { gate, rule, reason } = denial;
			const call = callOf(tool);
			const { toolUseId } = call;
			const approval = { toolUseId, approvalId: `${toolUseId}-asked` };
			const mismatch = { planId: PLAN.planId, actual: agentOf(input), expected: PLANNED };
			return [
				...stopped(call, input, denial),
				...(gate === 'routing-plan' ? [{ type: 'routing:mismatch', toolUseId, ...mismatch }] : []),
				{
					...{ type: 'approval:request', ...approval, tool, input, inputDigest: toolUseId },
					...{ denials: [{ gate, rule, reason }], facts: {} },
				},
				...answered(approval, answer),
				...(answer.by !== null && answer.decision === 'approve' ? done(call, 30) : []),
			];
		},
	};
}

function answered(approval: object, answer: Answer): StoryLine[] {
	const { after } = answer;
	if (answer.by === null) return [{ type: 'approval:expire', ...approval, after }];
	const by = { role: 'operator', via: 'browser', name: answer.by };
	const { decision, reason } = answer;
	return [{ type: 'approval:resolve', ...approval, decision, by, ...(reason !== undefined && { reason }), after }];
}
