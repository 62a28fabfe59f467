import { expect, test } from 'vitest';
import type { SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import { placesAt } from '../../ui/keys/shortcuts.ts';
import { paletteParts } from './palette-items.ts';

const session = (sessionId: string, lastAt: string, more: Partial<SessionSummary> = {}) =>
	({ sessionId, lastAt, project: 'shop', branch: sessionId, title: 'Build it', ...more }) as SessionSummary;
const sessions = [
	session('a', '2026-01-01'),
	session('b', '2026-01-02'),
	session('r', '2026-01-03', { reviewer: true }),
];
const machine = { places: placesAt(false, []), isHub: false };
const known = { sessions, features: [], recent: ['session:a', 'gone', 'page:/rules'], ...machine };
const ids = (typed: string) => paletteParts(typed, known).map(({ title, items }) => [title, items.map(({ id }) => id)]);

test('R1420 without words what was used last comes first, and nothing comes twice', () => {
	const [recent, ...others] = ids('');
	expect(recent).toEqual(['Recent', ['session:a', 'page:/rules']]);
	expect(others.flatMap(([, items]) => items)).not.toContain('page:/rules');
	expect(others.at(-1)).toEqual(['Sessions', ['session:b']]);
});

test('R1420 every word must fit; sessions come by their last word, those that only review never', () => {
	expect(ids('BUILD shop')).toEqual([['Sessions', ['session:b', 'session:a']]]);
	expect(ids('go nowhere')).toEqual([]);
	expect(ids('rules')).toEqual([['Pages', ['page:/rules']]]);
});

test('at a hub a session is found and shown with its machine', () => {
	const laptop = { name: 'laptop', team: 'shop', level: 'hub' as const, grants: 'never' as const };
	const [found] = paletteParts('laptop', {
		...known,
		sessions: [session('a', '2026-01-01', { machine: laptop }), ...sessions],
	});
	expect(found?.items.map(({ label }) => label)).toEqual(['shop/a · laptop']);
});
