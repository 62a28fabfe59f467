import { expect, test } from 'vitest';
import type { SessionSummary } from '../contract/sessions/read-model/session-summary.ts';
import { lanesToCome } from './fleet.ts';

const now = Date.UTC(2026, 5, 15, 12);
const session = (status: SessionSummary['status'], minutesAgo: number) =>
	({ status, lastAt: new Date(now - minutesAgo * 60_000).toISOString() }) as SessionSummary;

test('space is reserved for a lane of each session that is running or had an event in the strip’s time', () => {
	const sessions = { a: session('running', 300), b: session('ended', 20), c: session('ended', 61) };
	expect(lanesToCome(sessions, 60, now)).toBe(2);
	expect(lanesToCome(sessions, 15, now)).toBe(1);
	expect(lanesToCome(null, 60, now)).toBe(0);
	const many = Object.fromEntries(Array.from({ length: 90 }, (_, index) => [index, session('running', 1)]));
	expect(lanesToCome(many, 60, now)).toBe(60);
});
