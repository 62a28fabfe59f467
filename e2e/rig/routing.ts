import type { RoutingPlan } from '../claude-code/project.ts';

/** A plan in progress in which these agents, and no others, are expected. */
export function planFor(...agents: string[]): RoutingPlan {
	return {
		planId: 'route-77',
		status: 'in_progress',
		request: 'Build the cart.',
		phases: [
			{
				phase: 1,
				tasks: agents.map((agent, at) => ({
					id: `t${at + 1}`,
					agent,
					description: `Work for the ${agent}`,
					status: at === 0 ? 'executing' : 'pending',
				})),
			},
		],
	};
}

/** The hook input of a call that starts a sub-agent. */
export function agentCall(options: { sessionId: string; cwd: string; agent: string; toolUseId?: string }) {
	const { sessionId, cwd, agent, toolUseId = `toolu_${sessionId}` } = options;
	return {
		session_id: sessionId,
		cwd,
		hook_event_name: 'PreToolUse',
		permission_mode: 'default',
		tool_name: 'Agent',
		tool_use_id: toolUseId,
		tool_input: {
			description: 'Design the cart',
			prompt: 'Design the cart first, please.',
			subagent_type: agent,
		},
	};
}
