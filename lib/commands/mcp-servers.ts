import { isJson } from '../json/json.ts';
import type { ShellEnv } from './shell-settings.ts';

/** A server of the Model Context Protocol that is started as a program. */
export interface McpServer {
	command: string;
	args: string[];
	env: Record<string, string>;
}

type ServersRead = { ok: true; servers: Map<string, McpServer | { problem: string }> } | { ok: false; message: string };

/** Reads the text of a project's `.mcp.json`; `${NAME}` and `${NAME:-default}` are filled in from the environment. */
export function readMcpServers(text: string, env: ShellEnv): ServersRead {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return { ok: false, message: '.mcp.json is not valid JSON.' };
	}
	const listed = isJson(value) && isJson(value.mcpServers) ? value.mcpServers : undefined;
	if (!listed) return { ok: false, message: '.mcp.json has no object "mcpServers".' };
	return {
		ok: true,
		servers: new Map(Object.entries(listed).map(([name, server]) => [name, readServer(server, env)])),
	};
}

function readServer(value: unknown, env: ShellEnv): McpServer | { problem: string } {
	const server = isJson(value) ? value : undefined;
	const fill = (text: string): string =>
		text.replace(/\$\{(\w+)(?::-([^}]*))?\}/g, (_whole, name: string, other?: string) => env[name] ?? other ?? '');
	if (typeof server?.command !== 'string' || server.command === '') {
		return { problem: 'it names no command: only servers that are started as a program (stdio) can be called' };
	}
	const args = server.args ?? [];
	if (!Array.isArray(args) || !args.every((word) => typeof word === 'string')) {
		return { problem: 'its "args" are no list of texts' };
	}
	const own = Object.entries(isJson(server.env) ? server.env : {}).filter((entry): entry is [string, string] => {
		return typeof entry[1] === 'string';
	});
	return {
		command: fill(server.command),
		args: args.map(fill),
		env: Object.fromEntries(own.map(([name, text]) => [name, fill(text)])),
	};
}
