import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ApprovalView } from '../contract/sessions/read-model/call-view.ts';
import type { SessionSummary } from '../contract/sessions/read-model/session-summary.ts';
import type { SessionView } from '../contract/sessions/read-model/session-view.ts';
import { emptyView } from './fold.ts';
import { mergeSummaries } from './session-list.ts';
import { countSessions, createTally, FIRST_SESSIONS, firstPageOfSessions, pageOfSessions } from './session-page.ts';
import { summarise } from './summarise.ts';

const now = Date.UTC(2026, 5, 15, 12);
const ago = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
const session = (sessionId: string, minutes: number, change: Partial<SessionView> = {}): SessionView => ({
	...emptyView(sessionId),
	...{ seq: 1, lastAt: ago(minutes), ended: { at: ago(minutes), reason: 'exit' } },
	...change,
});
const alarms = [{ key: 'call:t1', kind: 'denied-but-ran' as const, at: ago(9), cause: 'Bash rm -rf build' }];
const many = (count: number) => Array.from({ length: count }, (_, index) => session(`s${index}`, index));
const idsOf = (sessions: readonly SessionSummary[]) => sessions.map(({ sessionId }) => sessionId);

test('pages that follow one another are the whole list, each session once, the last active first', () => {
	const minutes = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 40 });
	fc.assert(
		fc.property(minutes, fc.integer({ min: 1, max: 9 }), (times, limit) => {
			const views = times.map((at, nth) => session(`s${nth}`, at));
			const got: string[] = [];
			let before: string | undefined;
			do {
				const { sessions, next } = pageOfSessions(views, { now, limit, before });
				got.push(...idsOf(sessions));
				before = next ?? undefined;
			} while (before !== undefined);
			expect(got).toEqual(idsOf(pageOfSessions(views, { now }).sessions));
			expect(got.length).toBe(times.length);
		}),
		{ numRuns: 60, seed: 3 },
	);
});

test('the first page is the newest, and whatever needs somebody or runs, however old, or went wrong since yesterday', () => {
	const approval: ApprovalView = { approvalId: 'a', state: 'waiting', tool: 'Bash', title: '', denials: [] };
	const views = [
		...many(250),
		session('runs', 90_000, { ended: undefined, turn: 'running' }),
		session('asks', 80_000, { approvals: [approval] }),
		session('wrong', 24 * 60, { alarms }),
		session('wrong-long-ago', 70_000, { alarms }),
		session('seen', 23 * 60, { alarms, handled: [{ key: 'call:t1', at: ago(1) }] }),
	];
	const page = firstPageOfSessions(views, { now });
	expect(idsOf(page.sessions)).toEqual([...idsOf(page.sessions).slice(0, FIRST_SESSIONS), 'wrong', 'asks', 'runs']);
	expect(idsOf(page.sessions).slice(0, 2)).toEqual(['s0', 's1']);
	expect(page.counts).toMatchObject({ all: 255, alarmed: 1, groups: { Running: 1 } });
	const { sessions } = pageOfSessions(views, { now, before: page.next ?? '', limit: 5 });
	expect(idsOf(sessions)).toEqual(['s100', 's101', 's102', 's103', 's104']);
	expect(firstPageOfSessions(many(3), { now }).next).toBe(null);
});

test('counts go by the reader’s own day, and leave out who reviews others', () => {
	const views = [session('a', 60), session('b', 13 * 60), session('c', 10, { reviewer: true })];
	expect(countSessions(views, { now })).toMatchObject({ all: 2, groups: { 'Ended today': 1, Older: 1 } });
	// Two hours ahead of UTC, yesterday evening is today.
	expect(countSessions(views, { now, zone: -120 }).groups).toMatchObject({ 'Ended today': 2, Older: 0 });
});

