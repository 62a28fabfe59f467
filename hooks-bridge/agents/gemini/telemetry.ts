import type { AgentName } from '#lib/agents/agent-table.ts';
import { defined } from '#lib/json/json.ts';
import type { AgentTelemetry, TelemetryTarget } from '../agent-setup.ts';
import { answerOf, attributesOf, factOf } from '../read-telemetry.ts';

const keys = { session: 'session.id', prompt: 'prompt_id', call: 'call_id', nonce: 'response_id' } as const;

/**
 * What Gemini CLI and its descendant Qwen Code export: log records, named after `prefix`. Thinking tokens come beside the output
 * and are paid as output.
 */
export function geminiTelemetry(client: AgentName, prefix: string): AgentTelemetry {
	return {
		read(record) {
			if (!record.name.startsWith(prefix)) return null;
			const from = attributesOf(record);
			const model = from.name('model');
			switch (record.name.slice(prefix.length)) {
				case 'api_response': {
					if (model === undefined) return null;
					const cacheRead = from.count('cached_content_token_count');
					const output = from.count('output_token_count') + from.count('thoughts_token_count');
					const whole = { input: from.count('input_token_count'), output, cacheRead };
					return factOf(client, record, from, keys, answerOf(model, whole, from.name('response_id')));
				}
				case 'api_error': {
					const status = from.status('status_code');
					return factOf(client, record, from, keys, {
						kind: 'error',
						...defined({ model, status }),
						error: from.text('error.message') ?? from.text('error') ?? 'no answer',
					});
				}
				case 'tool_call': {
					const by = from.name('decision');
					if (by === undefined) return null;
					const decision = by === 'reject' ? 'reject' : 'accept';
					const tool = from.name('function_name') ?? '';
					return factOf(client, record, from, keys, { kind: 'decision', tool, decision, by });
				}
				default:
					return null;
			}
		},
		switch: {
			file: 'settings.json',
			taken: [['telemetry']],
			members: (to) => [{ path: ['telemetry'], value: telemetrySection(to) }],
		},
	};
}

/** There is no setting for headers, so the token is in the address. */
function telemetrySection({ url, token }: TelemetryTarget) {
	const otlpEndpoint = `${url}/otlp/${token}`;
	return { enabled: true, target: 'local', otlpEndpoint, otlpProtocol: 'http', logPrompts: false };
}
