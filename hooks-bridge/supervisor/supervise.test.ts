import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { REVIEW_FAILED } from '#lib/supervisor/review-answers.ts';
import { identityOf, isAlive } from '../disk/process-identity.ts';
import { type FakeReviewer, fakeReviewer } from '../testing/fake-reviewer.ts';
import { type HookResult, type InstalledHook, installHook } from '../testing/installed-hook.ts';

let hook: InstalledHook;
let reviewer: FakeReviewer;
let config: string;

beforeEach(async () => {
	hook = await installHook();
	config = join(hook.home, '../.claude');
	mkdirSync(config);
	reviewer = fakeReviewer(config);
});
afterEach(() => hook.remove());

const stop = { session_id: 'abc123', stop_hook_active: false };
const question = {
	session_id: 'abc123',
	hook_event_name: 'PreToolUse',
	tool_name: 'AskUserQuestion',
	tool_input: { questions: [{ question: '请选择实现方案', header: '方案选择', options: [] }] },
	tool_use_id: 'toolu_01ABC123',
};
const verdict = (allow_stop: boolean, feedback: string) => JSON.stringify({ allow_stop, feedback });

const stateFile = (id = 'abc123') => join(config, 'ccc', `supervisor-${id}.json`);
const state = (id?: string) => JSON.parse(readFileSync(stateFile(id), 'utf8'));
function switchOn(fields: Record<string, unknown> = {}, id = 'abc123') {
	mkdirSync(join(config, 'ccc'), { recursive: true });
	const at = '2026-01-20T10:00:00.123456789+08:00';
	const value = { session_id: 'abc123', enabled: true, count: 0, created_at: at, updated_at: at, ...fields };
	writeFileSync(stateFile(id), JSON.stringify(value, null, 2));
}
function ask(input: unknown, env: Record<string, string> = {}, timeout = '600'): Promise<HookResult> {
	const text = typeof input === 'string' ? input : JSON.stringify(input);
	return hook.run(['supervisor', timeout], text, { env: { CCC_CLAUDE: reviewer.command, ...env } });
}
async function printed(...call: Parameters<typeof ask>): Promise<unknown> {
	const { code, stdout, stderr } = await ask(...call);
	expect([code, stderr]).toEqual([0, '']);
	return stdout === '' ? null : JSON.parse(stdout);
}
const recorded = (type: string) => hook.recorded('abc123').filter((event) => event.type === type);

describe('the listed tests of seed 004', () => {
	it('TC-001 Stop, allowed: the reason alone', async () => {
		switchOn();
		reviewer.plays({ says: verdict(true, '工作已完成') });
		expect(await printed(stop)).toEqual({ reason: '工作已完成' });
	});

	it('TC-002 Stop, not allowed: decision block and the reason', async () => {
		switchOn();
		reviewer.plays({ says: verdict(false, '工作尚未完成，需要继续测试') });
		expect(await printed({ ...stop, hook_event_name: 'Stop' })).toEqual({
			decision: 'block',
			reason: '工作尚未完成，需要继续测试',
		});
	});

	it('TC-003 PreToolUse, allowed: hookSpecificOutput with allow', async () => {
		switchOn();
		reviewer.plays({ says: verdict(true, '问题合理，可以向用户提问') });
		expect(await printed(question)).toEqual({
			hookSpecificOutput: {
				hookEventName: 'PreToolUse',
				permissionDecision: 'allow',
				permissionDecisionReason: '问题合理，可以向用户提问',
			},
		});
	});

	it('TC-004 PreToolUse, not allowed: hookSpecificOutput with deny', async () => {
		switchOn();
		reviewer.plays({ says: verdict(false, '应该在代码中添加更多注释后再提问') });
		expect(await printed(question)).toEqual({
			hookSpecificOutput: {
				hookEventName: 'PreToolUse',
				permissionDecision: 'deny',
				permissionDecisionReason: '应该在代码中添加更多注释后再提问',
			},
		});
	});

	it('TC-005 a hook of the reviewer itself is never reviewed; the answer has the shape of the event', async () => {
		switchOn();
		const guard = { CCC_SUPERVISOR_HOOK: '1' };
		expect(await printed(stop, guard)).toEqual({ reason: 'called from supervisor hook' });
		expect(await printed(question, guard)).toMatchObject({
			hookSpecificOutput: { permissionDecision: 'allow', permissionDecisionReason: 'called from supervisor hook' },
		});
		expect([reviewer.starts(), state().count]).toEqual([[], 0]);
	});

	it('TC-006 at the limit everything is allowed without a review, in the shape of the event', async () => {
		switchOn({ count: 20 });
		expect(await printed(stop)).toEqual({ reason: 'max iterations (20/20) reached' });
		expect(await printed(question)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'allow' } });
		expect([reviewer.starts(), state().count]).toEqual([[], 20]);
		expect(recorded('supervisor:verdict')).toMatchObject([{ by: 'limit', allow: true, iteration: 20, max: 20 }, {}]);
	});

	it('TC-007 an input without hook_event_name is a Stop', async () => {
		switchOn();
		reviewer.plays({ says: verdict(false, 'more') });
		expect(await printed({ session_id: 'abc123', tool_name: 'Bash' })).toEqual({ decision: 'block', reason: 'more' });
	});
});

