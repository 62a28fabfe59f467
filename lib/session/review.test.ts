import { describe, expect, it } from 'vitest';
import type { EventType } from '../contract/events/event-labels.ts';
import type { Row } from '../contract/sessions/read-model/row.ts';
import type { IndexedEvent, SessionView } from '../contract/sessions/read-model/session-view.ts';
import { isOverridden, outcomeOf } from './call.ts';
import { emptyView, fold } from './fold.ts';
import { reviewLook } from './judgement.ts';
import { rowLabel } from './row.ts';
import { statusOf } from './status.ts';

let seq = 0;
const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`;
const event = (id: string, type: EventType, fields: Record<string, unknown>, second = 0) =>
	({ id, ts: at(second), category: '', label: '', sessionId: 's', type, ...fields }) as unknown as IndexedEvent;
function view(...events: IndexedEvent[]): SessionView {
	return events.reduce((before, each) => {
		seq += 1;
		return fold(before, { ...each, seq }, () => undefined).view;
	}, emptyView('s'));
}

const iteration = { hook: 'Stop', iteration: 1, max: 20 };
const review = event('r1', 'supervisor:review', { ...iteration, deadline: at(50) }, 1);
const verdict = event('v1', 'supervisor:verdict', { ...iteration, causedBy: 'r1', allow: false, feedback: 'more' }, 2);

describe('reviews in the fold', () => {
	it.each([
		['reviewing', 'run', {}],
		['cut off: no verdict', 'warn', { deadline: at(50) }],
		['cut off: no verdict', 'warn', { cutOffAt: at(9) }],
		['allowed', 'ok', { allow: true }],
		['sent back', 'warn', { allow: false }],
		['allowed by a person', 'ok', { allow: true, by: 'person' }],
		['sent back by a person', 'warn', { allow: false, by: 'person' }],
		['limit reached, allowed unreviewed', 'warn', { allow: true, by: 'limit' }],
		['review failed, allowed', 'err', { allow: true, failed: true }],
		['review failed, sent back', 'err', { allow: false, failed: true }],
	] as const)('R421 the page says of a review: %s', (word, tone, fields) => {
		const look = reviewLook({ hook: 'Stop', at: at(1), iteration: 1, max: 20, seq: 1, ...fields }, Date.parse(at(59)));
		expect(look).toEqual({ word, tone, isRunning: word === 'reviewing' });
	});

	it('R421 a review and its verdict are one, in either order', () => {
		const plain = ({ supervisor }: SessionView) => supervisor.map(({ seq: _, ...rest }) => rest);
		expect(plain(view(verdict, review))).toEqual(plain(view(review, verdict)));
		expect(view(review, verdict).supervisor).toMatchObject([{ reviewId: 'r1', at: at(1), allow: false }]);
	});

	it('R421 the same iteration after a reset is a review of its own', () => {
		const again = event('r2', 'supervisor:review', iteration, 5);
		expect(view(review, verdict, again).supervisor).toMatchObject([
			{ reviewId: 'r1', feedback: 'more' },
			{ reviewId: 'r2' },
		]);
		expect(view(review, verdict, again).supervisor[1]?.allow).toBeUndefined();
	});

	it('R430 a review that is open when the session ends was cut off then, and one with a verdict was not', () => {
		const open = (id: string) => event(id, 'supervisor:review', { ...iteration, iteration: 2 }, 5);
		const end = (second: number) => event('e', 'session:end', {}, second);
		const { supervisor } = view(review, verdict, open('r2'), end(9), open('r3'), end(20));
		expect(supervisor.map(({ cutOffAt }) => cutOffAt)).toEqual([undefined, at(9), at(20)]);
	});

	it('the line of a question without a call says how it was decided; a review that ends is not left unanswered', () => {
		const request = { approvalId: 'p1', inputDigest: '', denials: [], deadline: '2027-01-01T00:00:00.000Z' };
		const prompt = event('p', 'approval:request', { ...request, tool: 'Bash', input: { command: 'make' } }, 3);
		const by = { role: 'operator', via: 'browser' };
		const decided = (decision: string, more = {}) =>
			event('d', 'approval:resolve', { approvalId: 'p1', decision, by, ...more }, 4);
		const line = (...events: IndexedEvent[]) => {
			let rows = new Map<string, Row>();
			let seen = emptyView('s');
			for (const each of events) {
				seq += 1;
				const next = fold(seen, { ...each, seq }, (key) => rows.get(key));
				rows = new Map([...rows, ...next.rows.map((row) => [row.key, row] as const)]);
				seen = next.view;
			}
			const row = rows.get('approval:p1');
			return row && `${row.tone} ${rowLabel(row)} ${row.title}`;
		};
		expect(line(prompt)).toBe('wait Approval asked make');
		expect(line(prompt, decided('approve'))).toBe('ok Approved make');
		expect(line(prompt, decided('deny', { stop: true }))).toBe('err Denied make · ending the agent’s turn');
		expect(line(prompt, decided('answer', { updatedInput: { answers: { a: 'yes' } } }))).toBe('ok Answered make · yes');
		const gone = event('g', 'approval:abandon', { approvalId: 'p1', reason: 'it was answered in the terminal' }, 4);
		expect(line(prompt, gone)).toBe('warn Approval abandoned make · it was answered in the terminal');
		const facts = { review: { event: 'Stop', iteration: 1, max: 20, isOver: false } };
		const reviewed = event('q', 'approval:request', { ...request, tool: 'Stop', input: { said: '' }, facts }, 3);
		const over = event('o', 'approval:abandon', { approvalId: 'p1', reason: 'the review ended: blocked' }, 4);
		expect(line(reviewed, over)).toBe('plain Review over the review ended: blocked');
	});

	it('a running review makes no session wait and no call; allowing it overrides nothing', () => {
		const call = { toolUseId: 'q', tool: 'AskUserQuestion', input: {} };
		const fields = {
			...call,
			...{ approvalId: 'approval-1', inputDigest: '', denials: [], deadline: '2027-01-01T00:00:00.000Z' },
		};
		const request = (isOver: boolean) =>
			event(
				'a',
				'approval:request',
				{ ...fields, facts: { review: { event: 'PreToolUse', iteration: 1, max: 20, isOver } } },
				3,
			);
		const now = Date.parse(at(4));
		const running = view(event('c', 'tool:call', call, 2), request(false));
		expect(statusOf(running, now)).not.toBe('waiting');
		expect(running.calls.map(outcomeOf)).toEqual(['running']);
		const resolved = event(
			'd',
			'approval:resolve',
			{ toolUseId: 'q', approvalId: 'approval-1', decision: 'approve', by: { role: 'operator', via: 'browser' } },
			5,
		);
		expect(view(event('c', 'tool:call', call, 2), request(false), resolved).calls.map(isOverridden)).toEqual([false]);
		expect(statusOf(view(event('c', 'tool:call', call, 2), request(true)), now)).toBe('waiting');
		expect(view(event('c', 'tool:call', call, 2), request(true), resolved).calls.map(isOverridden)).toEqual([true]);
	});
});
