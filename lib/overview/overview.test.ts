import { expect, test } from 'vitest';
import { type EventTuple, ran, started, viewAfter } from '../session/testing/view-after.ts';
import { filesTouched, stageTimes, toolShares, usageShares } from './overview.ts';

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 1, 12);

let calls = 0;
/** A call of a tool that ran, as two events. */
function call(
	tool: string,
	input: object,
	agentId?: string,
	end: 'tool:result' | 'tool:error' | null = 'tool:result',
): EventTuple[] {
	calls += 1;
	const id = { toolUseId: `t${calls}` };
	const begun = ['tool:call', { tool, input, ...id }, agentId] as EventTuple;
	const done = [
		end,
		{ tool, ...id, durationMs: 500, ...(end === 'tool:error' && { error: 'no' }) },
		agentId,
	] as EventTuple;
	return end ? [begun, done] : [begun];
}

test('time per stage is that of all its runs, and for a running one up to now', () => {
	const view = viewAfter(started, ...ran('PLAN'), ...ran('TEST', 'fail'), ['stage:start', { stage: 'TEST' }]);
	const now = START + 30 * MINUTE;
	expect(stageTimes(view, now).map(({ stage, ms, runs }) => [stage, ms / MINUTE, runs.length])).toEqual([
		['PLAN', 1, 1],
		['TEST', 1 + 24, 2],
	]);
});

test('tools, files and the lines in them are counted over all calls that ran, however many there are', () => {
	const view = viewAfter(
		...Array.from({ length: 60 }, () => call('Read', { file_path: '/p/a.ts' })).flat(),
		...call('Write', { file_path: '/p/new.ts', content: 'a\nb\nc\n' }),
		...call('Edit', { file_path: '/p/a.ts', old_string: 'a\nb\n', new_string: 'a\nx\ny\n' }),
		...call('Edit', { file_path: '/p/a.ts', old_string: 'q', new_string: 'r' }, undefined, 'tool:error'),
		...call('Write', { file_path: '/p/big.ts', content: { blob: 'f'.repeat(64), bytes: 9, preview: '' } }),
	);
	expect(toolShares(view).map(({ name, calls: count }) => [name, count])).toEqual([
		['Read', 60],
		['Edit', 2],
		['Write', 2],
	]);
	expect(filesTouched({ ...view, cwd: '/p' })).toEqual([
		{ path: 'a.ts', edits: 1, added: 2, removed: 1 },
		{ path: 'new.ts', edits: 1, added: 3, removed: 0 },
		{ path: 'big.ts', edits: 1, added: 0, removed: 0, isMore: true },
	]);
});

test('the longest waits for a person come first, and only some are kept', () => {
	const waits = Array.from({ length: 8 }, (_, n): EventTuple[] => {
		const id = { toolUseId: `w${n}` };
		const approvalId = `approval-${n}`;
		const wait: EventTuple[] = Array.from({ length: n }, () => ['hook:event', { name: 'X', fields: {} }]);
		const by = { via: 'session', role: 'operator' };
		return [
			['tool:call', { tool: 'Bash', input: { command: `run ${n}` }, ...id }],
			['approval:request', { approvalId, tool: 'Bash', input: {}, denials: [], facts: {}, ...id }],
			...wait,
			['approval:resolve', { approvalId, decision: 'deny', by, ...id }],
		] as EventTuple[];
	}).flat();
	expect(viewAfter(...waits).work?.waits.map(({ title, ms }) => [title, ms / MINUTE])).toEqual(
		[7, 6, 5, 4, 3].map((n) => [`Bash run ${n}`, n + 1]),
	);
});

test('a bar is divided by cost, or by tokens where nothing has a price', () => {
	const part = (name: string, costUsd: number, inputTokens: number) => ({
		...{
			name,
			costUsd,
			inputTokens,
			answers: 1,
			outputTokens: 0,
			cacheReadTokens: 0,
			cacheWriteTokens: 0,
			unpriced: 0,
		},
	});
	expect(usageShares([part('a', 1, 900), part('b', 3, 100)]).map(({ name, share }) => [name, share])).toEqual([
		['b', 0.75],
		['a', 0.25],
	]);
	expect(usageShares([part('a', 0, 900), part('b', 0, 100)]).map(({ share }) => share)).toEqual([0.9, 0.1]);
	expect(usageShares([])).toEqual([]);
});