describe('input', () => {
	it('R420 what cannot be parsed, or names no session, ends with 2 and says why', async () => {
		for (const [text, why] of [
			['{"session_id":', 'not valid JSON'],
			['{"hook_event_name":"Stop"}', 'session_id is missing'],
			['{"session_id":""}', 'session_id is missing'],
		] as const) {
			const { code, stdout, stderr } = await ask(text);
			expect([code, stdout]).toEqual([2, '']);
			expect(stderr).toContain(why);
		}
	});

	it('R1274 input that cannot be parsed is reported in the words of seed 004', async () => {
		const texts = ['{"session_id":', '', '[]', 'null', '{"hook_event_name":"Stop"}'];
		for (const text of texts) {
			const { code, stdout, stderr } = await ask(text);
			expect([code, stdout]).toEqual([2, '']);
			expect(stderr).toMatch(/^Signalbox: failed to parse hook input: [^\n]+\.\n?$/);
		}
	});

	it('R421 other tools and events are none of its business', async () => {
		switchOn();
		expect(await printed({ ...question, tool_name: 'Bash' })).toBeNull();
		expect(await printed({ ...stop, hook_event_name: 'SubagentStop' })).toBeNull();
		expect([reviewer.starts(), state().count]).toEqual([[], 0]);
	});

	it('a denial of another gate remains and makes the review unnecessary', async () => {
		switchOn();
		const other = { decision: 'block', reason: 'stages are open' };
		await hook.serveProven(JSON.stringify(other));
		expect(await printed(stop)).toEqual(other);
		expect(reviewer.starts()).toEqual([]);
	});

	it('what another gate has to say beside is printed with the verdict', async () => {
		switchOn();
		reviewer.plays({ says: verdict(true, 'fine') });
		await hook.serveProven('{"systemMessage":"the workflow is complete"}');
		expect(await printed(stop)).toEqual({ systemMessage: 'the workflow is complete', reason: 'fine' });
	});
});

