import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { respond } from '#hooks-bridge/engine/respond.ts';
import { createNodePorts } from '#hooks-bridge/node/node-ports.ts';
import { soakCounts, soakRuns } from '#soak/rig/soak-runs.ts';

const part = fc.oneof(
	fc.constantFrom('..', '.', '', '/', '\\', '%2e%2e', '%2f', '\u0000', '~', '$HOME', '__proto__', 'constructor', 'CON'),
	fc.constantFrom(
		'out',
		'outside',
		'sessions',
		'timeline.jsonl',
		'journal.db',
		'\u202e',
		'\ud800',
		'é',
		'a'.repeat(300),
	),
	fc.string({ maxLength: 8 }),
);
const name = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('/'));
const hook = fc.constantFrom('PreToolUse', 'PostToolUse', 'SubagentStart', 'SubagentStop', 'SessionStart', 'Stop');

/** Every path below a folder, links not followed. */
const pathsIn = (folder: string): string[] => readdirSync(folder, { recursive: true }).map(String).sort();

test('B5: no id or name of a hook input, however hostile, makes or opens a file outside the sessions', () => {
	const root = mkdtempSync(join(tmpdir(), 'sbx-names-'));
	const [home, outside, project] = [join(root, 'home'), join(root, 'outside'), join(root, 'project')];
	for (const folder of [join(home, 'sessions'), outside, project]) mkdirSync(folder, { recursive: true });
	writeFileSync(join(outside, 'secret'), 'TOP-SECRET');
	symlinkSync(outside, join(home, 'sessions/out'));
	const ports = createNodePorts({ home });
	const known = pathsIn(outside);
	let hooks = 0;
	fc.assert(
		fc.property(hook, name, name, name, (event, session, id, agent) => {
			hooks += 1;
			const input = {
				session_id: session,
				cwd: project,
				hook_event_name: event,
				tool_name: 'Task',
				tool_use_id: id,
				agent_id: agent,
				agent_type: agent,
				transcript_path: join(outside, 'secret'),
				agent_transcript_path: join(outside, 'secret'),
				tool_input: { subagent_type: agent, description: 'x', prompt: 'y' },
			};
			const { sessionId } = respond(input, { requestId: `r-${hooks}`, profile: 'open' }, ports);
			expect(sessionId).toMatch(/^[A-Za-z0-9_-]{1,128}$/);
		}),
		soakRuns('B5', 100, 1000),
	);
	ports.close();
	expect(pathsIn(outside)).toEqual(known);
	expect(pathsIn(project)).toEqual([]);
	// A session whose folder is a link is recorded under _home.
	const made = pathsIn(home).filter((path) => !/^sessions(?:$|\/)|^\.?observations|^state/.test(path));
	expect(made).toEqual([]);
	const lines = readdirSync(join(home, 'sessions')).filter((session) => session !== 'out');
	for (const session of lines) {
		expect(readFileSync(join(home, 'sessions', session, 'timeline.jsonl'), 'utf8')).not.toContain('TOP-SECRET');
	}
	soakCounts('B5', { names: hooks * 3, sessions: lines.length });
	rmSync(root, { recursive: true });
}, 600_000);
