/** What the model does in one turn: it calls a tool, or says its last words. */
export type Block = { tool: string; input: Readonly<Record<string, unknown>> } | { text: string };

/** One of the forms in which clients talk to a model, as far as a scripted model needs it. */
export interface WireFormat {
	/** The end of the path of a request for a turn. */
	path: RegExp;
	/** What the client has told of its calls so far, oldest first: their number is the turn. */
	results(body: Body): string[];
	/** The lines of the event stream that bring one block. */
	stream(block: Block, turn: number): string[];
}

type Body = Readonly<Record<string, unknown>>;
type Item = Readonly<Record<string, unknown>>;

const itemsOf = (value: unknown): Item[] => (Array.isArray(value) ? (value as Item[]) : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''));
const data = (value: object): string => `data: ${JSON.stringify(value)}`;

/** OpenAI's Responses: Codex. */
export const responses: WireFormat = {
	path: /\/responses$/,
	results: ({ input }) =>
		itemsOf(input)
			.filter(({ type }) => type === 'function_call_output')
			.map(({ output }) => textOf(output)),
	stream(block, index) {
		const item =
			'text' in block
				? {
						type: 'message',
						id: `msg_${index}`,
						role: 'assistant',
						content: [{ type: 'output_text', text: block.text }],
					}
				: {
						type: 'function_call',
						id: `fc_${index}`,
						call_id: `call_${index}`,
						name: block.tool,
						arguments: JSON.stringify(block.input),
					};
		const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
		const events = [
			{ type: 'response.created', response: { id: `resp_${index}` } },
			{ type: 'response.output_item.done', output_index: 0, item },
			{ type: 'response.completed', response: { id: `resp_${index}`, output: [item], usage } },
		];
		return events.map((event) => `event: ${event.type}\n${data(event)}`);
	},
};

/** OpenAI's Chat Completions: Qwen Code, Copilot CLI. */
export const chat: WireFormat = {
	path: /\/chat\/completions$/,
	results: ({ messages }) =>
		itemsOf(messages)
			.filter(({ role }) => role === 'tool')
			.map(({ content }) => textOf(content)),
	stream(block, index) {
		const chunk = { id: `chat_${index}`, object: 'chat.completion.chunk', created: 1, model: 'scripted' };
		const call = (name: string, input: object) => ({
			tool_calls: [
				{ index: 0, id: `call_${index}`, type: 'function', function: { name, arguments: JSON.stringify(input) } },
			],
		});
		const delta = 'text' in block ? { content: block.text } : call(block.tool, block.input);
		const finish = 'text' in block ? 'stop' : 'tool_calls';
		const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
		return [
			data({ ...chunk, choices: [{ index: 0, delta: { role: 'assistant', ...delta }, finish_reason: null }] }),
			data({ ...chunk, choices: [{ index: 0, delta: {}, finish_reason: finish }], usage }),
			'data: [DONE]',
		];
	},
};

/** Google's generateContent: Gemini CLI. */
export const generateContent: WireFormat = {
	path: /:streamGenerateContent$/,
	results: ({ contents }) =>
		itemsOf(contents)
			.flatMap(({ parts }) => itemsOf(parts))
			.flatMap(({ functionResponse }) => (functionResponse === undefined ? [] : [textOf(functionResponse)])),
	stream(block) {
		const part = 'text' in block ? { text: block.text } : { functionCall: { name: block.tool, args: block.input } };
		const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };
		return [data({ candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP' }], usageMetadata })];
	},
};
