import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { readExtend, toolArguments } from '#lib/commands/extend-command.ts';
import { type McpServer, readMcpServers } from '#lib/commands/mcp-servers.ts';
import { limitOf, type ShellEnv } from '#lib/commands/shell-settings.ts';
import { isJson } from '#lib/json/json.ts';
import { printable } from '#lib/text/printable.ts';
import { readBounded } from '../../disk/bounded-read.ts';
import { BoundedOutput } from '../bounded-output.ts';
import {
	type CancelablePromise,
	type CommandHandler,
	type CommandResult,
	cancelable,
	done,
	failed,
	SHELL_EXIT,
} from '../command-result.ts';

const CONNECT_MS = 30_000;
const CALL_MS = 120_000;
const MAX_PAGES = 50;

interface Called {
	tool: string;
	words: readonly string[];
}

/** `mcp:SERVER:TOOL`: starts the server that the project's `.mcp.json` names, calls the tool, ends the server. */
export class McpHandler implements CommandHandler {
	readonly #project: string;
	readonly #env: ShellEnv;

	constructor(options: { project: string; env: ShellEnv }) {
		this.#project = options.project;
		this.#env = options.env;
	}

	execute(line: string): CancelablePromise<CommandResult> {
		return cancelable((signal) => this.#run(line, signal));
	}

	async #run(line: string, signal: AbortSignal): Promise<CommandResult> {
		const read = readExtend(line);
		if (!read.ok) return failed(read.message);
		if (read.request.kind !== 'mcp') return failed('That is no mcp: command.');
		const { server: name, tool, words } = read.request;
		const found = this.#find(name);
		if ('problem' in found) return failed(found.problem);
		return this.#call(name, found, { tool, words }, signal);
	}

	#find(name: string): McpServer | { problem: string } {
		const file = readBounded(`${this.#project}/.mcp.json`, this.#project);
		if (!file.ok && file.why !== 'absent') return { problem: `.mcp.json cannot be read (${file.why}).` };
		const read = readMcpServers(file.ok ? file.text : '{"mcpServers":{}}', this.#env);
		if (!read.ok) return { problem: read.message };
		const server = read.servers.get(name);
		const known = [...read.servers.keys()].map((one) => printable(one, 100)).join(', ') || 'no server';
		if (!server) return { problem: `Unknown MCP server: ${name}. .mcp.json has ${known}.` };
		return 'problem' in server ? { problem: `MCP server ${name} cannot be called: ${server.problem}.` } : server;
	}

	async #call(name: string, server: McpServer, called: Called, signal: AbortSignal): Promise<CommandResult> {
		// Loaded only here: most commands of the shell need no client.
		const { Client: SdkClient } = await import('@modelcontextprotocol/sdk/client/index.js');
		const { getDefaultEnvironment } = await import('@modelcontextprotocol/sdk/client/stdio.js');
		const { McpTransport } = await import('./mcp-transport.ts');
		const env = { ...getDefaultEnvironment(), ...server.env };
		const errors = new BoundedOutput(16 * 1024);
		const onStderr = (chunk: Buffer) => errors.add(chunk);
		const transport = new McpTransport({ ...server, env, cwd: this.#project, onStderr });
		const client = new SdkClient({ name: 'signalbox', version: '1' });
		const timeout = limitOf(this.#env, 'SYNAPSE_COMMAND_TIMEOUT', CALL_MS);
		try {
			await client.connect(transport, { timeout: Math.min(CONNECT_MS, timeout), signal });
			return await callTool(client, name, called, { timeout, signal });
		} catch (error) {
			if (signal.aborted) return failed('Command execution interrupted.', SHELL_EXIT.cancelled);
			const message = printable(error instanceof Error ? error.message : String(error), 2000);
			const errorText = printable(errors.text(), 1000);
			return failed(`MCP server ${name}: ${message}${errorText === '' ? '' : ` (it said: ${errorText})`}`);
		} finally {
			await client.close().catch(() => {});
			// A cancelled connect closes by itself and need not be awaited.
			await transport.close();
		}
	}
}

async function callTool(
	client: Client,
	server: string,
	{ tool: name, words }: Called,
	limits: { timeout: number; signal: AbortSignal },
): Promise<CommandResult> {
	const tools: Awaited<ReturnType<Client['listTools']>>['tools'] = [];
	let cursor: string | undefined;
	for (let page = 0; page < MAX_PAGES; page++) {
		const answer = await client.listTools(cursor === undefined ? {} : { cursor }, limits);
		tools.push(...answer.tools);
		cursor = answer.nextCursor;
		if (cursor === undefined) break;
	}
	const tool = tools.find((one) => one.name === name);
	if (!tool) {
		const known = tools.map((one) => printable(one.name, 100)).join(', ') || 'none';
		return failed(`Unknown tool: ${name}. MCP server ${server} has ${known}.`);
	}
	if (words.length === 1 && (words[0] === '--help' || words[0] === '-h')) {
		return done(`${tool.description ?? tool.name}\n\nArguments:\n${JSON.stringify(tool.inputSchema, null, 2)}\n`);
	}
	const mapped = toolArguments(words, tool.inputSchema);
	if (!mapped.ok) return failed(`${mapped.message}. \`mcp:${server}:${name} --help\` shows the arguments.`);
	const result = await client.callTool({ name, arguments: mapped.values }, undefined, limits);
	const text = contentText(result);
	return result.isError === true ? failed(text || 'The tool failed and said nothing.') : done(text);
}

const MAX_TEXT = 1024 * 1024;

/** A tool's answer as text: texts unchanged, everything else by its kind. Ends with a line break unless empty. */
function contentText(result: Readonly<Record<string, unknown>>): string {
	const content: unknown[] = Array.isArray(result.content) ? result.content : [];
	const texts = content.length > 0 ? content.map(partText) : [asJson(result.structuredContent)];
	const text = texts.filter((part) => part !== '').join('\n');
	const cut =
		text.length > MAX_TEXT
			? `${text.slice(0, MAX_TEXT)}\n[... ${text.length - MAX_TEXT} characters left out ...]`
			: text;
	return cut === '' || cut.endsWith('\n') ? cut : `${cut}\n`;
}

function partText(part: unknown): string {
	const { type, text, mimeType, data, uri, resource } = fieldsOf(part);
	if (type === 'text' && typeof text === 'string') return text;
	const inner = fieldsOf(resource);
	if (typeof inner.text === 'string') return inner.text;
	const what = [type, mimeType, uri ?? inner.uri].filter((word) => typeof word === 'string').join(' ');
	return `[${what}${typeof data === 'string' ? `, ${data.length} characters of base64` : ''}]`;
}

function asJson(value: unknown): string {
	return value === undefined ? '' : JSON.stringify(value, null, 2);
}

const fieldsOf = (value: unknown): Record<string, unknown> => (isJson(value) ? value : {});
