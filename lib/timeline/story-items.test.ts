import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CallView } from '../contract/sessions/read-model/call-view.ts';
import type { Row } from '../contract/sessions/read-model/row.ts';
import { filterChoices, isFiltering, type StoryFilter, showsRow, storyItems } from './story.ts';

const at = '2026-01-01T00:00:00.000Z';
function callRow(seq: number, tool: string, extra: Partial<CallView> = {}, agentId?: string): Row {
	const actor = agentId === undefined ? {} : { agentId };
	const call: CallView = {
		toolUseId: `t${seq}`,
		seq,
		at,
		tool,
		title: '',
		verdicts: [],
		evidence: 'ran',
		...actor,
		...extra,
	};
	return { key: `call:t${seq}`, seq, at, type: 'tool:call', title: '', tone: 'ok', shown: true, call, ...actor };
}
const eventRow = (seq: number, type: string, shown = true): Row => ({
	...{ key: `event:${seq}`, seq, at, type, title: '', tone: 'plain', shown },
});
const denial = { gate: 'routing', decision: 'deny', rule: 'r', reason: 'no' } as const;
const none: StoryFilter = { tool: null, agent: null, type: null, decision: null };

describe('the story', () => {
	test('three or more like calls of one actor become one line that opens in place', () => {
		const rows = [1, 2, 3, 4].map((seq) => callRow(seq, 'Read'));
		expect(storyItems(rows, 'flat', new Set()).map(({ kind }) => kind)).toEqual(['fold']);
		const open = storyItems(rows, 'flat', new Set(['fold:call:t1']));
		expect(open.map(({ kind }) => kind)).toEqual(['fold', 'row', 'row', 'row', 'row']);
	});

	test('another tool, actor or anything that needs eyes ends a fold', () => {
		const rows = [
			...[callRow(1, 'Read'), callRow(2, 'Read'), callRow(3, 'Read', { verdicts: [denial] }), callRow(4, 'Read')],
			...[
				callRow(5, 'Read'),
				callRow(6, 'Read', { evidence: 'failed' }),
				callRow(7, 'Bash'),
				callRow(8, 'Bash', {}, 'a1'),
			],
		];
		expect(storyItems(rows, 'flat', new Set()).every(({ kind }) => kind === 'row')).toBe(true);
	});

	test('folding loses and reorders nothing', () => {
		const anyRow = fc.tuple(fc.constantFrom('Read', 'Bash'), fc.constantFrom<'ran' | 'failed'>('ran', 'failed'));
		fc.assert(
			fc.property(fc.array(anyRow, { maxLength: 40 }), (list) => {
				const rows = list.map(([tool, evidence], seq) => callRow(seq, tool, { evidence }));
				const items = storyItems(rows, 'flat', new Set());
				expect(items.flatMap((item) => (item.kind === 'row' ? [item.row] : item.rows))).toEqual(rows);
				expect(new Set(items.map(({ key }) => key)).size).toBe(items.length);
			}),
		);
	});

	test('a line that says the same keeps its identity', () => {
		const rows = ['Read', 'Bash', 'Read', 'Bash'].map((tool, seq) => callRow(seq, tool));
		const items = storyItems(rows, 'flat', new Set());
		const grown = storyItems([...rows, callRow(4, 'Read')], 'flat', new Set(), items);
		expect(items.every((item, index) => grown[index] === item)).toBe(true);
		expect(storyItems(rows.with(1, callRow(1, 'Bash')), 'flat', new Set(), items)[1]).not.toBe(items[1]);
	});

	test('rows that the catalogue hides appear only when their type is asked for', () => {
		const hidden = eventRow(1, 'hook:event', false);
		expect(showsRow(hidden, none)).toBe(false);
		expect(showsRow(hidden, { ...none, type: 'hook' })).toBe(true);
		expect(showsRow(callRow(2, 'Read'), none)).toBe(true);
	});

	test('each filter narrows further', () => {
		const denied = callRow(1, 'Agent', { verdicts: [denial], evidence: undefined } as Partial<CallView>, 'a1');
		const leaked = callRow(2, 'Agent', { verdicts: [denial] });
		expect(showsRow(denied, { ...none, tool: 'Agent', agent: 'a1', type: 'tool', decision: 'denied' })).toBe(true);
		expect(showsRow(denied, { ...none, agent: 'main' })).toBe(false);
		expect(showsRow(denied, { ...none, tool: 'Read' })).toBe(false);
		expect([denied, leaked].map((row) => showsRow(row, { ...none, decision: 'alarm' }))).toEqual([false, true]);
		expect(showsRow(callRow(3, 'Bash', { evidence: 'failed' }), { ...none, decision: 'failed' })).toBe(true);
		expect(showsRow(eventRow(4, 'prompt:submit'), { ...none, decision: 'denied' })).toBe(false);
		expect([isFiltering(none), isFiltering({ ...none, tool: 'x' })]).toEqual([false, true]);
	});

	test('the filters offer what the loaded rows hold', () => {
		const rows = [callRow(1, 'Read', {}, 'a1'), callRow(2, 'Bash'), eventRow(3, 'prompt:submit')];
		expect(filterChoices(rows)).toEqual({ tools: ['Bash', 'Read'], agents: ['a1', 'main'], types: ['prompt', 'tool'] });
	});

	test('the filters find what was denied and approved in the client’s own prompt; an agent without a row is no choice', () => {
		const approval = { approvalId: 'x', tool: 'Bash', title: '', denials: [], isPrompt: true as const };
		const prompt = (state: 'denied' | 'approved') => ({ evidence: undefined, approval: { ...approval, state } });
		const rows = [
			callRow(1, 'Bash', prompt('denied') as Partial<CallView>),
			callRow(2, 'Bash', { evidence: undefined, closed: { at: '', why: 'client-denied' } } as Partial<CallView>),
			callRow(3, 'Bash', prompt('approved') as Partial<CallView>),
		];
		const shown = (decision: 'denied' | 'approved') => rows.map((row) => showsRow(row, { ...none, decision }));
		expect(shown('denied')).toEqual([true, true, false]);
		expect(shown('approved')).toEqual([false, false, true]);
		const ghost = { ...eventRow(4, 'hook:event', false), agentId: 'a9' };
		expect(filterChoices([...rows, ghost]).agents).toEqual(['main']);
	});
});
