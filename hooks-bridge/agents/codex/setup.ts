import { defined } from '#lib/json/json.ts';
import { type AgentSetup, type AgentTelemetry, groupsOf } from '../agent-setup.ts';
import { answerOf, attributesOf, factOf } from '../read-telemetry.ts';

const keys = { session: 'conversation.id', call: 'call_id' } as const;

/** What Codex exports: events as log records, run with 0.169.0. Its output tokens include the model's thinking. */
const codexTelemetry: AgentTelemetry = {
	read(record) {
		const from = attributesOf(record);
		const model = from.name('model');
		switch (record.name) {
			case 'codex.sse_event': {
				// Reported twice: once by the stream, once with the tokens.
				if (model === undefined || from.number('input_token_count') === undefined) return null;
				const cacheRead = from.count('cached_token_count');
				const cacheWrite = from.count('cache_write_token_count');
				const [input, output] = [from.count('input_token_count'), from.count('output_token_count')];
				return factOf('codex', record, from, keys, answerOf(model, { input, output, cacheRead, cacheWrite }));
			}
			case 'codex.api_request': {
				const status = from.status('http.response.status_code');
				const error = from.text('error.message') ?? (status !== undefined && status >= 400 ? 'no answer' : undefined);
				if (error === undefined) return null;
				return factOf('codex', record, from, keys, {
					kind: 'error',
					...defined({ model, status }),
					error,
					attempt: from.count('attempt') + 1,
				});
			}
			case 'codex.tool_decision': {
				const outcome = from.text('decision');
				const by = from.name('source');
				if (outcome === undefined) return null;
				const decision = outcome.startsWith('approved') ? 'accept' : 'reject';
				const tool = from.name('tool_name') ?? '';
				return factOf('codex', record, from, keys, { kind: 'decision', tool, decision, ...(by && { by }) });
			}
			default:
				return null;
		}
	},
	switch: {
		file: 'config.toml',
		table: 'otel',
		block: ({ url, token }) =>
			[
				'[otel]',
				`exporter = { otlp-http = { endpoint = "${url}/v1/logs", protocol = "json", headers = { "authorization" = "Bearer ${token}" } } }`,
			].join('\n'),
	},
};

/** Codex: `hooks.json` in its own folder, in seconds. Its hooks run once they are trusted. */
export const codexSetup: AgentSetup = {
	program: 'codex',
	folder: { at: '.codex', variable: 'CODEX_HOME' },
	signs: ['.codex'],
	hooks: { file: 'hooks.json', groups: (entries) => groupsOf(entries) },
	trust: {
		file: 'config.toml',
		sign: (hooksFile) => `[hooks.state.${JSON.stringify(`${hooksFile}:pre_tool_use`).slice(0, -1)}`,
	},
	after: 'Codex skips hooks that nobody trusts, without a word: start it once and trust them with /hooks.',
	telemetry: codexTelemetry,
	limits: [
		'A hook that is not trusted is skipped in silence: trust it with /hooks in Codex, again after each change of its entry.',
		'`codex exec` asks nobody for permission, so its permission prompts never reach a hook.',
		'A failed command is recorded as one that ran.',
	],
};
