import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { respond } from '../engine/respond.ts';
import { startWorkflow } from '../engine/workflow/run-workflow.ts';
import { createNodePorts } from '../node/node-ports.ts';
import type { HookAnswer } from '../ports/hook-answer.ts';
import type { Ports, SealedEvent } from '../ports/ports.ts';

/** A session on a real disk, driven by its hooks; each hook comes a second after the last. */
export interface WorkflowRig {
	home: string;
	project: string;
	ports: Ports;
	/** Sends one hook of the main agent; `fields` override the usual ones. */
	hook(name: string, fields?: object): HookAnswer;
	/** Starts an agent; returns the gates' answer. */
	ask(agent: string, call?: string): HookAnswer;
	/** Starts an agent, lets it run and end with this last message. */
	runAgent(agent: string, message?: string): { asked: HookAnswer; ended: HookAnswer; after: HookAnswer };
	stop(fields?: object): HookAnswer;
	start(type: string, feature?: string): ReturnType<typeof startWorkflow>;
	recorded(): SealedEvent[];
	types(): string[];
	/** A file of the session as JSON; null if it does not exist. */
	state(file?: string): Record<string, unknown> | null;
	read(path: string): string;
	writeFile(path: string, text: string): void;
	remove(): void;
}

export const SESSION = 's1';

/** Makes a rig in a temporary folder. */
export function makeWorkflowRig(options: { lockWaitMs?: number } = {}): WorkflowRig {
	const folder = mkdtempSync(join(tmpdir(), 'flow-'));
	const [project, home] = [join(folder, 'shop'), join(folder, 'home')];
	for (const path of [project, home]) mkdirSync(path);
	let now = Date.parse('2026-02-23T14:00:00.000Z');
	let serial = 0;
	const nodePorts = createNodePorts({ home, now: () => now, ...options });
	const ports: Ports & { close(): void } = nodePorts;
	const session = join(home, 'sessions', SESSION);

	const hook: WorkflowRig['hook'] = (name, fields = {}) => {
		now += 1000;
		serial += 1;
		const input = { session_id: SESSION, cwd: project, hook_event_name: name, ...fields };
		return respond(input, { requestId: `r${serial}`, profile: 'open', projectDir: project }, ports);
	};
	const ask = (agent: string, call = `toolu_${++serial}`) =>
		hook('PreToolUse', {
			tool_name: 'Agent',
			tool_use_id: call,
			tool_input: { subagent_type: `ot:${agent}`, description: `do ${agent}`, prompt: 'go' },
		});
	return {
		home,
		project,
		ports,
		hook,
		ask,
		runAgent: (agent, message = 'Done, all is well. <!-- VERDICT: {"result": "PASS"} -->') => {
			const call = `toolu_${++serial}`;
			const id = { agent_id: `agent-${serial}`, agent_type: `ot:${agent}` };
			const answer = ask(agent, call);
			hook('SubagentStart', id);
			const ended = hook('SubagentStop', { ...id, last_assistant_message: message, background_tasks: [] });
			const after = hook('PostToolUse', {
				tool_name: 'Agent',
				tool_use_id: call,
				tool_input: { subagent_type: `ot:${agent}` },
				tool_response: { status: 'completed', agentId: id.agent_id },
			});
			return { asked: answer, ended, after };
		},
		stop: (fields = {}) => hook('Stop', { stop_hook_active: false, background_tasks: [], ...fields }),
		start: (type, feature) => {
			now += 1000;
			return startWorkflow({ sessionId: SESSION, project, requestId: `start-${++serial}`, ports }, type, feature);
		},
		recorded: () => readLines(join(session, 'timeline.jsonl')),
		types: () => readLines(join(session, 'timeline.jsonl')).map((event) => event.type),
		state: (file = 'workflow.json') => {
			const path = join(session, file);
			return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>) : null;
		},
		read: (path) => readFileSync(join(folder, path), 'utf8'),
		writeFile: (path, text) => {
			mkdirSync(dirname(join(folder, path)), { recursive: true });
			writeFileSync(join(folder, path), text);
		},
		remove: () => {
			nodePorts.close();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

function readLines(path: string): SealedEvent[] {
	if (!existsSync(path)) return [];
	return readFileSync(path, 'utf8')
		.split('\n')
		.filter((line) => line.startsWith('{') && line.endsWith('}'))
		.map((line) => JSON.parse(line) as SealedEvent);
}
