import { dirname, isAbsolute, join } from 'node:path';
import { isSafeId } from '#lib/ids/safe-id.ts';
import { agentNameOf, GENERAL_AGENT } from '#lib/routing/agent-name.ts';
import type { DraftEvent, Ports } from '../../engine/ports.ts';
import { hookEvent } from './hook-event.ts';
import { flagOf, isJson, textOf } from './json.ts';
import type { HookInput } from './read-input.ts';

/** The sub-agent call may go ahead. An unnamed type is the client's general-purpose agent. */
export function agentDelegate(toolInput: unknown, stage?: string): DraftEvent {
	const asked = isJson(toolInput) ? toolInput : {};
	return {
		type: 'agent:delegate',
		agent: agentNameOf(asked.subagent_type) ?? GENERAL_AGENT,
		stage,
		description: textOf(asked.description, 500),
		subagentType: textOf(asked.subagent_type, 200),
		background: flagOf(asked.run_in_background),
	};
}

/** SubagentStart: binds the agent's id, and its call where the client's meta file is already there. */
export function agentStart(input: HookInput, ports: Ports): DraftEvent[] {
	if (!input.agentId) return [hookEvent(input)];
	return [
		{
			type: 'agent:start',
			agent: agentNameOf(input.fields.agent_type) ?? GENERAL_AGENT,
			toolUseId: callOfAgent(input, ports),
		},
	];
}

/** SubagentStop. Compaction sends one with an empty type and no start: that is no agent. */
export function agentComplete(input: HookInput): DraftEvent[] {
	const agent = agentNameOf(input.fields.agent_type);
	if (!agent || !input.agentId) return [hookEvent(input)];
	return [{ type: 'agent:complete', agent, message: input.fields.last_assistant_message ?? null }];
}

/** StopFailure: inside a sub-agent its API call failed and no SubagentStop follows. */
export function agentError(input: HookInput): DraftEvent[] {
	const agent = agentNameOf(input.fields.agent_type);
	if (!agent || !input.agentId) return [hookEvent(input)];
	const said = [input.fields.error, input.fields.last_assistant_message].map((text) => textOf(text, 1000));
	return [{ type: 'agent:error', agent, reason: said.filter(Boolean).join(': ') || 'unknown' }];
}

/** The client writes `<transcript folder>/<session>/subagents/agent-<id>.meta.json`; order of starts proves nothing. */
function callOfAgent(input: HookInput, ports: Ports): string | undefined {
	const transcript = textOf(input.fields.transcript_path, 4096);
	if (!transcript || !isAbsolute(transcript) || !isSafeId(input.agentId)) return undefined;
	const name = `agent-${input.agentId}.meta.json`;
	const read = ports.readClientFile(join(dirname(transcript), input.sessionId, 'subagents', name));
	if (!read.ok) return undefined;
	try {
		const meta: unknown = JSON.parse(read.text);
		return isJson(meta) ? textOf(meta.toolUseId, 256) : undefined;
	} catch {
		return undefined;
	}
}