describe('the state file', () => {
	it('R423 without one, or off, nothing is reviewed and nothing printed', async () => {
		expect(await printed(stop)).toBeNull();
		expect(existsSync(stateFile())).toBe(false);
		switchOn({ enabled: false });
		expect(await printed(question)).toBeNull();
		expect(reviewer.starts()).toEqual([]);
	});

	it('R423 of an earlier program works unchanged; the count rises on Stop and on a question', async () => {
		switchOn({ count: 3, note: 'kept' });
		reviewer.plays({ says: verdict(false, 'more') });
		await ask(stop);
		await ask(question);
		expect(state()).toMatchObject({
			count: 5,
			enabled: true,
			note: 'kept',
			created_at: '2026-01-20T10:00:00.123456789+08:00',
		});
		expect(recorded('supervisor:review')).toMatchObject([
			{ hook: 'Stop', iteration: 4, max: 20 },
			{ hook: 'PreToolUse', iteration: 5, max: 20, question: question.tool_input, toolUseId: 'toolu_01ABC123' },
		]);
	});

	it('is that of CCC_SUPERVISOR_ID in CCC_CONFIG_DIR where those are set; a bad id touches no path', async () => {
		const elsewhere = join(hook.home, '../elsewhere');
		mkdirSync(join(elsewhere, 'ccc'), { recursive: true });
		writeFileSync(join(elsewhere, 'ccc/supervisor-mine.json'), '{"enabled":true}');
		reviewer.plays({ says: verdict(true, '') });
		const env = { CCC_CONFIG_DIR: elsewhere, CLAUDE_CONFIG_DIR: '/nowhere', CCC_SUPERVISOR_ID: 'mine' };
		expect(await printed(stop, env)).toEqual({ reason: 'The supervisor has no objection.' });
		expect(JSON.parse(readFileSync(join(elsewhere, 'ccc/supervisor-mine.json'), 'utf8'))).toMatchObject({ count: 1 });
		expect(await printed(stop, { ...env, CCC_SUPERVISOR_ID: '../../mine' })).toBeNull();
		expect(reviewer.starts()).toHaveLength(1);
	});

	it('R425 the limit comes from config.json, else from ccc.json, else it is 20', async () => {
		switchOn({ count: 5 });
		writeFileSync(join(config, 'ccc.json'), '{"supervisor":{"max_iterations":4}}');
		expect(await printed(stop)).toEqual({ reason: 'max iterations (5/4) reached' });
		writeFileSync(join(hook.home, 'config.json'), '{"supervisor":{"maxIterations":5}}');
		expect(await printed(stop)).toEqual({ reason: 'max iterations (5/5) reached' });
		writeFileSync(join(hook.home, 'config.json'), '{"supervisor":{"maxIterations":101}}');
		expect(await printed(stop)).toEqual({ reason: 'max iterations (5/4) reached' });
	});

	it('retries that cannot be counted are not reviewed, and are recorded as a failure', async () => {
		mkdirSync(join(config, 'ccc'));
		writeFileSync(join(hook.home, 'config.json'), '{"gates":{"supervisor":{"enabled":true}}}');
		writeFileSync(
			`${stateFile()}.lock`,
			JSON.stringify({ pid: process.pid, start: identityOf(process.pid)?.start, nonce: 'n' }),
		);
		expect(await printed(stop)).toMatchObject({ reason: expect.stringContaining('not reviewed') });
		expect(recorded('supervisor:verdict')).toMatchObject([{ allow: true, failed: true, by: 'limit' }]);
		expect(reviewer.starts()).toEqual([]);
	});
});

