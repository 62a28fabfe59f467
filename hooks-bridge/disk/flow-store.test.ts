import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readdirSync, readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { KnownEvent } from '#lib/contract/events/event.ts';
import type { WorkflowState } from '#lib/contract/sessions/read-model/workflow-state.ts';
import { foldWorkflowState } from '#lib/workflow/workflow-fold.ts';
import { makeWorkflowRig, SESSION, type WorkflowRig } from '../testing/workflow-rig.ts';
import { identityOf } from './process-identity.ts';

let rig: WorkflowRig;
const open = (options?: Parameters<typeof makeWorkflowRig>[0]) => {
	rig = makeWorkflowRig(options);
};
beforeEach(() => open());
afterEach(() => rig.remove());

const file = (name = 'workflow.json') => join(rig.home, 'sessions', SESSION, name);
const refolded = () =>
	rig
		.recorded()
		.reduce<WorkflowState | null>((state, event) => foldWorkflowState(state, event as unknown as KnownEvent), null);
const content = () => {
	const { checkpoint: _checkpoint, ...state } = rig.state() ?? {};
	return state;
};
const edit = (change: (state: Record<string, unknown>) => void, name = 'workflow.json') => {
	const state = rig.state(name) ?? {};
	change(state);
	writeFileSync(file(name), JSON.stringify(state));
};
const adoptions = () => rig.recorded().filter((event) => event.type === 'workflow:adopt');
const foreign = (type: string, fields: object) =>
	appendFileSync(file('timeline.jsonl'), `${JSON.stringify({ ts: new Date().toISOString(), type, ...fields })}\n`);

describe('R268 state files are checkpoints', () => {
	it('R268 the file is the fold of the timeline, in the fields of seed 001', () => {
		rig.start('quick');
		rig.runAgent('developer');
		rig.ask('tester');
		expect(content()).toEqual(JSON.parse(JSON.stringify(refolded())));
		expect(Object.keys(content()).slice(0, 9)).toEqual([
			...['sessionId', 'workflowType', 'createdAt', 'currentStage', 'stages', 'activeAgents'],
			...['failCount', 'rejectCount', 'retroCount'],
		]);
	});

	it('R268 a lost checkpoint, an older one and lines of other programs are caught up with', () => {
		rig.start('quick');
		const old = readFileSync(file());
		rig.runAgent('developer');
		writeFileSync(file(), old);
		foreign('agent:delegate', { agent: 'tester', stage: 'TEST' });
		appendFileSync(
			file('timeline.jsonl'),
			'{"type":"stage:complete","stage":5,"ts":"x"}\nnot json\n{"type":"stage:start"\n',
		);
		rig.ask('explorer');
		expect(rig.state()).toMatchObject({
			stages: { DEV: { status: 'completed' }, TEST: { status: 'active' } },
			activeAgents: { tester: { stage: 'TEST' } },
		});
		expect(adoptions()).toEqual([]);
	});

	it('R268 an edit by another program counts and is recorded once, with its content', () => {
		rig.start('standard');
		edit((state) => {
			const stages = state.stages as Record<string, object>;
			for (const key of ['PLAN', 'ARCH', 'TEST']) stages[key] = { ...stages[key], status: 'completed', result: 'pass' };
		});
		expect(rig.ask('developer').held).toBeUndefined();
		expect(adoptions()).toMatchObject([
			{ file: 'workflow.json', state: { stages: { ARCH: { status: 'completed' } } } },
		]);
		rig.runAgent('developer');
		rig.stop();
		expect(adoptions()).toHaveLength(1);
		expect(content()).toEqual(JSON.parse(JSON.stringify(refolded())));
	});

	it('R268 a workflow.json of Overtone itself is imported, and so is its stopped loop', () => {
		rig.writeFile(
			`home/sessions/${SESSION}/workflow.json`,
			JSON.stringify({
				sessionId: SESSION,
				workflowType: 'tdd',
				createdAt: '2026-02-23T14:00:00Z',
				stages: { TEST: { status: 'completed', result: 'pass' }, DEV: { status: 'pending', result: null } },
				activeAgents: {},
			}),
		);
		foreign('workflow:start', { workflowType: 'standard' });
		rig.writeFile(`home/sessions/${SESSION}/loop.json`, '{"iteration":4,"stopped":true,"consecutiveErrors":0}');
		rig.runAgent('developer');
		expect(rig.state()).toMatchObject({ workflowType: 'tdd', stages: { DEV: { result: 'pass' } } });
		expect(adoptions().map((event) => event.file)).toEqual(['workflow.json', 'loop.json']);
		expect(rig.stop().output).toMatchObject({ systemMessage: expect.stringContaining('the loop was stopped') });
		expect(rig.state('loop.json')).toMatchObject({ iteration: 4, stopped: true });
	});

	it('R268 a long stage without a decision is not folded again each time, and does not overwrite an edit', () => {
		rig.start('quick');
		const offset = () => (rig.state()?.checkpoint as { offset: number } | undefined)?.offset ?? 0;
		const before = offset();
		const tool = { tool_name: 'Read', tool_response: 'x'.repeat(50_000) };
		for (let use = 0; use < 5; use += 1) rig.hook('PostToolUse', { ...tool, tool_use_id: `a${use}` });
		expect(offset()).toBe(before);
		for (let use = 0; use < 5; use += 1) rig.hook('PostToolUse', { ...tool, tool_use_id: `b${use}` });
		expect(offset()).toBeGreaterThan(before + 256 * 1024);
		edit((state) => void Object.assign(state, { failCount: 2 }));
		for (let use = 0; use < 10; use += 1) rig.hook('PostToolUse', { ...tool, tool_use_id: `c${use}` });
		expect(rig.state()).toMatchObject({ failCount: 2 });
		rig.stop();
		expect(adoptions()).toMatchObject([{ state: { failCount: 2 } }]);
	});

	it('R268 junk in place of the file, and a timeline that was cut, do no harm', () => {
		rig.start('quick');
		for (const junk of ['', '{', '[]', '7', '{"workflowType":3}']) {
			writeFileSync(file(), junk);
			expect(rig.ask('tester').held?.denials).toMatchObject([{ gate: 'stage-guard' }]);
			expect(rig.state()).toMatchObject({ workflowType: 'quick' });
		}
		truncateSync(file('timeline.jsonl'), 0);
		expect(rig.ask('tester').held?.denials).toMatchObject([{ gate: 'stage-guard' }]);
		expect(rig.state()).toMatchObject({ workflowType: 'quick' });
		rmSync(file());
		expect(rig.ask('tester').held).toBeUndefined();
	});
});

