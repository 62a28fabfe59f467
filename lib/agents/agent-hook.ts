import type { Json } from '../json/json.ts';
import type { ToolCall } from './tool-call.ts';

/** What every hook of every agent says. */
export interface HookHead {
	/** The make of agent: a name of the agent table. */
	agent: string;
	/** The client's own name of the event, for records. */
	name: string;
	sessionId: string;
	/** Present inside a sub-agent, and only there. */
	agentId?: string;
	toolUseId?: string;
	cwd?: string;
	/** Where the client writes down the conversation; only the agent's word for it. */
	transcript?: string;
	/** Everything that the client sent, at most 64 levels deep: to be read again at a release, by its adapter alone. */
	raw: Json;
	/** Something about the input was wrong and is worth a warning. */
	warning?: { code: string; message: string };
}

/** What happened at the agent, by meaning. */
export type Moment =
	| { at: 'session-start'; source?: string; model?: string; version?: string }
	| { at: 'session-end'; reason?: string }
	| { at: 'compact'; trigger?: string }
	/** `text` is the prompt as far as it is text; `byClient`: the client wrote it, about an agent that ended behind the turn. */
	| { at: 'prompt'; prompt: unknown; text: string; promptId?: string; byClient: boolean }
	| { at: 'call'; call: ToolCall }
	/** The tool ran. `started` where it started a sub-agent. */
	| { at: 'result'; call: ToolCall; response: unknown; stderr?: string; durationMs?: number; started?: StartedAgent }
	| { at: 'failure'; call: ToolCall; error: unknown; interrupt?: boolean; durationMs?: number }
	/** The results of several calls, each told by a hook of its own. */
	| { at: 'batch'; toolUseIds: string[] }
	/** The client's own permission prompt; `suggestions` are what it offers to allow for good. */
	| { at: 'permission'; call: ToolCall; suggestions: unknown[] }
	/** `metaFile`: where the client says which call started the agent. */
	| { at: 'agent-start'; agentType?: string; metaFile?: string }
	/** `message`: its last words; undefined where the client does not tell them. */
	| { at: 'agent-end'; agentType?: string; message: unknown }
	/** `running`: the sub-agents that go on behind the turn; null where the client lists none. */
	| { at: 'turn-end'; message?: string; running: string[] | null }
	/** The model's API failed, inside a sub-agent where `agentId` is set. */
	| { at: 'turn-failure'; agentType?: string; error?: string; message?: string }
	| { at: 'task-end'; taskId: string; subject?: string }
	| { at: 'notice'; message: string; notice?: string }
	| { at: 'message'; text: unknown; messageId?: string; isFinal: boolean }
	/** The turn is over and nobody is asked, often since a person stopped it: nothing more follows for what it left open. */
	| { at: 'interrupt' }
	/** Recorded, and nothing more. */
	| { at: 'other' };

/** A sub-agent that a call started; its id is known once the client says it. */
export interface StartedAgent {
	agentId?: string;
	/** The agent works on behind the turn. */
	background: boolean;
}

/** One hook of an agent, normalised: what gates, workflows and records go by. No client's field names stand in it. */
export type AgentHook = HookHead & Moment;

/** The points of an agent's work at which it asks a hook. */
export type HookPoint = Moment['at'];

/** A hook of one of these points. */
export type HookAt<P extends HookPoint> = Extract<AgentHook, { at: P }>;

/** Input that was read, or why it is none. */
export type HookRead = { ok: true; hook: AgentHook } | { ok: false; reason: string };
