import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import http, { type RequestListener } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { CURRENT_CLIENT, installClient } from '#e2e/claude-code/install-client.ts';
import { createProject, type TestProject } from '#e2e/claude-code/project.ts';
import { runClient } from '#e2e/claude-code/run-client.ts';
import { call, delegate, replyText } from '#e2e/claude-code/script.ts';
import { startScriptedApi } from '#e2e/claude-code/scripted-api.ts';
import { type RunningServer, startServer } from '#e2e/rig/running-server.ts';
import { signalbox } from '#e2e/rig/signalbox-command.ts';
import { soakCounts } from '#soak/rig/soak-runs.ts';

test.describe.configure({ timeout: 240_000 });

/** What stands behind a fault, and takes itself away. */
type CleanUp = () => Promise<void> | void;
interface Installation {
	project: TestProject;
	home: string;
	sessionId: string;
	server?: RunningServer;
}
interface Fault {
	make(installation: Installation): Promise<CleanUp> | CleanUp;
	/** Whether a harmless command runs: judged without the server it does, unjudged it must not. */
	harmless: 'runs' | 'blocked';
	/** It happens to a server that really runs, with this in its environment. */
	server?: (project: TestProject) => Readonly<Record<string, string>>;
	/** Without one it is measured by `npm run soak A3` alone. */
	inTests?: true;
}

const socketOf = ({ home }: Installation) => join(home, 'bridge.sock');
const nothing = () => undefined;

/** A program in the server's place. */
const door = (listener: RequestListener) => async (installation: Installation) => {
	const server = http.createServer(listener);
	await new Promise<void>((resolve) => server.listen(socketOf(installation), resolve));
	return async () => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	};
};
const answering = (write: (response: http.ServerResponse) => void) =>
	door((request, response) => request.resume().on('end', () => write(response)));
const ALLOW = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}';

const FAULTS: Record<string, Fault> = {
	'the server is down': { make: () => nothing, harmless: 'runs', inTests: true },
	'the server hangs': {
		make: async (installation) => {
			const server = createServer((socket) => void socket.on('error', nothing).resume());
			await new Promise<void>((resolve) => server.listen(socketOf(installation), resolve));
			return () => void server.close();
		},
		harmless: 'runs',
	},
	'the server is slow': {
		make: answering((response) => void setTimeout(() => response.end(), 9000)),
		harmless: 'blocked',
	},
	'the server says 500': { make: answering((response) => response.writeHead(500).end('{}')), harmless: 'blocked' },
	'the server says garbage': { make: answering((response) => response.end('<html>hello')), harmless: 'blocked' },
	'the answer is cut off': {
		make: answering((response) => response.end('{"hookSpecificOutput":{"permissionDeci')),
		harmless: 'blocked',
	},
	'the answer has another schema': {
		make: answering((response) => response.end('{"decision":{"behaviour":7},"ok":true}')),
		harmless: 'blocked',
	},
	'the socket leads nowhere': {
		make(installation) {
			symlinkSync(join(installation.home, 'gone.sock'), socketOf(installation));
			return () => rmSync(socketOf(installation));
		},
		harmless: 'runs',
	},
	'the state root is gone': {
		make({ home }) {
			renameSync(home, `${home}.away`);
			return () => renameSync(`${home}.away`, home);
		},
		harmless: 'blocked',
	},
	'an impostor says nothing': { make: answering((response) => response.end()), harmless: 'blocked', inTests: true },
	'an impostor says allow': { make: answering((response) => response.end(ALLOW)), harmless: 'blocked' },
	'an impostor takes the place of a running server': {
		make: async (installation) => {
			const { pid } = installation.server as RunningServer;
			// It stops, so that it cannot take its place back.
			process.kill(pid(), 'SIGSTOP');
			rmSync(socketOf(installation));
			const close = await answering((response) => response.end(ALLOW))(installation);
			return async () => {
				await close();
				process.kill(pid(), 'SIGCONT');
			};
		},
		harmless: 'blocked',
		server: () => ({}),
	},
	'the disk is full': {
		make({ home, sessionId }) {
			mkdirSync(join(home, 'sessions', sessionId), { recursive: true });
			symlinkSync('/dev/full', join(home, 'sessions', sessionId, 'timeline.jsonl'));
			return nothing;
		},
		harmless: 'runs',
	},
	'the state root cannot be written': {
		make({ home }) {
			rmSync(join(home, 'sessions'), { recursive: true, force: true });
			writeFileSync(join(home, 'sessions'), 'a file where the folder should be');
			return () => rmSync(join(home, 'sessions'));
		},
		harmless: 'runs',
	},
	'the clock is set back by ten minutes': {
		make: () => nothing,
		harmless: 'runs',
		server(project) {
			const clock = join(project.root, 'clock.cjs');
			writeFileSync(clock, 'const now = Date.now; Date.now = () => now() - 600_000;');
			return { NODE_OPTIONS: `--require ${clock}` };
		},
		inTests: true,
	},
};

