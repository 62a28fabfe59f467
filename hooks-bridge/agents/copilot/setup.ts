import type { AgentSetup, AgentTelemetry } from '../agent-setup.ts';
import { answerOf, attributesOf, factOf } from '../read-telemetry.ts';

const keys = { session: 'gen_ai.conversation.id', nonce: 'gen_ai.response.id' } as const;

/** What Copilot CLI exports: spans by the conventions for generative AI, run with 1.0.102. None says who let a call run. */
const copilotTelemetry: AgentTelemetry = {
	read(record) {
		if (record.service !== 'github-copilot' || record.attributes.get('gen_ai.operation.name') !== 'chat') return null;
		const from = attributesOf(record);
		const model = from.name('gen_ai.response.model') ?? from.name('gen_ai.request.model');
		if (model === undefined) return null;
		if (record.failed) {
			const status = from.status('http.response.status_code');
			return factOf('copilot', record, from, keys, {
				kind: 'error',
				model,
				...(status !== undefined && { status }),
				error: from.text('error.type') ?? 'no answer',
			});
		}
		const whole = {
			input: from.count('gen_ai.usage.input_tokens'),
			output: from.count('gen_ai.usage.output_tokens'),
			cacheRead: from.count('gen_ai.usage.cache_read.input_tokens'),
			cacheWrite: from.count('gen_ai.usage.cache_creation.input_tokens'),
		};
		return factOf('copilot', record, from, keys, answerOf(model, whole, from.name('gen_ai.response.id')));
	},
	switch: {
		variables: ({ url, token }) => ({
			OTEL_EXPORTER_OTLP_ENDPOINT: url,
			OTEL_EXPORTER_OTLP_HEADERS: `Authorization=Bearer ${token}`,
		}),
	},
};

/** Copilot CLI: a file of ours among its person's hooks, in seconds. */
export const copilotSetup: AgentSetup = {
	program: 'copilot',
	folder: { at: '.copilot', variable: 'COPILOT_HOME' },
	signs: ['.github/hooks', '.github/copilot-instructions.md'],
	hooks: {
		file: 'hooks/signalbox.json',
		content: (entries) => {
			const hooks = entries.map(({ event, command, seconds }) => [
				event,
				[{ type: 'command', bash: command, timeoutSec: seconds }],
			]);
			return `${JSON.stringify({ version: 1, hooks: Object.fromEntries(hooks) }, null, 2)}\n`;
		},
	},
	telemetry: copilotTelemetry,
	limits: [
		'Headless, an ask is a denial.',
		'A call whose hook runs into its timeout runs; a fail-closed entry ends before that.',
		'It asks for permission where all tools are allowed, too: with a page open each call waits for a person here, unless gates.permissionRequest.hold is false.',
		'In a folder that it trusts it also runs the hooks of .claude/settings.json: these stay silent where its own are registered, except a fail-closed entry, which records each command twice.',
		'That a person stopped a turn with Esc is read in its transcript alone, some seconds later.',
	],
};
