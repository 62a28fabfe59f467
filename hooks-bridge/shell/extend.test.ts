import {
	chmodSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	realpathSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { McpHandler } from './extend/mcp-handler.ts';
import { SearchHandler } from './extend/search-handler.ts';
import { SkillHandler } from './extend/skill-handler.ts';

let folder: string;
let env: Record<string, string | undefined>;
beforeEach(() => {
	folder = realpathSync(mkdtempSync(join(tmpdir(), 'extend-')));
	env = { PATH: process.env.PATH, HOME: join(folder, 'home') };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A real server of the SDK, as small as one can be. */
const SERVER = `
import { McpServer } from '${import.meta.resolve('@modelcontextprotocol/sdk/server/mcp.js')}';
import { StdioServerTransport } from '${import.meta.resolve('@modelcontextprotocol/sdk/server/stdio.js')}';
import { writeFileSync } from 'node:fs';
import * as z from '${import.meta.resolve('zod')}';
writeFileSync(process.env.PID_FILE, String(process.pid));
process.stderr.write('server log\\n');
const server = new McpServer({ name: 'demo', version: '1' });
server.registerTool('add', { description: 'Adds.', inputSchema: { a: z.number(), b: z.number().optional() } }, ({ a, b = 1 }) => ({ content: [{ type: 'text', text: 'sum ' + (a + b) }] }));
server.registerTool('fail', { inputSchema: {} }, () => ({ isError: true, content: [{ type: 'text', text: 'it broke' }] }));
server.registerTool('picture', { inputSchema: {} }, () => ({ content: [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }] }));
server.registerTool('hang', { inputSchema: {} }, () => new Promise(() => {}));
server.registerTool('where', { inputSchema: {} }, () => ({ content: [{ type: 'text', text: process.cwd() + ' ' + (process.env.SECRET ?? 'none') }] }));
await server.connect(new StdioServerTransport());
`;

function mcp() {
	writeFileSync(join(folder, 'server.mjs'), SERVER);
	const demo = {
		command: process.execPath,
		args: [join(folder, 'server.mjs')],
		env: { PID_FILE: join(folder, 'pid') },
	};
	const broken = { command: process.execPath, args: ['-e', 'console.error("no key"); process.exit(3)'] };
	const servers = { demo, broken, missing: { command: '/no/such/program' }, web: { type: 'http', url: 'http://x' } };
	writeFileSync(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: servers }));
	const handler = new McpHandler({ project: folder, env: { ...env, SECRET: 'x' } });
	return (line: string) => handler.execute(line);
}

test('a tool of a real server is called with arguments by its schema, and its answer is text', async () => {
	const run = mcp();
	expect(await run('mcp:demo:add 2 --b=40')).toEqual({ stdout: 'sum 42\n', stderr: '', exitCode: 0 });
	expect(await run('mcp:demo:fail')).toMatchObject({ exitCode: 1, stderr: 'it broke\n' });
	expect((await run('mcp:demo:picture')).stdout).toBe('[image image/png, 4 characters of base64]\n');
	expect((await run('mcp:demo:where')).stdout).toBe(`${folder} none\n`);
	expect((await run('mcp:demo:add --help')).stdout).toContain('Adds.');
});

test('what cannot be called says why and exits with 1', async () => {
	const run = mcp();
	const failures = {
		'mcp:nobody:add': 'Unknown MCP server: nobody. .mcp.json has demo, broken, missing, web.',
		'mcp:demo:nothing': 'Unknown tool: nothing. MCP server demo has add, fail',
		'mcp:demo:add two': '--a must be number',
		'mcp:demo:add': 'Missing: --a',
		'mcp:broken:x': '(it said: no key)',
		'mcp:missing:x': 'MCP server missing: ',
		'mcp:web:x': 'only servers that are started as a program',
		'mcp:demo': 'Usage: mcp:<server>:<tool>',
	};
	for (const [line, message] of Object.entries(failures)) {
		expect(await run(line)).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringContaining(message) });
	}
	writeFileSync(join(folder, '.mcp.json'), '{');
	expect((await run('mcp:demo:add 1')).stderr).toContain('.mcp.json is not valid JSON');
	rmSync(join(folder, '.mcp.json'));
	expect((await run('mcp:demo:add 1')).stderr).toContain('.mcp.json has no server');
});

test('cancelling a call ends its server', async () => {
	const run = mcp();
	const running = run('mcp:demo:hang');
	await vi.waitFor(() => expect(readFileSync(join(folder, 'pid'), 'utf8')).toMatch(/\d/), { timeout: 10_000 });
	const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
	running.cancel();
	expect(await running).toMatchObject({ exitCode: 130, stderr: expect.stringContaining('interrupted') });
	await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow());
});

/** Whether a process is there; a zombie is not. */
function isAlive(pid: string): boolean {
	try {
		return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
	} catch {
		return false;
	}
}

