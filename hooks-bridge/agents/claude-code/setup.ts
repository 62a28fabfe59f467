import { defined } from '#lib/json/json.ts';
import type { AgentSetup, AgentTelemetry } from '../agent-setup.ts';
import { attributesOf, factOf } from '../read-telemetry.ts';

/**
 * Every event of the client but two, and whether a matcher filters it. A WorktreeCreate hook would replace git's own creation,
 * and WorktreeRemove is useless without it. The matcher of FileChanged would be a list of files to watch.
 */
export const clientEvents: Readonly<Record<string, boolean>> = {
	SessionStart: true,
	Setup: true,
	InstructionsLoaded: true,
	UserPromptSubmit: false,
	UserPromptExpansion: true,
	MessageDisplay: false,
	PreToolUse: true,
	PermissionRequest: true,
	PermissionDenied: true,
	PostToolUse: true,
	PostToolUseFailure: true,
	PostToolBatch: false,
	Notification: true,
	SubagentStart: true,
	SubagentStop: true,
	TaskCreated: false,
	TaskCompleted: false,
	Stop: false,
	StopFailure: true,
	TeammateIdle: false,
	ConfigChange: true,
	CwdChanged: false,
	DirectoryAdded: true,
	FileChanged: false,
	PreCompact: true,
	PostCompact: true,
	PreModelSwitch: false,
	PostModelSwitch: false,
	Elicitation: true,
	ElicitationResult: true,
	SessionEnd: true,
};

/** What Claude Code exports: events as log records, run with 2.1.112 and 2.1.330. */
const claudeCodeTelemetry: AgentTelemetry = {
	read(record) {
		const from = attributesOf(record);
		const model = from.name('model');
		switch (record.name) {
			case 'claude_code.api_request': {
				if (model === undefined) return null;
				const messageId = from.name('request_id');
				const costUsd = from.number('cost_usd');
				return factOf('claude-code', record, from, keys, {
					kind: 'answer',
					model,
					...(messageId && { messageId }),
					inputTokens: from.count('input_tokens'),
					outputTokens: from.count('output_tokens'),
					cacheReadTokens: from.count('cache_read_tokens'),
					cacheWriteTokens: from.count('cache_creation_tokens'),
					cacheHourTokens: from.count('cache_creation_1h_tokens'),
					...(costUsd !== undefined && { costUsd }),
					...(from.text('speed') === 'fast' && { fast: true as const }),
				});
			}
			case 'claude_code.api_error': {
				const status = from.status('status_code');
				const attempt = from.count('attempt');
				return factOf('claude-code', record, from, keys, {
					kind: 'error',
					...defined({ model, status }),
					error: from.text('error') ?? 'no answer',
					...(attempt > 0 && { attempt }),
				});
			}
			case 'claude_code.tool_decision': {
				const decision = from.text('decision');
				const by = from.name('source');
				if (decision !== 'accept' && decision !== 'reject') return null;
				const tool = from.name('tool_name') ?? '';
				return factOf('claude-code', record, from, keys, { kind: 'decision', tool, decision, ...(by && { by }) });
			}
			default:
				return null;
		}
	},
	switch: {
		// Current clients do not read telemetry settings from a project, trusted or not.
		file: 'settings.json',
		members: ({ url, token }) => [
			env('CLAUDE_CODE_ENABLE_TELEMETRY', '1'),
			env('OTEL_LOGS_EXPORTER', 'otlp'),
			env('OTEL_EXPORTER_OTLP_PROTOCOL', 'http/json'),
			env('OTEL_EXPORTER_OTLP_ENDPOINT', url),
			env('OTEL_EXPORTER_OTLP_HEADERS', `Authorization=Bearer ${token}`),
		],
		taken: ['CLAUDE_CODE_ENABLE_TELEMETRY', 'OTEL_LOGS_EXPORTER', 'OTEL_METRICS_EXPORTER', 'OTEL_TRACES_EXPORTER']
			.concat(['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_HEADERS'])
			.concat(['OTEL_EXPORTER_OTLP_LOGS_PROTOCOL', 'OTEL_EXPORTER_OTLP_LOGS_ENDPOINT'])
			.concat(['OTEL_EXPORTER_OTLP_LOGS_HEADERS'])
			.map((name) => ['env', name])
			.concat([['otelHeadersHelper']]),
		alsoIn: ['.claude/settings.json', '.claude/settings.local.json'],
	},
};

/** Claude Code: its hooks are registered in each project (`server/setup`). */
export const claudeCodeSetup: AgentSetup = {
	program: 'claude',
	folder: { at: '.claude', variable: 'CLAUDE_CONFIG_DIR' },
	signs: ['.claude'],
	telemetry: claudeCodeTelemetry,
	limits: ['When a Stop hook fails, the turn ends: the client has no fail-closed there.'],
};

const keys = {
	session: 'session.id',
	agent: 'agent_id',
	prompt: 'prompt.id',
	call: 'tool_use_id',
	nonce: 'event.sequence',
} as const;

const env = (name: string, value: string) => ({ path: ['env', name], value });
