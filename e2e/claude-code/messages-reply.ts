import type { ServerResponse } from 'node:http';
import type { ScriptedReply } from './script.ts';

const USAGE = { input_tokens: 100, output_tokens: 20, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

type Content = { type: 'text'; text: string } | { type: 'tool_use'; id: string; name: string; input: unknown };

/** A reply as the Messages API has it. `seed` makes ids that a retry of the same request gets again. */
export function messageOf(reply: ScriptedReply, model: string, seed: string) {
	const content = reply.blocks.map(
		(block, index): Content =>
			'text' in block
				? { type: 'text', text: block.text }
				: { type: 'tool_use', id: block.id ?? `toolu_${seed}_${index}`, name: block.tool, input: block.input },
	);
	return {
		id: `msg_${seed}`,
		type: 'message',
		role: 'assistant',
		model,
		content,
		stop_reason: content.some((part) => part.type === 'tool_use') ? 'tool_use' : 'end_turn',
		stop_sequence: null,
		usage: USAGE,
	};
}

type Message = ReturnType<typeof messageOf>;

/** Sends a reply as one JSON body. */
export function sendWhole(response: ServerResponse, message: Message): void {
	response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(message));
}

/** Sends a reply as the API's event stream. */
export function sendStream(response: ServerResponse, message: Message): void {
	response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
	const emit = (data: { type: string; [field: string]: unknown }) =>
		response.write(`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`);
	emit({
		type: 'message_start',
		message: { ...message, content: [], stop_reason: null, usage: { ...USAGE, output_tokens: 1 } },
	});
	for (const [index, part] of message.content.entries()) {
		const isText = part.type === 'text';
		emit({
			type: 'content_block_start',
			index,
			content_block: isText ? { type: 'text', text: '' } : { ...part, input: {} },
		});
		emit({
			type: 'content_block_delta',
			index,
			delta: isText
				? { type: 'text_delta', text: part.text }
				: { type: 'input_json_delta', partial_json: JSON.stringify(part.input) },
		});
		emit({ type: 'content_block_stop', index });
	}
	emit({
		type: 'message_delta',
		delta: { stop_reason: message.stop_reason, stop_sequence: null },
		usage: { output_tokens: USAGE.output_tokens },
	});
	emit({ type: 'message_stop' });
	response.end();
}
