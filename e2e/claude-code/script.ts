/** What the scripted model says in one turn: words and tool calls, in order. */
export type Block = { text: string } | { tool: string; input: Record<string, unknown>; id?: string };

/** One assistant message. */
export interface ScriptedReply {
	blocks: readonly Block[];
	/** The answer is given only once this resolves, so that a test decides when the agent goes on. */
	after?: Promise<unknown>;
	/** A pause before the answer in milliseconds, for recordings; tests wait for `after` instead. */
	delayMs?: number;
}

/** A request of the client as far as a script may look at it. */
export interface ScriptedRequest {
	/** `main`, `side` (title generation and the like), `subagent`, or the name in an agent file's role marker. */
	role: string;
	/** Assistant messages already in the conversation: the index of the turn to play. */
	turn: number;
	/** Texts of the tool results in the newest user message, with whether the client called them errors. */
	toolResults: readonly { toolUseId: string; text: string; isError: boolean }[];
	/** The newest user message's own text. */
	userText: string;
	/** What hooks told the model since its last answer, as the client puts it into the conversation. */
	hookContext: string;
	agentId: string | null;
	/** Names of the tools on offer. */
	tools: readonly string[];
}

/** The turns of each role. After the last one the model says "Done." and ends its turn. */
export type Script = Record<string, readonly ScriptedReply[] | ((request: ScriptedRequest) => ScriptedReply)>;

/** One turn that only speaks. */
export function replyText(text: string): ScriptedReply {
	return { blocks: [{ text }] };
}

/** One turn that calls a tool, with words before it if given. */
export function call(tool: string, input: Record<string, unknown>, text?: string): ScriptedReply {
	return { blocks: [...(text === undefined ? [] : [{ text }]), { tool, input }] };
}

/** The call that starts a sub-agent; in the background unless told otherwise, as current clients do. */
export function delegate(agent: string, prompt: string, options: { background?: boolean } = {}): Block {
	return {
		tool: 'Agent',
		input: {
			description: prompt.split(/[.:]/)[0]?.slice(0, 60) ?? agent,
			prompt,
			subagent_type: agent,
			run_in_background: options.background ?? true,
		},
	};
}

/** Goes into the body of an agent's file or into the prompt that starts the agent, where the scripted API finds it. */
export function roleMarker(role: string): string {
	return `[scripted-role:${role}]`;
}

/** Plays a script: the same request always gets the same turn, so that a client's retries do no harm. */
export function nextReply(script: Script, request: ScriptedRequest): ScriptedReply {
	const part = script[request.role];
	if (typeof part === 'function') return part(request);
	return part?.[request.turn] ?? replyText(request.role === 'side' ? 'Scripted session' : 'Done.');
}
