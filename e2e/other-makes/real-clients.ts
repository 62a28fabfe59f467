import type { AgentName } from '#lib/agents/agent-table.ts';
import type { NpmClient } from './install-client.ts';
import { type Block, chat, generateContent, responses, type WireFormat } from './wire-formats.ts';

/** How the real client of one maker is run against a scripted model, without a network and without a person. */
export interface RealClient extends NpmClient {
	name: AgentName;
	title: string;
	format: WireFormat;
	/** The call by which its model runs a command. */
	runs(command: string): Block;
	/** Files below its home that it needs. */
	files(apiUrl: string): Readonly<Record<string, string>>;
	env(apiUrl: string): Readonly<Record<string, string>>;
	args(prompt: string): string[];
	/** It exports telemetry; `decisions`: who let a call run, too. */
	exports?: { decisions: boolean };
	/** Its program is a script for node. */
	isScript?: true;
}

const noUpdates = { general: { enableAutoUpdate: false }, privacy: { usageStatisticsEnabled: false } };
const described = (command: string) => ({ command, description: 'as asked' });

export const realClients: readonly RealClient[] = [
	{
		name: 'codex',
		exports: { decisions: true },
		title: 'Codex',
		npm: '@openai/codex',
		version: '0.169.0',
		program: '@openai/codex/bin/codex.js',
		isScript: true,
		format: responses,
		// Without it the call comes back after ten seconds, with its command at work.
		runs: (cmd) => ({ tool: 'exec_command', input: { cmd, yield_time_ms: 60_000 } }),
		files: (apiUrl) => ({
			'.codex/config.toml': [
				'model = "gpt-5.5"',
				'model_provider = "scripted"',
				'check_for_update_on_startup = false',
				'[model_providers.scripted]',
				'name = "scripted"',
				`base_url = "${apiUrl}/v1"`,
				'wire_api = "responses"',
				'env_key = "SCRIPTED_KEY"',
				'[analytics]',
				'enabled = false',
				'',
			].join('\n'),
		}),
		env: () => ({ SCRIPTED_KEY: 'k' }),
		args: (prompt) => [
			...['exec', '--json', '--skip-git-repo-check', '--dangerously-bypass-hook-trust'],
			...['-s', 'danger-full-access', prompt],
		],
	},
	{
		name: 'gemini',
		exports: { decisions: true },
		title: 'Gemini CLI',
		npm: '@google/gemini-cli',
		version: '0.61.0',
		program: '@google/gemini-cli/bundle/gemini.js',
		isScript: true,
		format: generateContent,
		runs: (command) => ({ tool: 'run_shell_command', input: described(command) }),
		files: () => ({
			'.gemini/settings.json': JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } }, ...noUpdates }),
		}),
		env: (apiUrl) => ({
			GEMINI_API_KEY: 'k',
			GOOGLE_GEMINI_BASE_URL: apiUrl,
			GEMINI_CLI_TRUST_WORKSPACE: 'true',
			GEMINI_CLI_NO_RELAUNCH: 'true',
		}),
		args: (prompt) => ['-m', 'gemini-2.5-pro', '--yolo', '-p', prompt],
	},
	{
		name: 'qwen',
		exports: { decisions: true },
		title: 'Qwen Code',
		npm: '@qwen-code/qwen-code',
		version: '0.24.4',
		program: '@qwen-code/qwen-code/cli-entry.js',
		isScript: true,
		format: chat,
		runs: (command) => ({ tool: 'run_shell_command', input: { ...described(command), is_background: false } }),
		files: () => ({
			'.qwen/settings.json': JSON.stringify({ security: { auth: { selectedType: 'openai' } }, ...noUpdates }),
		}),
		env: (apiUrl) => ({
			OPENAI_API_KEY: 'k',
			OPENAI_BASE_URL: `${apiUrl}/v1`,
			OPENAI_MODEL: 'scripted',
			QWEN_CODE_NO_RELAUNCH: 'true',
		}),
		args: (prompt) => ['--auth-type', 'openai', '-m', 'scripted', '--yolo', '-p', prompt],
	},
	{
		name: 'copilot',
		exports: { decisions: false },
		title: 'Copilot CLI',
		npm: '@github/copilot',
		version: '1.0.102',
		program: `@github/copilot-${process.platform}-${process.arch}/copilot`,
		format: chat,
		runs: (command) => ({ tool: 'bash', input: described(command) }),
		files: () => ({}),
		env: (apiUrl) => ({
			COPILOT_OFFLINE: 'true',
			COPILOT_PROVIDER_BASE_URL: `${apiUrl}/v1`,
			COPILOT_PROVIDER_API_KEY: 'k',
			COPILOT_MODEL: 'scripted',
			COPILOT_AUTO_UPDATE: 'false',
		}),
		args: (prompt) => ['-p', prompt, '--no-color', '--allow-all-tools'],
	},
	{
		name: 'opencode',
		title: 'OpenCode',
		npm: 'opencode-ai',
		version: '1.18.33',
		program: `opencode-${process.platform}-${process.arch}/bin/opencode`,
		format: chat,
		runs: (command) => ({ tool: 'bash', input: described(command) }),
		files: (apiUrl) => ({
			'.config/opencode/opencode.json': JSON.stringify({
				model: 'scripted/scripted',
				small_model: 'scripted/scripted',
				autoupdate: false,
				share: 'disabled',
				provider: {
					scripted: {
						name: 'scripted',
						npm: '@ai-sdk/openai-compatible',
						options: { baseURL: `${apiUrl}/v1`, apiKey: 'k' },
						models: { scripted: { name: 'Scripted', limit: { context: 100_000, output: 4000 } } },
					},
				},
			}),
		}),
		env: () => ({
			OPENCODE_DISABLE_AUTOUPDATE: '1',
			OPENCODE_DISABLE_MODELS_FETCH: '1',
			OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
			OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
		}),
		args: (prompt) => ['run', prompt],
	},
	{
		name: 'pi',
		title: 'pi',
		npm: '@mariozechner/pi-coding-agent',
		version: '0.73.1',
		program: '@mariozechner/pi-coding-agent/dist/cli.js',
		isScript: true,
		format: chat,
		runs: (command) => ({ tool: 'bash', input: { command } }),
		files: (apiUrl) => ({
			'.pi/agent/models.json': JSON.stringify({
				providers: {
					scripted: {
						...{ baseUrl: `${apiUrl}/v1`, api: 'openai-completions', apiKey: 'k', models: [{ id: 'scripted' }] },
						compat: { supportsDeveloperRole: false },
					},
				},
			}),
		}),
		env: () => ({ PI_OFFLINE: '1' }),
		args: (prompt) => ['--offline', '--model', 'scripted/scripted', '-p', prompt],
	},
];
