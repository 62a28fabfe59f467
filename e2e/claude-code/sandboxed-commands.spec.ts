import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { installClient } from '#e2e/claude-code/install-client.ts';
import { createProject } from '#e2e/claude-code/project.ts';
import { runClient } from '#e2e/claude-code/run-client.ts';
import { call, replyText } from '#e2e/claude-code/script.ts';
import { startScriptedApi } from '#e2e/claude-code/scripted-api.ts';
import { signalbox } from '#e2e/rig/signalbox-command.ts';
import { findSandbox } from '#hooks-bridge/node/node-ports.ts';

test.describe.configure({ timeout: 240_000 });
test.skip(findSandbox() === undefined, 'needs bubblewrap');

type Input = Record<string, unknown> & { command: string };

/** Plays calls of Bash to the real client under `commands.enforce`, and gives what the model read of each. */
async function play(inputs: readonly Input[], permissions: object) {
	const client = await installClient();
	const project = createProject();
	const home = project.overtoneHome;
	mkdirSync(home, { recursive: true });
	writeFileSync(join(home, 'config.json'), '{"commands":{"exclude":["zap"],"enforce":"sandbox"}}');
	await signalbox(home, ['init', '--project', project.dir]);
	project.trust();
	const settings = join(project.dir, '.claude/settings.json');
	writeFileSync(settings, JSON.stringify({ ...JSON.parse(readFileSync(settings, 'utf8')), permissions }));
	project.write('bin/zap', '#!/bin/sh\necho zapped >> "$ZAPPED"\n');
	chmodSync(join(project.dir, 'bin/zap'), 0o755);
	project.write('run.sh', 'zap x');
	project.write('sub/here.txt', '');
	const zapped = join(project.root, 'tmp/zapped');
	const turns = inputs.map(({ command, ...input }) => call('Bash', { command, description: 'a step', ...input }));
	const api = await startScriptedApi({ main: [...turns, replyText('The end.')] });
	const PATH = `${join(project.dir, 'bin')}:${process.env.PATH}`;
	const end = await runClient({ client, project, apiUrl: api.url, prompt: 'Go.', env: { PATH, ZAPPED: zapped } }).ended;
	await api.close();
	const results = api.requests.flatMap(({ toolResults }) =>
		toolResults.map(({ text, isError }) => ({ text, isError })),
	);
	const events = readdirSync(join(home, 'sessions')).flatMap((session) =>
		readFileSync(join(home, 'sessions', session, 'timeline.jsonl'), 'utf8')
			.split('\n')
			.filter(Boolean)
			.map((line) => JSON.parse(line) as Record<string, unknown>),
	);
	return { end, said: results, events, wasZapped: existsSync(zapped), project };
}

test('R2600 Claude Code 2.1.330: in the sandbox a command keeps its folder, exit code, pipes, jobs and time limit', async () => {
	const mark = `sandboxed-${process.pid}-${Date.now()}`;
	const { end, said, events, wasZapped, project } = await play(
		[
			{ command: 'cd sub && pwd' },
			{ command: 'ls; exit 7' },
			{ command: "cd .. && printf 'b\\na\\n' | sort | head -n 1" },
			{ command: 'sh run.sh' },
			{ command: '(sleep 1; echo late > late.txt) & echo "it\'s" "begun"' },
			{ command: 'while [ ! -f late.txt ]; do sleep 0.1; done; cat late.txt' },
			{ command: `exec -a ${mark} node -e 'setTimeout(() => {}, 6000)'`, timeout: 2000 },
			{ command: "cat <<'END'\n$HOME & `x`\nEND" },
			{ command: 'echo late > x.txt', run_in_background: true },
			{ command: 'while [ ! -f x.txt ]; do sleep 0.1; done; touch /var/tmp/outside' },
			{ command: 'touch /tmp/x', dangerouslyDisableSandbox: true },
		],
		{ allow: ['Bash'] },
	);
	expect(end).toMatchObject({ exitCode: 0 });
	const [moved, failed, piped, script, begun, later, stopped, here, behind, outside, left] = said;
	expect(moved).toEqual({ text: join(project.dir, 'sub'), isError: false });
	expect(failed).toMatchObject({ text: expect.stringMatching(/Exit code 7\s+here\.txt/), isError: true });
	expect(piped).toEqual({ text: 'a', isError: false });
	expect(script).toMatchObject({ text: expect.stringMatching(/Exit code 127\s.*Permission denied/), isError: true });
	expect(begun).toEqual({ text: "it's begun", isError: false });
	expect(later).toEqual({ text: 'late', isError: false });
	expect(stopped?.text).toMatch(/timed out|timeout/);
	expect(here).toEqual({ text: '$HOME & `x`', isError: false });
	expect(behind).toMatchObject({ isError: false });
	expect(outside).toMatchObject({ text: expect.stringContaining('Read-only file system'), isError: true });
	expect(left).toMatchObject({ text: expect.stringContaining('outside of the sandbox'), isError: true });
	expect(wasZapped).toBe(false);
	const processes = readdirSync('/proc')
		.filter((name) => /^\d+$/.test(name))
		.map(commandOf);
	expect(processes.filter((command) => command.startsWith(mark))).toEqual([]);
	// What was judged is what ran: the page shows the agent's own line and no alarm.
	const digests = (type: string) => events.flatMap((event) => (event.type === type ? [event.inputDigest] : []));
	expect(digests('tool:call')).toEqual(expect.arrayContaining([...digests('tool:result'), ...digests('tool:error')]));
	project.remove();
});

test('Claude Code 2.1.330: its own permission rules find the parts of a line in the sandbox, and ask about no entry after init', async () => {
	const { said, project } = await play(
		[{ command: 'touch a && touch b' }, { command: 'mkdir c' }, { command: 'cp a d' }],
		{ allow: ['Bash(touch:*)'], deny: ['Bash(mkdir:*)'] },
	);
	expect(readdirSync(project.dir)).toEqual(expect.arrayContaining(['a', 'b']));
	const [touched, denied, escalated] = said;
	expect(touched).toMatchObject({ isError: false });
	expect(denied).toMatchObject({ text: expect.stringContaining('has been denied'), isError: true });
	expect(escalated).toMatchObject({ text: expect.stringMatching(/approval|cp/), isError: true });
	expect(readdirSync(project.dir)).not.toContain('d');
	project.remove();
});

function commandOf(pid: string): string {
	try {
		return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
	} catch {
		return '';
	}
}
