import { commandPolicy } from '#lib/gates/command-policy/command-policy-gate.ts';
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
	held(tool: string, input: object, denial: Denial, answer: Answer): StoryLine[];
}

interface Denial {
	gate: string;
	rule: string;
	reason: string;
}

/** Commands that the projects of the demo exclude. */
const EXCLUDED = ['sudo', 'rm', 'git', 'curl'];

/** What the policy says of a command, by its own words; it must deny it. */
function policyOf(line: string): Denial & { facts: Record<string, unknown> } {
	if (typeof commandPolicy.judged === 'string') throw new Error(commandPolicy.judged);
	const verdict = commandPolicy.judged.judge({ project: '', cwd: '', line, exclude: EXCLUDED });
	if (verdict.decision !== 'deny') throw new Error(`The demo's policy has nothing against: ${line}`);
	return verdict;
}

/** A command that the policy denies. */
export const command = (line: string) => ['Bash', { command: line }, policyOf(line)] as const;
/** The agents of the routing plans. */
const PLANNED = ['developer', 'tester'];
const agentOf = (input: object) => ('subagent_type' in input ? String(input.subagent_type) : '');

/** A sub-agent that the routing plan does not name. */
export const unplanned = (agent: string, task: string) =>
	[
		'Agent',
		{ subagent_type: agent, description: task },
		{
			...{ gate: 'routing-plan', rule: 'routing.agent-in-plan' },
			reason: `Agent mismatch: ${agent} not in expected [${PLANNED.join(', ')}]`,
		},
	] as const;
/** A sub-agent whose stage comes too early. */
export const skipping = (agent: string, task: string) =>
	[
		'Agent',
		{ subagent_type: agent, description: task },
		{
			...{ gate: 'stage-guard', rule: 'stage.skips-required' },
			reason: `${agent} belongs to DOCS, but REVIEW has not passed`,
		},
	] as const;

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
	const stopped = (call: { tool: string }, input: object, denial: Denial): StoryLine[] => [
		{ type: 'tool:call', ...call, input, after: 3 },
		{
			type: 'gate:verdict',
			...call,
			facts: {},
			...denial,
			decision: 'deny',
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
		held(tool, input, { gate, rule, reason, ...facts }, answer) {
			const call = callOf(tool);
			const { toolUseId } = call;
			const approval = { toolUseId, approvalId: `${toolUseId}-asked` };
			const mismatch = { planId: 'route-past', actual: agentOf(input), expected: PLANNED };
			return [
				...stopped(call, input, { gate, rule, reason, ...facts }),
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
