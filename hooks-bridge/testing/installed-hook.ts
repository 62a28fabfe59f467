import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleHook, hookScript } from '../../scripts/bundle-hook.mjs';
import { doorProof } from '../door/hook-run.ts';
import type { SealedEvent } from '../ports/ports.ts';

/** How a hook process ended. */
export interface HookResult {
	code: number | null;
	stdout: string;
	stderr: string;
}

/** The hook as `init` installs it, in a folder of its own, with a state root and a project beside it. */
export interface InstalledHook {
	home: string;
	project: string;
	bin: string;
	/**
	 * Runs hook.sh, or `command` instead, with `input` on stdin; `null` leaves stdin open until the end. If the environment has
	 * another PATH, its folders replace those of the system too, unless `systems` names them.
	 */
	run(
		args: string[],
		input: string | Buffer | null,
		more?: { env?: Record<string, string>; command?: string; path?: 'systems' },
	): Promise<HookResult>;
	/** From now on another program replaces the system's perl. */
	setPerl(program: string): void;
	/** Opens a door with this behaviour. */
	serve(handler: RequestListener): Promise<Server>;
	/** Opens a door that answers every hook with this body and a valid proof. */
	serveProven(body: string): Promise<Server>;
	/** The input of the hook before a command line runs, each a call of its own. */
	bashCall(command: string): string;
	/** The types of the events of a session. */
	recorded(sessionId: string): SealedEvent[];
	remove(): Promise<void>;
}

let bundled: ReturnType<typeof bundleHook> | undefined;

const PERL = '/usr/bin/perl';
const SYSTEM_PATH = /\/usr\/bin:\/bin:[\w/:-]*$/m;

/** The programs with which hook.sh asks the door, and the folder in which it then looks for perl. */
export const ASKERS = [
	['perl', PERL],
	['curl', '/nowhere/perl'],
] as const;

/** Bundles and installs the hook into a temporary folder. */
export async function installHook(): Promise<InstalledHook> {
	const root = mkdtempSync(join(tmpdir(), 'hook-'));
	const [home, project, bin] = [join(root, 'home'), join(root, 'project'), join(root, 'bin')];
	for (const folder of [home, project, bin]) mkdirSync(folder);
	bundled ??= bundleHook();
	for (const { name, text, mode } of await bundled) writeFileSync(join(bin, name), text, { mode });
	const servers: Server[] = [];
	let serial = 0;
	let [original, changed] = ['', ''];
	/** Makes hook.sh find the system's programs in these folders, if it is the installed one. */
	const setSystemFolders = (folders: string | undefined) => {
		const path = join(bin, 'hook.sh');
		const script = existsSync(path) ? readFileSync(path, 'latin1') : '';
		const before = script === changed ? original : script;
		const wanted = folders === undefined ? before : before.replace(SYSTEM_PATH, folders);
		if (wanted === script) return;
		[original, changed] = [before, wanted];
		writeFileSync(path, wanted, 'latin1');
	};
	const hook: InstalledHook = {
		home,
		project,
		bin,
		run: (given, input, { env, command = join(bin, 'hook.sh'), path } = {}) =>
			new Promise((resolve, reject) => {
				const folders = path === 'systems' ? undefined : env?.PATH;
				const args = given.map((word) => (folders === undefined ? word : word.replace(SYSTEM_PATH, folders)));
				setSystemFolders(folders);
				const base = { PATH: process.env.PATH, HOME: root, OVERTONE_HOME: home };
				const child = spawn(command, args, { cwd: project, env: { NODE_ENV: 'test', ...base, ...env } });
				const result: HookResult = { code: null, stdout: '', stderr: '' };
				child.stdout.on('data', (text) => (result.stdout += text));
				child.stderr.on('data', (text) => (result.stderr += text));
				child.stdin.on('error', () => undefined);
				child.on('error', reject);
				child.on('close', (code) => resolve({ ...result, code }));
				if (input !== null) child.stdin.end(input);
			}),
		setPerl: (program) => {
			const script = hookScript();
			if (!script.includes(`perl=${PERL}\n`)) throw new Error('hook.sh does not say where its perl is');
			writeFileSync(join(bin, 'hook.sh'), script.replace(`perl=${PERL}\n`, `perl=${program}\n`));
		},
		serve: async (handler) => {
			const server = createServer(handler);
			servers.push(server);
			await new Promise<void>((resolve) => server.listen(join(home, 'bridge.sock'), resolve));
			return server;
		},
		serveProven: (body) => {
			const key = 'a'.repeat(64);
			writeFileSync(join(home, 'door.key'), `${key}\n`);
			return hook.serve((request, reply) => {
				const proof = doorProof(key, String(request.headers['x-signalbox-request']), body);
				const type = { 'content-type': `application/json; proof=${proof}` };
				request.resume().on('end', () => reply.writeHead(200, type).end(body));
			});
		},
		bashCall: (command) => {
			serial += 1;
			const call = { session_id: 's1', cwd: project, hook_event_name: 'PreToolUse', tool_name: 'Bash' };
			return JSON.stringify({ ...call, tool_use_id: `toolu_${serial}`, tool_input: { command } });
		},
		recorded: (sessionId) => {
			const path = join(home, 'sessions', sessionId, 'timeline.jsonl');
			const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
			return lines.filter(Boolean).map((line) => JSON.parse(line) as SealedEvent);
		},
		remove: async () => {
			for (const server of servers) {
				server.closeAllConnections();
				await new Promise((resolve) => server.close(resolve));
			}
			rmSync(root, { recursive: true });
		},
	};
	return hook;
}