describe('the reviewer', () => {
	it('R427 resumes and forks the session with the guard set, and gets its prompt on stdin', async () => {
		switchOn();
		reviewer.plays({ says: verdict(true, 'fine') });
		await ask(question, { CLAUDECODE: '1' });
		const [start] = reviewer.starts();
		expect(start?.args).toEqual(['-p', '--resume', 'abc123', '--fork-session', '--output-format', 'json']);
		expect([start?.guard, start?.id, start?.code]).toEqual(['1', 'abc123', undefined]);
		expect(start?.prompt).toContain('请选择实现方案');
		writeFileSync(join(config, 'SUPERVISOR.md'), 'My own rules.\n');
		await ask(stop);
		expect(reviewer.starts()[1]?.prompt).toMatch(/^My own rules\.\n\n.*wants to stop.*"allow_stop"/s);
	});

	it('R428 a verdict in a fence and one with mended JSON count', async () => {
		switchOn();
		reviewer.plays({ says: 'I looked.\n```json\n{"allow_stop": false, "feedback": "Run the tests."}\n```\n' });
		expect(await printed(stop)).toEqual({ decision: 'block', reason: 'Run the tests.' });
		reviewer.plays({ says: "```\n{allow_stop: true, feedback: 'fine',}\n```" });
		expect(await printed(stop)).toEqual({ reason: 'fine' });
	});

	const failures = [
		['answers rubbish', { says: 'Looks good to me!' }, 'no verdict that can be read'],
		['answers half a verdict', { says: '{"allow_stop": true}' }, 'no verdict that can be read'],
		['prints no JSON', { prints: 'Not logged in' }, 'printed no JSON'],
		['prints nothing', {}, 'printed nothing'],
		['fails', { says: verdict(true, 'x'), exits: 3 }, 'exit code 3'],
		['is killed', { signal: 'SIGKILL' }, 'by SIGKILL'],
	] as const;
	it.each(failures)('R429 a reviewer that %s denies, visibly as a failure', async (_how, part, why) => {
		switchOn();
		reviewer.plays(part);
		expect(await printed(question)).toEqual({
			hookSpecificOutput: {
				hookEventName: 'PreToolUse',
				permissionDecision: 'deny',
				permissionDecisionReason: 'Supervisor 审查失败，已阻止操作',
			},
		});
		const blocked = await printed(stop);
		expect(blocked).toMatchObject({ decision: 'block', reason: expect.stringContaining(REVIEW_FAILED) });
		expect(blocked).toMatchObject({ reason: expect.stringContaining('round 2 of 20') });
		expect(recorded('supervisor:verdict')).toMatchObject([
			{
				failed: true,
				allow: false,
				error: expect.stringContaining(why),
				causedBy: recorded('supervisor:review')[0]?.id,
			},
			{ failed: true, allow: false },
		]);
		const rule = { gate: 'supervisor', rule: 'supervisor.review-failed', decision: 'deny' };
		expect(recorded('gate:verdict')).toMatchObject([{ ...rule, toolUseId: 'toolu_01ABC123' }, rule]);
	});

	it('R429 a command that is not there denies', async () => {
		switchOn();
		expect(await printed(stop, { CCC_CLAUDE: '/no/such/claude' })).toMatchObject({ decision: 'block' });
		expect(recorded('supervisor:verdict')).toMatchObject([{ error: expect.stringContaining('cannot be started') }]);
	});

	it('R430 one that hangs is ended before the hook’s own timeout, with everything it started', async () => {
		switchOn();
		reviewer.plays({ hangs: true });
		expect(await printed(stop, {}, '4')).toMatchObject({ decision: 'block' });
		const pids = reviewer.starts()[0]?.pids ?? [];
		expect(pids).toHaveLength(2);
		await vi.waitFor(() => expect(pids.map((pid) => identityOf(pid))).toEqual([null, null]), { timeout: 10_000 });
	});

	it('R430 it ends with the hook, even if that is killed, and with the agent’s client', async () => {
		switchOn();
		reviewer.plays({ hangs: true });
		const { PATH = '' } = process.env;
		const client = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)']);
		const start = () => {
			const child = spawn(join(hook.bin, 'hook.sh'), ['supervisor', '600'], {
				cwd: hook.project,
				env: {
					...{ NODE_ENV: 'test', PATH, HOME: join(hook.home, '..'), OVERTONE_HOME: hook.home },
					...{ CCC_CLAUDE: reviewer.command, CLAUDE_PID: String(client.pid) },
				},
			});
			child.stdin.end(JSON.stringify(stop));
			return child;
		};
		const gone = async (nth: number) => {
			const pids = reviewer.starts()[nth]?.pids ?? [];
			expect(pids).toHaveLength(2);
			await vi.waitFor(() => expect(pids.map((pid) => identityOf(pid))).toEqual([null, null]), { timeout: 10_000 });
		};
		const killed = start();
		await vi.waitFor(() => expect(reviewer.starts()).toHaveLength(1), { timeout: 20_000 });
		killed.kill('SIGKILL');
		await gone(0);

		const orphan = start();
		await vi.waitFor(() => expect(reviewer.starts()).toHaveLength(2), { timeout: 20_000 });
		client.kill('SIGKILL');
		await once(orphan, 'close');
		await gone(1);
		expect(isAlive({ pid: process.pid, start: null })).toBe(true);
	});
});
