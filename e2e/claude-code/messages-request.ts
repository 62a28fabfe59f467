import type { IncomingHttpHeaders } from 'node:http';
import type { ScriptedRequest } from './script.ts';

interface ContentPart {
	type: string;
	text?: string;
	tool_use_id?: string;
	is_error?: boolean;
	content?: string | readonly ContentPart[];
}

/** The fields of a Messages API request that matter here. */
export interface MessagesRequest {
	model: string;
	stream?: boolean;
	system?: string | readonly ContentPart[];
	messages: readonly { role: 'user' | 'assistant' | 'system'; content: string | readonly ContentPart[] }[];
	tools?: readonly { name: string }[];
}

function textOf(content: string | readonly ContentPart[] | undefined): string {
	if (content === undefined || typeof content === 'string') return content ?? '';
	return content.map((part) => part.text ?? '').join('\n');
}

/** An agent's own prompt says who it is, or the prompt that it was started with, where the agent's file is not ours. */
function roleOf(body: MessagesRequest, headers: IncomingHttpHeaders): string {
	for (const text of [textOf(body.system), textOf(body.messages[0]?.content)]) {
		const marked = /\[scripted-role:([\w-]+)\]/.exec(text)?.[1];
		if (marked !== undefined) return marked;
	}
	if (headers['x-claude-code-agent-id'] !== undefined) return 'subagent';
	return (body.tools ?? []).length === 0 ? 'side' : 'main';
}

/** What a script needs to know of a request; stateless, everything is in the request itself. */
export function readRequest(body: MessagesRequest, headers: IncomingHttpHeaders): ScriptedRequest {
	const answered = body.messages.findLastIndex((message) => message.role === 'assistant');
	const newest = body.messages.filter((message) => message.role === 'user').at(-1)?.content ?? '';
	const parts = typeof newest === 'string' ? [{ type: 'text', text: newest }] : newest;
	return {
		role: roleOf(body, headers),
		turn: body.messages.filter((message) => message.role === 'assistant').length,
		toolResults: parts
			.filter((part) => part.type === 'tool_result')
			.map((part) => ({
				toolUseId: part.tool_use_id ?? '',
				text: textOf(part.content),
				isError: part.is_error === true,
			})),
		userText: textOf(parts.filter((part) => part.type === 'text')),
		hookContext: body.messages
			.slice(answered + 1)
			.filter((message) => message.role === 'system')
			.map((message) => textOf(message.content))
			.join('\n'),
		agentId: [headers['x-claude-code-agent-id']].flat()[0] ?? null,
		tools: (body.tools ?? []).map((tool) => tool.name),
	};
}
