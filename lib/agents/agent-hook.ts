import type { Json } from '../json/json.ts';
import type { ToolCall } from './tool-call.ts';

export interface HookHead {
	agent: string;
	name: string;
	sessionId: string;
	agentId?: string;
	toolUseId?: string;
	cwd?: string;
	/** The client's record of the conversation; unverified. */
	transcript?: string;
	/** At most 64 levels deep; read again at a release by its adapter. */
	raw: Json;
	warning?: { code: string; message: string };
}

export type Moment =
	| { at: 'session-start'; source?: string; model?: string; version?: string }
	| { at: 'session-end'; reason?: string }
	| { at: 'compact'; trigger?: string }
	/** `byClient`: the client wrote it, about an ended background agent. */
	| { at: 'prompt'; prompt: unknown; text: string; promptId?: string; byClient: boolean }
	| { at: 'call'; call: ToolCall }
	/** `started`: the sub-agent that the call started. */
	| { at: 'result'; call: ToolCall; response: unknown; stderr?: string; durationMs?: number; started?: StartedAgent }
	| { at: 'failure'; call: ToolCall; error: unknown; interrupt?: boolean; durationMs?: number }
	| { at: 'batch'; toolUseIds: string[] }
	/** The client's own prompt, with what it offers to allow permanently. */
	| { at: 'permission'; call: ToolCall; suggestions: unknown[] }
	/** `metaFile`: where the client says which call started the agent. */
	| { at: 'agent-start'; agentType?: string; metaFile?: string }
	/** `message`: its last words; undefined if the client does not report them. */
	| { at: 'agent-end'; agentType?: string; message: unknown }
	| { at: 'turn-end'; message?: string; running: string[] | null }
	| { at: 'turn-failure'; agentType?: string; error?: string; message?: string }
	| { at: 'task-end'; taskId: string; subject?: string }
	| { at: 'notice'; message: string; notice?: string }
	| { at: 'message'; text: unknown; messageId?: string; isFinal: boolean }
	/** The turn is over without a hook that could refuse, often because a person stopped it. */
	| { at: 'interrupt' }
	| { at: 'other' };

export interface StartedAgent {
	agentId?: string;
	background: boolean;
}

/** A hook in client-neutral form: no client's field names. */
export type AgentHook = HookHead & Moment;

export type HookPoint = Moment['at'];

export type HookAt<P extends HookPoint> = Extract<AgentHook, { at: P }>;

export type HookRead = { ok: true; hook: AgentHook } | { ok: false; reason: string };