test.each([
	['prints other things without end', 'yes garbage & echo $! > pid; wait', 'lines that are no messages'],
	['is silent and deaf', "trap '' TERM; sleep 1000 & echo $! > pid; wait; wait", 'timed out'],
	['leaves something behind that holds its output', 'sleep 1000 & echo $! > pid; exit 3', 'timed out'],
])(
	'a server that %s ends in time, with all that it started',
	async (_, script, problem) => {
		const servers = { odd: { command: '/bin/sh', args: ['-c', script] } };
		writeFileSync(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: servers }));
		const handler = new McpHandler({ project: folder, env: { ...env, SYNAPSE_COMMAND_TIMEOUT: '500' } });
		expect(await handler.execute('mcp:odd:tool')).toMatchObject({
			exitCode: 1,
			stderr: expect.stringContaining(problem),
		});
		const pid = readFileSync(join(folder, 'pid'), 'utf8').trim();
		await vi.waitFor(() => expect(isAlive(pid)).toBe(false));
	},
	30_000,
);

function skill(parent: string, name: string, text: string, scripts: Record<string, string> = {}) {
	mkdirSync(join(folder, parent, name, 'scripts'), { recursive: true });
	writeFileSync(join(folder, parent, name, 'SKILL.md'), text);
	for (const [file, content] of Object.entries(scripts))
		writeFileSync(join(folder, parent, name, 'scripts', file), content);
}
const PROJECT = '.claude/skills';
const skills = () => {
	const handler = new SkillHandler({ project: folder, cwd: folder, env });
	return (line: string) => handler.execute(line);
};

test('skills are listed, recorded and loaded; the project’s are before the person’s', async () => {
	skill(PROJECT, 'pdf', '---\nname: pdf\ndescription: Reads PDFs\n---\n# Body', {
		'pages.sh': 'echo',
		'notes.txt': '',
	});
	skill('home/.claude/skills', 'pdf', '---\ndescription: other\n---\n');
	skill('home/.claude/skills', 'mine', '---\ndescription: own\n---\n');
	const run = skills();
	expect((await run('skill:list')).stdout).toBe('pdf\tReads PDFs\nmine\town\n');
	expect((await run('skill:load pdf')).stdout).toContain('# Body');
	expect((await run('skill:info pdf')).stdout).toContain('tools:\n  skill:pdf:pages\n');
	expect(await run('skill:load x:y')).toMatchObject({
		exitCode: 1,
		stderr: expect.stringContaining('Unknown skill: x:y'),
	});
	expect((await run('skill:unknown')).stderr).toContain('Unknown skill command: skill:unknown');
	expect((await run('skill:load')).stderr).toContain('Usage: skill:load <name>');
	const search = new SearchHandler({ project: folder, env });
	expect((await search.execute('command:search pdf')).stdout).toContain('skill:pdf:pages\tReads PDFs');
});

test('lists that an agent reads hold nothing that a terminal would act on', async () => {
	skill(PROJECT, 'pdf', '---\nname: pdf\ndescription: "Reads\u001b]0;x\u0007 \u001b[31mPDFs\u202e"\n---\n', {
		'pages.sh': 'echo',
	});
	writeFileSync(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: { 'a\u001b[2J\nb': { command: 'x' } } }));
	const listed = await skills()('skill:list');
	const info = await skills()('skill:info pdf');
	const search = await new SearchHandler({ project: folder, env }).execute('command:search');
	expect(listed.stdout).toBe('pdf\tReads PDFs\n');
	expect(info.stdout).toContain('description: Reads PDFs\n');
	expect(search.stdout).toContain('mcp:a b:\ta server in .mcp.json\n');
	for (const { stdout } of [listed, info, search]) expect(stdout.replace(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

test('a skill’s script gets its words as they are, and nothing runs through a link out of the skill', async () => {
	skill(PROJECT, 'demo', '---\n---\n', {
		'args.sh': 'printf "<%s>" "$@"; echo; echo err >&2; exit 5',
		'node.mjs': 'console.log(process.argv.slice(2).join("+"))',
		plain: '#!/bin/sh\necho plain',
		unexecutable: '#!/bin/sh\necho no',
	});
	chmodSync(join(folder, PROJECT, 'demo/scripts/plain'), 0o755);
	writeFileSync(join(folder, 'evil.sh'), 'echo evil');
	symlinkSync(join(folder, 'evil.sh'), join(folder, PROJECT, 'demo/scripts/evil.sh'));
	const run = skills();
	expect(await run(`skill:demo:args "a b" '$(rm x)' ; ls`)).toMatchObject({
		stdout: '<a b><$(rm x)><;><ls>\n',
		stderr: 'err\n',
		exitCode: 5,
	});
	expect((await run('skill:demo:node 1 2')).stdout).toBe('1+2\n');
	expect((await run('skill:demo:plain')).stdout).toBe('plain\n');
	for (const tool of ['evil', 'unexecutable', 'nothing']) {
		expect((await run(`skill:demo:${tool}`)).stderr).toContain(
			`Unknown tool: ${tool}. Skill demo has args, node, plain.`,
		);
	}
	expect((await run('skill:nobody:x')).stderr).toContain('Unknown skill: nobody. There are demo.');
});
