import { describe, expect, test } from 'vitest';
import type { ApprovalView } from '#lib/contract/sessions/read-model/call-view.ts';
import type { SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import { emptyView } from '#lib/session/fold.ts';
import {
	alarmedOf,
	findSessions,
	groupSessions,
	locationWords,
	namesakesOf,
	statusNow,
} from '#lib/session/session-list.ts';
import { summarise } from '#lib/session/summarise.ts';
import { viewAfter } from '#lib/session/testing/view-after.ts';
import { headlineOf } from '../../approvals/approval-line.tsx';
import { deadlineOf, waitingApprovals } from '../../approvals/waiting.ts';

const now = Date.UTC(2026, 5, 15, 12);
const ago = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
const session = (sessionId: string, change: Partial<SessionSummary> = {}): SessionSummary => ({
	...summarise(emptyView(sessionId), now),
	...change,
});
/** An alarm: a denied call ran. */
const ran = { key: 'call:t1', kind: 'denied-but-ran' as const, at: ago(6), cause: 'Bash rm -rf build' };

const approval = (approvalId: string, minutes: number, change: Partial<ApprovalView> = {}): ApprovalView => ({
	...{ approvalId, state: 'waiting', tool: 'Agent', title: 'design', denials: [], deadline: ago(-minutes) },
	...change,
});

describe('the list of sessions', () => {
	test('approvals are ordered by their real deadline, over all sessions', () => {
		const sessions = {
			a: session('a', { approvals: [approval('late', 9), approval('none', 0, { deadline: undefined })] }),
			b: session('b', { approvals: [approval('soon', 1), approval('forged', 0.5, { unverified: true })] }),
		};
		expect(waitingApprovals(sessions).map((each) => each.approval.approvalId)).toEqual(['soon', 'late', 'none']);
		expect(waitingApprovals(null)).toEqual([]);
		expect(deadlineOf(approval('x', 0, { deadline: 'never' }))).toBe(Number.POSITIVE_INFINITY);
	});

	test('a question whose deadline has passed no longer makes a session wait', () => {
		const asking = session('a', { status: 'waiting', approvals: [approval('x', 1)] });
		expect(statusNow(asking, now)).toBe('waiting');
		expect(statusNow(asking, now + 120_000)).toBe('running');
		expect(statusNow(session('b', { status: 'waiting' }), now)).toBe('waiting');
	});

	test('sessions of one task in one place are known, however many they are', () => {
		const cart = { title: 'Build the cart', project: 'shop', branch: 'feat/cart' };
		const sessions = {
			a: session('a', cart),
			b: session('b', cart),
			c: session('c', cart),
			elsewhere: session('elsewhere', { ...cart, project: 'store' }),
			other: session('other', { ...cart, title: 'Mend the cart' }),
		};
		expect([...namesakesOf(sessions)]).toEqual(['a', 'b', 'c']);
	});

	test('sessions are grouped under running, idle, ended today and older', () => {
		const groups = groupSessions(
			[
				session('old', { status: 'ended', endedAt: ago(4_000) }),
				session('first', { status: 'running', startedAt: ago(9) }),
				session('second', { status: 'running', startedAt: ago(3) }),
				session('idle', { status: 'idle', lastAt: ago(1) }),
				session('lost', { status: 'lost', endedAt: ago(2) }),
			],
			now,
		);
		const ids = [...groups].map(([name, list]) => [name, list.map(({ sessionId }) => sessionId)]);
		expect(ids).toEqual([
			['Running', ['second', 'first']],
			['Idle', ['idle']],
			['Ended today', ['lost']],
			['Older', ['old']],
		]);
	});

	test('denied but ran and long silence are alarms', () => {
		const kinds = (one: SessionSummary) =>
			alarmedOf([one], now).flatMap(({ alarms }) => alarms.map(({ kind }) => kind));
		const quiet = session('a', { status: 'running', lastAt: ago(5) });
		expect(kinds(quiet)).toEqual(['silent']);
		expect(kinds({ ...quiet, lastAt: ago(3) })).toEqual([]);
		expect(kinds(session('b', { lastAt: ago(5), alarms: [ran] }))).toEqual(['denied-but-ran']);
	});
	test('an open call is no silence, nor is a review before its deadline', () => {
		const quiet = session('a', { status: 'running', lastAt: ago(5) });
		expect(alarmedOf([{ ...quiet, busy: {} }], now)).toEqual([]);
		expect(alarmedOf([{ ...quiet, busy: { until: ago(-1) } }], now)).toEqual([]);
		expect(alarmedOf([{ ...quiet, busy: { until: ago(1) } }], now)).toHaveLength(1);
	});
	test('a snoozed alarm is shown again when its time comes, and so is a new silence', () => {
		const quiet = session('a', { status: 'running', lastAt: ago(5) });
		const late = session('b', { lastAt: ago(5), alarms: [{ ...ran, until: ago(-1) }] });
		expect(alarmedOf([{ ...quiet, quiet: { since: ago(5) } }, late], now)).toEqual([]);
		expect(alarmedOf([{ ...quiet, quiet: { since: ago(5), until: ago(1) } }], now)).toHaveLength(1);
		expect(alarmedOf([{ ...quiet, quiet: { since: ago(9) } }], now)).toHaveLength(1);
		expect(alarmedOf([{ ...late, alarms: [{ ...ran, until: ago(1) }] }], now)).toHaveLength(1);
	});
	test('alarms of a session last active before yesterday are shown on its page alone', () => {
		const ended = (minutes: number) => session('a', { status: 'ended', endedAt: ago(minutes), alarms: [ran] });
		expect(alarmedOf([ended(20 * 60)], now)).toHaveLength(1);
		expect(alarmedOf([ended(12 * 24 * 60)], now)).toEqual([]);
	});
	test('sessions are found by words of project, branch, prompt, workflow, status and id, in any case', () => {
		const sessions = [
			session('one', { project: 'Shop', branch: 'feat/cart', title: 'Fix the checkout', status: 'running' }),
			session('two', { project: '商城', title: '修复购物车', workflow: 'debug', status: 'ended' }),
		];
		const ids = (words: string) => findSessions(sessions, words).map(({ sessionId }) => sessionId);
		expect([ids(''), ids('  '), ids('shop CHECKOUT'), ids('shop debug')]).toEqual([
			...[['one', 'two'], ['one', 'two'], ['one'], []],
		]);
		expect([ids('购物车'), ids('ended'), ids('feat/cart running'), ids('two')]).toEqual([
			...[['two'], ['two'], ['one'], ['two']],
		]);
	});

	test('alarms are ordered by the start of their sessions, so that later events move none', () => {
		const quiet = session('a', { status: 'running', lastAt: ago(5), startedAt: ago(90) });
		const late = session('b', { alarms: [ran], startedAt: ago(60), lastAt: ago(50) });
		const ids = (sessions: SessionSummary[]) => alarmedOf(sessions, now).map(({ session: of }) => of.sessionId);
		expect(ids([quiet, session('c'), late])).toEqual(['b', 'a']);
		expect(ids([{ ...quiet, alarms: [ran], lastAt: ago(0) }, late])).toEqual(['b', 'a']);
	});

	test('an approval is named by what it is about', () => {
		const denial = {
			gate: 'routing-plan',
			rule: 'routing.agent-in-plan',
			reason: 'Agent mismatch: architect not in expected [tester]',
		};
		expect(headlineOf(approval('a', 1, { denials: [denial], asked: 'architect' }))).toBe(
			'architect is not in the plan',
		);
		// Recorded without the agent that was asked for.
		expect(headlineOf(approval('a', 1, { denials: [denial] }))).toBe('architect is not in the plan');
		expect(headlineOf(approval('a', 1, { denials: [{ ...denial, rule: 'other' }] }))).toBe(denial.reason);
		expect(headlineOf(approval('a', 1))).toBe('Agent asks for permission: design');
		expect(headlineOf(approval('a', 1, { title: '' }))).toBe('Agent asks for permission');
	});

	test('a question names the sub-agent that asks also where only the list of sessions is at hand', () => {
		const question = {
			approvalId: 'approval-1',
			tool: 'Bash',
			input: {},
			inputDigest: 'd',
			denials: [],
			deadline: ago(-1),
		};
		const { approvals } = summarise(
			viewAfter(
				['agent:start', { agent: 'developer' }, 'a1'],
				['approval:request', question, 'a1'],
				['approval:request', { ...question, approvalId: 'approval-2' }],
			),
			now,
		);
		expect(approvals.map(({ approvalId, actor }) => [approvalId, actor])).toEqual([
			['approval-1', 'developer'],
			['approval-2', undefined],
		]);
	});

	test('a row says where the session works', () => {
		expect([
			locationWords('shop', 'main', 'x'),
			locationWords('shop', undefined, 'x'),
			locationWords(undefined, 'main', 'x'),
		]).toEqual([...['shop/main', 'shop', 'x']]);
	});
});
