import { expect, test } from 'vitest';
import type { Moment, SessionView } from '../contract/sessions/read-model/session-view.ts';
import { emptyView } from '../session/fold.ts';
import { fleetOf, laneSpans, MAX_LANES, markNear, momentWords, moveCursor, nextMoment, stateAt } from './fleet.ts';

const now = Date.UTC(2026, 5, 15, 12);
const ago = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
const moment = (minutes: number, what: Moment['what']): Moment => ({ at: ago(minutes), what, row: `event:${minutes}` });
const session = (sessionId: string, moments: Moment[], change: Partial<SessionView> = {}): SessionView => ({
	...emptyView(sessionId),
	...{ moments, lastAt: moments.at(-1)?.at, startedAt: moments[0]?.at, laneState: 'working' },
	...change,
});

test('a lane holds what its session did in the time that is asked for, and what it did when that began', () => {
	const view = session('a', [moment(90, 'working'), moment(40, 'waiting'), moment(38, 'denial'), moment(30, 'idle')]);
	const { lanes, from, to } = fleetOf([view], { now, minutes: 60 });
	expect(lanes).toEqual([{ sessionId: 'a', before: 'working', moments: view.moments?.slice(1) }]);
	const [lane] = lanes;
	const spans = lane ? laneSpans(lane, Date.parse(from), Date.parse(to)) : [];
	expect(spans.map((span) => [span.state, (span.to - span.from) / 60_000])).toEqual([
		['working', 20],
		['waiting', 10],
		['idle', 30],
	]);
	expect(stateAt(spans, now - 35 * 60_000)).toBe('waiting');
	expect(lane && markNear(lane, now - 37 * 60_000, 120_000)?.what).toBe('denial');
	expect(lane && markNear(lane, now - 30 * 60_000, 120_000)).toBeUndefined();
	expect(lane && nextMoment(lane, now - 38 * 60_000, 1, now)).toBe(now - 30 * 60_000);
	expect(lane && nextMoment(lane, now - 45 * 60_000, -1, 0)).toBe(0);
	expect(momentWords('waiting')).toBe('waits for you');
});

test('a session is drawn from its beginning to its end only', () => {
	const view = session('a', [moment(50, 'working'), moment(20, 'over')], { laneState: 'over' });
	const [lane] = fleetOf([view], { now, minutes: 60 }).lanes;
	const spans = lane ? laneSpans(lane, now - 3_600_000, now) : [];
	expect(spans).toEqual([{ state: 'working', from: now - 50 * 60_000, to: now - 20 * 60_000 }]);
	expect(stateAt(spans, now)).toBeNull();
});

test('a session of which nothing is heard is drawn as idle from its last event on, unless a call of it is open', () => {
	const silent = { turn: 'running', lastAt: ago(20) } as const;
	const open = { toolUseId: 't', tool: 'Bash', title: 'npm test', verdicts: [], at: ago(20) };
	const views = [
		session('silent', [moment(50, 'working')], silent),
		session('tests', [moment(40, 'working')], { ...silent, calls: [open as unknown as SessionView['calls'][number]] }),
	];
	const { lanes } = fleetOf(views, { now, minutes: 60 });
	const drawn = lanes.map((lane) => laneSpans(lane, now - 3_600_000, now).map(({ state, to }) => [state, to]));
	expect(drawn).toEqual([
		[['working', now]],
		[
			['working', now - 20 * 60_000],
			['idle', now],
		],
	]);
});

test('an actor without activity in that time has no lane, one that still works has one, a reviewer none', () => {
	const views = [
		session('long', [moment(600, 'working')]),
		session('rests', [moment(600, 'working'), moment(300, 'idle')], { laneState: 'idle' }),
		session('reviewer', [moment(5, 'working')], { reviewer: true }),
		session('new', [moment(2, 'working')]),
	];
	expect(fleetOf(views, { now, minutes: 60 }).lanes.map(({ sessionId }) => sessionId)).toEqual(['new', 'long']);
});

test('of very many those under way come first, and the others are counted', () => {
	const many = Array.from({ length: MAX_LANES + 20 }, (_, index) =>
		session(`s${index}`, [moment(30, 'working'), moment(index / 10, 'idle')], { laneState: 'idle' }),
	);
	const views = [...many, session('works', [moment(55, 'working')])];
	const { lanes, more } = fleetOf(views, { now, minutes: 60 });
	expect(lanes).toHaveLength(MAX_LANES);
	expect(more).toBe(21);
	expect(lanes.some(({ sessionId }) => sessionId === 'works')).toBe(true);
});

test('keys go from lane to lane and from moment to moment, and nowhere beyond', () => {
	const views = [session('a', [moment(50, 'working'), moment(20, 'denial')]), session('b', [moment(40, 'working')])];
	const { lanes } = fleetOf(views, { now, minutes: 60 });
	const field = { lanes, from: now - 3_600_000, to: now };
	const go = (...keys: string[]) =>
		keys.reduce<ReturnType<typeof moveCursor>>((cursor, key) => moveCursor(key, cursor, field), null);
	expect(go('ArrowDown')).toEqual({ sessionId: 'b', at: now });
	expect(go('ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowLeft')).toEqual({ sessionId: 'a', at: now - 20 * 60_000 });
	expect(go('ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowRight', 'ArrowRight')).toEqual({ sessionId: 'b', at: now });
	expect(go('ArrowDown', 'Home', 'ArrowLeft')).toEqual({ sessionId: 'b', at: field.from });
	expect(moveCursor('x', null, field)).toBeNull();
	expect(moveCursor('ArrowDown', null, { ...field, lanes: [] })).toBeNull();
});