/** A real client whose model asks for a forbidden command, a harmless one, and a forbidden one in a sub-agent. */
async function play({ project, home, sessionId }: Installation, limitMs = 120_000) {
	const ran = (name: string) => join(project.root, name);
	const model = await startScriptedApi({
		main: [
			call('Bash', { command: `touch ${ran('main-ran')}`, description: 'forbidden' }),
			call('Bash', { command: `mkdir ${ran('harmless-ran')}`, description: 'harmless' }),
			{ blocks: [delegate('helper', 'Help.', { background: false })] },
			replyText('The end.'),
		],
		helper: [
			call('Bash', { command: `ls; touch ${ran('helper-ran')}`, description: 'forbidden' }),
			replyText('Helped.'),
		],
	});
	const client = runClient({
		client: await installClient(CURRENT_CLIENT),
		project,
		apiUrl: model.url,
		prompt: 'Go.',
		args: ['--allowedTools', 'Bash', '--session-id', sessionId],
		env: { OVERTONE_HOME: home },
		limitMs,
	});
	try {
		const end = await client.ended;
		const read = (role: string) =>
			model.requests.filter((one) => one.role === role).flatMap(({ toolResults }) => toolResults);
		return {
			end,
			ran: ['main-ran', 'harmless-ran', 'helper-ran'].filter((name) => existsSync(ran(name))),
			/** What the model read of the two forbidden commands. */
			reasons: [read('main')[0], read('helper')[0]],
		};
	} finally {
		client.kill();
		await model.close();
	}
}

/** A project whose hooks are registered, in a home that excludes `touch`; the server runs where the fault is its own. */
async function install(fault: Fault): Promise<{ at: Installation; remove: CleanUp }> {
	const project = createProject({ name: 'closed-shop', agents: ['helper'] });
	const server = fault.server && (await startServer(fault.server(project)));
	const home = server?.home ?? project.overtoneHome;
	writeFileSync(join(home, 'config.json'), '{"commands":{"exclude":["touch"]}}');
	await signalbox(home, ['init', '--project', project.dir]);
	const at: Installation = { project, home, sessionId: randomUUID(), ...(server && { server }) };
	return {
		at,
		async remove() {
			await server?.dispose();
			project.remove();
		},
	};
}

for (const [name, fault] of Object.entries(FAULTS)) {
	if (!fault.inTests && !process.env.SIGNALBOX_SOAK) continue;
	test(`R806 A3 Claude Code 2.1.330: ${name}, and no guarded command runs`, async () => {
		const { at, remove } = await install(fault);
		try {
			const cleanUp = await fault.make(at);
			try {
				const began = Date.now();
				const { end, ran, reasons } = await play(at);
				soakCounts(`A3 ${name}`, {
					'guarded calls': 2,
					'let through': ran.filter((one) => one !== 'harmless-ran').length,
					seconds: Math.round((Date.now() - began) / 1000),
				});
				expect(ran).toEqual(fault.harmless === 'runs' ? ['harmless-ran'] : []);
				expect(end).toMatchObject({ exitCode: 0, result: 'The end.' });
				for (const reason of reasons) {
					expect(reason).toMatchObject({ isError: true });
					// A sentence that says who denied and why, not a stack or a command line.
					expect(reason?.text).toMatch(/Signalbox|touch/);
					expect(reason?.text).not.toMatch(/\n\s+at |hook\.sh|undefined/);
				}
			} finally {
				await cleanUp();
			}
		} finally {
			await remove();
		}
	});
}

test('R806 A3 Claude Code 2.1.330: without the hooks the same commands run, so it is the gate that stops them', async () => {
	const { at, remove } = await install({ make: () => nothing, harmless: 'runs' });
	rmSync(join(at.project.dir, '.claude/settings.json'));
	rmSync(join(at.project.dir, '.claude/settings.local.json'));
	const { ran } = await play(at);
	expect(ran).toEqual(['main-ran', 'harmless-ran', 'helper-ran']);
	await remove();
});