test('counts that follow each change are those of the whole list, over midnight, too', () => {
	const step = fc.record({
		...{ nth: fc.nat(9), minutes: fc.integer({ min: 0, max: 3000 }), later: fc.integer({ min: 0, max: 500 }) },
		...{ turn: fc.constantFrom('idle' as const, 'running' as const), wrong: fc.nat(1), isReviewer: fc.boolean() },
	});
	fc.assert(
		fc.property(fc.array(step, { maxLength: 30 }), fc.integer({ min: -840, max: 720 }), (steps, zone) => {
			let clock = now;
			const server = new Map(many(5).map((view) => [view.sessionId, view]));
			const tally = createTally(
				() => [...server.values()],
				() => clock,
				zone,
			);
			for (const { nth, minutes, later, turn, wrong, isReviewer } of steps) {
				clock += later * 60_000;
				const change = { turn, alarms: alarms.slice(0, wrong), ended: undefined, reviewer: isReviewer };
				const view = session(`s${nth}`, minutes, change as Partial<SessionView>);
				server.set(view.sessionId, view);
				tally.setCounted(view);
				expect(tally.counts()).toEqual(countSessions([...server.values()], { now: clock, zone }));
			}
		}),
		{ numRuns: 60, seed: 9 },
	);
});

test('a part of the list is found by words, by ids, and by what went wrong, with counts of its own', () => {
	const views = [
		session('one', 1, { project: 'Shop', title: 'Fix the checkout' }),
		session('two', 2, { project: 'shop', alarms }),
		session('three', 3),
	];
	const ids = (request: Partial<Parameters<typeof pageOfSessions>[1]>) => {
		const { sessions, counts } = pageOfSessions(views, { now, ...request });
		expect(counts.all).toBe(sessions.length);
		return idsOf(sessions);
	};
	expect(ids({ q: 'SHOP' })).toEqual(['one', 'two']);
	expect(ids({ q: 'shop checkout' })).toEqual(['one']);
	expect(ids({ ids: ['three', 'none', 'one'] })).toEqual(['one', 'three']);
	expect(ids({ alarmed: true })).toEqual(['two']);
});

test('a reader who takes pages while sessions arrive, change and are recorded late has exactly the list', () => {
	const step = fc.oneof(
		fc.record({ kind: fc.constant('new' as const), minutes: fc.integer({ min: -5, max: 60 }) }),
		fc.record({ kind: fc.constant('change' as const), nth: fc.nat(500), minutes: fc.integer({ min: -5, max: 60 }) }),
		fc.record({ kind: fc.constant('ask' as const), limit: fc.integer({ min: 1, max: 80 }) }),
		fc.record({ kind: fc.constantFrom('tell' as const, 'answer' as const, 'again' as const) }),
	);
	fc.assert(
		fc.property(fc.array(step, { minLength: 30, maxLength: 80 }), (steps) => {
			const server = new Map(many(180).map((view) => [view.sessionId, view]));
			const views = () => [...server.values()];
			let known: Record<string, SessionSummary> = {};
			let next: string | null = null;
			/** Changes that are not sent yet, and a page that is on its way: it may overtake them. */
			let unsent: SessionView[] = [];
			let onItsWay: { sessions: SessionSummary[]; next: string | null } | null = null;
			const begin = () => {
				const page = firstPageOfSessions(views(), { now });
				known = mergeSummaries({}, page.sessions);
				({ next } = page);
				onItsWay = null;
			};
			const storeView = (view: SessionView) => {
				server.set(view.sessionId, view);
				unsent.push(view);
			};
			const ask = (limit: number) => {
				if (next !== null && !onItsWay) onItsWay = pageOfSessions(views(), { now, limit, before: next });
			};
			const answer = () => {
				if (!onItsWay) return;
				known = mergeSummaries(known, onItsWay.sessions);
				({ next } = onItsWay);
				onItsWay = null;
			};
			const pushChanges = () => {
				known = mergeSummaries(
					known,
					unsent.map((view) => summarise(view, now)),
				);
				unsent = [];
			};
			begin();
			for (const each of steps) {
				if (each.kind === 'new') storeView(session(`n${server.size}`, each.minutes));
				else if (each.kind === 'change') {
					const view = views()[each.nth % server.size] as SessionView;
					storeView({ ...view, seq: view.seq + 1, lastAt: ago(each.minutes) });
				} else if (each.kind === 'ask') ask(each.limit);
				else if (each.kind === 'answer') answer();
				else if (each.kind === 'tell') pushChanges();
				else begin();
			}
			answer();
			while (next !== null) {
				ask(50);
				answer();
			}
			pushChanges();
			const all = Object.fromEntries(views().map((view) => [view.sessionId, summarise(view, now)]));
			expect(known).toEqual(all);
		}),
		{ numRuns: 40, seed: 5 },
	);
});
