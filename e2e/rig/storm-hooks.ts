import type { SeededRandom } from './storm-random.ts';

/** One hook of a storm, with the line that must stand in its session's timeline because of it. */
export interface StormHook {
	sessionId: string;
	input: Record<string, unknown>;
	/** The type of that line, and text that no other line of its type holds. */
	leaves: { type: string; marker: string };
	/** Only if this call was allowed to start, the hooks after it come. */
	decides?: true;
}

/** Agents whose stages come first in `standard`: whatever is asked in which order, the workflow never ends. */
const AGENTS = ['planner', 'architect', 'tester'] as const;
const VERDICTS = ['PASS', 'PASS', 'PASS', 'FAIL'] as const;

/**
 * What one agent's client sends in a row: a prompt, a tool's call and result, the run of a sub-agent, or a stop that
 * waits for the background. `serial` makes every marker unique.
 */
export function stormHooks(sessionId: string, cwd: string, serial: number, random: SeededRandom): StormHook[] {
	const marker = `mark-${serial}-`;
	const base = { session_id: sessionId, cwd, transcript_path: '/dev/null' };
	const hook = (event: string, fields: object, type: string, own = marker): StormHook => ({
		sessionId,
		input: { ...base, hook_event_name: event, ...fields },
		leaves: { type, marker: own },
	});
	const bash = { tool_name: 'Bash', tool_use_id: `${marker}bash`, tool_input: { command: `echo ${marker}` } };
	const call = `${marker}call`;
	const ask = { tool_name: 'Agent', tool_use_id: call };
	const agent = random.pick(AGENTS);
	const ids = { agent_id: `${marker}agent`, agent_type: `ot:${agent}` };
	const verdict = `<!-- VERDICT: {"result": "${random.pick(VERDICTS)}"} -->`;
	const task = { id: 'elsewhere', type: 'subagent', status: 'running' };
	switch (random.below(5)) {
		case 0:
			return [hook('UserPromptSubmit', { prompt: `Do ${marker}` }, 'prompt:submit')];
		case 1:
			return [
				hook('PreToolUse', bash, 'tool:call'),
				hook('PostToolUse', { ...bash, tool_response: { stdout: 'x'.repeat(random.below(4000)) } }, 'tool:result'),
			];
		case 2:
			return [hook('Stop', { last_assistant_message: marker, background_tasks: [task] }, 'hook:event')];
		default: {
			const tool_input = { subagent_type: `ot:${agent}`, prompt: `Do ${marker}`, run_in_background: true };
			const launched = { status: 'async_launched', isAsync: true, agentId: ids.agent_id };
			const started = hook('SubagentStart', ids, 'agent:start');
			const bound = hook('PostToolUse', { ...ask, tool_input, tool_response: launched }, 'tool:result', call);
			return [
				{ ...hook('PreToolUse', { ...ask, tool_input }, 'tool:call', call), decides: true },
				...(random.below(2) === 0 ? [started, bound] : [bound, started]),
				hook('SubagentStop', { ...ids, last_assistant_message: `${marker} ${verdict}` }, 'agent:complete'),
			];
		}
	}
}