describe('R269 the lock', () => {
	it('R269 without the lock events are recorded, the checkpoint waits, and the next hook catches up', () => {
		rig.remove();
		open({ lockWaitMs: 10 });
		rig.start('quick');
		const before = readFileSync(file(), 'utf8');
		const lock = file('workflow.json.lock');
		writeFileSync(lock, JSON.stringify({ ...identityOf(process.pid), nonce: 'somebody' }));
		rig.runAgent('developer');
		expect(readFileSync(file(), 'utf8')).toBe(before);
		const warned = rig.recorded().filter((event) => event.code === 'workflow/lock-busy');
		expect(warned).toHaveLength(2);
		expect(rig.types()).toEqual(expect.arrayContaining(['stage:start', 'stage:complete', 'handoff:create']));
		const old = Date.now() / 1000 - 60;
		utimesSync(lock, old, old);
		rig.stop();
		expect(rig.state()).toMatchObject({ stages: { DEV: { status: 'completed' } } });
	});

	it('R269 16 processes at once lose no event and no state', { timeout: 120_000 }, async () => {
		rig.start('single');
		const program = join(rig.home, 'agent.cjs');
		const contents = `
			import { createNodePorts } from './node/node-ports.ts';
			import { respond } from './engine/respond.ts';
			const [home, project, who, rounds] = process.argv.slice(2);
			const ports = createNodePorts({ home, lockWaitMs: 60_000 });
			for (let round = 0; round < Number(rounds); round += 1) {
				const call = 'call-' + who + '-' + round;
				const agent = { agent_id: 'agent-' + who + '-' + round, agent_type: 'ot:developer' };
				const send = (hook_event_name, fields) =>
					respond({ session_id: '${SESSION}', cwd: project, hook_event_name, ...fields }, { requestId: call + hook_event_name, profile: 'open' }, ports);
				send('PreToolUse', { tool_name: 'Agent', tool_use_id: call, tool_input: { subagent_type: 'developer' } });
				send('SubagentStart', agent);
				send('PostToolUse', { tool_name: 'Bash', tool_use_id: 'b' + call, tool_input: { command: 'grep x' }, tool_response: {} });
				send('SubagentStop', { ...agent, last_assistant_message: 'done' });
			}`;
		await build({
			stdin: { contents, resolveDir: join(import.meta.dirname, '..'), loader: 'ts' },
			bundle: true,
			platform: 'node',
			format: 'cjs',
			outfile: program,
			logLevel: 'silent',
		});
		const [processes, rounds] = [16, 3];
		const children = Array.from({ length: processes }, (_, who) =>
			spawn(process.execPath, [program, rig.home, rig.project, String(who), String(rounds)], { stdio: 'inherit' }),
		);
		const ends = await Promise.all(children.map((child) => once(child, 'exit')));
		expect(ends.every(([code]) => code === 0)).toBe(true);
		const count = (type: string) => rig.types().filter((one) => one === type).length;
		for (const type of ['agent:delegate', 'agent:start', 'agent:complete', 'tool:result']) {
			expect([type, count(type)]).toEqual([type, processes * rounds]);
		}
		expect(rig.recorded().filter((event) => event.code === 'workflow/lock-busy')).toEqual([]);
		expect(content()).toEqual(JSON.parse(JSON.stringify(refolded())));
		expect(rig.state()).toMatchObject({ activeAgents: {}, stages: { DEV: { status: 'completed', result: 'pass' } } });
		const observed = readFileSync(file('observations.jsonl'), 'utf8')
			.trim()
			.split('\n')
			.map((line) => JSON.parse(line));
		const last = new Map(observed.map((one) => [one.tag, one.count]));
		expect(last.get('search-tools')).toBe(processes * rounds);
		expect(last.get('agent-developer')).toBe(processes * rounds);
		expect(readdirSync(join(rig.home, 'sessions', SESSION)).filter((name) => /lock|\.gone-|json\./.test(name))).toEqual(
			[],
		);
	});
});
