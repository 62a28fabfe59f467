import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Row } from '../contract/sessions/read-model/row.ts';
import { type StoryNode, storyItems, storyTree } from './story.ts';

const at = '2026-01-01T00:00:00.000Z';
const event = (seq: number, type: string, more: Partial<Row> = {}): Row => ({
	...{ key: `event:${seq}`, seq, at, type, title: '', tone: 'plain', shown: true },
	...more,
});
const call = (seq: number, more: Partial<Row> = {}, startedAgentId?: string): Row => ({
	...event(seq, 'tool:call', more),
	key: `call:${seq}`,
	call: {
		...{ toolUseId: `${seq}`, seq, at, tool: startedAgentId ? 'Agent' : 'Bash', title: '', verdicts: [] },
		...{ evidence: 'ran', ...(startedAgentId && { startedAgentId }) },
	},
});

/** Each node as its rows' places and its children. */
type Shape = number | [number[], Shape[]];
const shapeOf = (nodes: readonly StoryNode[]): Shape[] =>
	nodes.map((node) =>
		node.kind === 'leaf' ? node.row.seq : [node.rows.map(({ seq }) => seq), shapeOf(node.children)],
	);
const rowsIn = (nodes: readonly StoryNode[]): Row[] =>
	nodes.flatMap((node) => (node.kind === 'leaf' ? [node.row] : [...node.rows, ...rowsIn(node.children)]));

test('R2770 a stage and an agent are one line each, with what they did below: their starts and ends need none', () => {
	const rows = [
		event(1, 'prompt:submit'),
		event(2, 'stage:start', { stage: 'DEV' }),
		event(3, 'agent:start', { agent: 'developer', stage: 'DEV', agentId: 'a' }),
		call(4, { agentId: 'a' }),
		event(5, 'agent:complete', { agent: 'developer', agentId: 'a', result: 'pass' }),
		event(6, 'stage:complete', { stage: 'DEV', result: 'pass' }),
		call(7),
	];
	expect(shapeOf(storyTree(rows))).toEqual([1, [[2, 6, 3, 5], [4]], 7]);
	expect(storyItems(rows, 'tree', new Set()).map(({ depth }) => depth)).toEqual([0, 0, 1, 0]);
	expect(storyItems(rows, 'tree', new Set(['event:2']))).toHaveLength(3);
	expect(storyItems(rows, 'flat', new Set())).toHaveLength(7);
});

test('R2770 stages side by side keep apart what their agents did', () => {
	const rows = [
		event(1, 'stage:start', { stage: 'REVIEW' }),
		event(2, 'agent:start', { agent: 'reviewer', stage: 'REVIEW', agentId: 'r' }),
		event(3, 'stage:start', { stage: 'TEST:2' }),
		event(4, 'agent:start', { agent: 'tester', stage: 'TEST', agentId: 't' }),
		call(5, { agentId: 'r' }),
		event(6, 'stage:complete', { stage: 'TEST:2', result: 'fail' }),
		call(7, { agentId: 'r' }),
		event(8, 'stage:complete', { stage: 'REVIEW' }),
	];
	expect(shapeOf(storyTree(rows))).toEqual([
		[
			[1, 8, 2],
			[5, 7],
		],
		[[3, 6, 4], []],
	]);
});

test('R2770 an agent is below its caller, with the call that started it as its first row', () => {
	const rows = [
		call(1, {}, 'a'),
		event(2, 'agent:start', { agent: 'lead', agentId: 'a' }),
		call(3, { agentId: 'a' }, 'b'),
		call(4, { agentId: 'b' }),
		event(5, 'agent:error', { agent: 'helper', agentId: 'b' }),
		call(6, { agentId: 'unseen' }),
	];
	expect(shapeOf(storyTree(rows))).toEqual([
		[[1, 2], [[[3, 5], [4]]]],
		[[], [6]],
	]);
});

test('R2770 every row of any story is in its tree exactly once, in whatever order the rows come', () => {
	const id = fc.constantFrom('a', 'b', 'c');
	const stage = fc.constantFrom('DEV', 'TEST', 'TEST:2');
	const anyRow = fc.oneof(
		fc.record({ type: fc.constantFrom('stage:start', 'stage:complete', 'stage:retry'), stage }),
		fc.record({
			type: fc.constantFrom('agent:start', 'agent:complete', 'agent:error', 'agent:delegate'),
			...{ agent: id, stage, agentId: fc.option(id, { nil: undefined }) },
		}),
		fc.record({ type: fc.constantFrom('prompt:submit', 'session:end', 'workflow:complete') }),
		fc.record({
			...{ type: fc.constant('tool:call'), agentId: fc.option(id, { nil: undefined }) },
			started: fc.option(id, { nil: undefined }),
		}),
	);
	const story = fc.array(anyRow, { maxLength: 40 }).map((list) =>
		list.map((one, seq): Row => {
			const more = Object.fromEntries(Object.entries(one).filter(([, value]) => value !== undefined)) as Partial<Row>;
			return one.type === 'tool:call'
				? call(seq, more, 'started' in one ? one.started : undefined)
				: event(seq, one.type, more);
		}),
	);
	fc.assert(
		fc.property(
			story.chain((rows) => fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length }))),
			([rows, shuffled]) => {
				const tree = storyTree(rows);
				expect(
					rowsIn(tree)
						.map(({ seq }) => seq)
						.sort((one, other) => one - other),
				).toEqual(rows.map(({ seq }) => seq));
				expect(storyTree(shuffled)).toEqual(tree);
				const items = storyItems(rows, 'tree', new Set());
				expect(new Set(items.map(({ key }) => key)).size).toBe(items.length);
			},
		),
	);
});
