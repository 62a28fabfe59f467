import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ArchiveFacts, planRetention, type RetentionFacts, type SessionFacts } from './plan-retention.ts';
import { readRetention } from './retention-policy.ts';

const DAY = 24 * 60 * 60 * 1000;
const NOW = 1000 * DAY;
const home = (retention: object) => JSON.stringify({ retention });

test('a retention is the person’s own; a project keeps longer and never shorter, and what cannot be read removes nothing', () => {
	const mine = home({ sessionDays: 30, archiveDays: 365, archiveMegabytes: 10, automatic: true });
	expect(readRetention(mine)).toEqual({
		...{ sessionDays: 30, archiveDays: 365, archiveMegabytes: 10, keepLabelled: true, automatic: true, problems: [] },
	});
	const at = (config: string | undefined | null, text = mine) => readRetention(text, { root: '/p', config });
	const longer = home({
		sessionDays: 1,
		archiveDays: 1000,
		archiveMegabytes: 0,
		keepLabelled: false,
		automatic: false,
	});
	expect(at(longer)).toMatchObject({ sessionDays: 30, archiveDays: 1000, keepLabelled: true, automatic: true });
	expect(at(longer).archiveMegabytes).toBeUndefined();
	expect(at(home({ archiveDays: 1 }), home({})).archiveDays).toBeUndefined();
	expect(at(home({ keepLabelled: true }), home({ keepLabelled: false })).keepLabelled).toBe(true);
	const named = home({ archiveDays: 9, projects: { '/p': { archiveDays: 3, archiveMegabytes: 1 } } });
	expect(at(undefined, named)).toMatchObject({ archiveDays: 3, archiveMegabytes: 1 });
	for (const bad of [null, '{', home({ archiveDays: 'x' }), home({ sessionDays: -1 }), home({ keepLabelled: 1 })]) {
		expect(at(bad)).toMatchObject({ keepLabelled: true, automatic: false, problems: [expect.any(String)] });
		expect(at(bad)).not.toHaveProperty('archiveDays');
	}
	expect(readRetention(home({ archiveDays: 1, projects: { '/p': { years: 1 } } }))).not.toHaveProperty('archiveDays');
	expect(readRetention(undefined)).toEqual({ keepLabelled: true, automatic: false, problems: [] });
});

const archive = (id: string, changes: Partial<ArchiveFacts> = {}): ArchiveFacts => ({
	...{ id, feature: id, root: '/p', at: 0, bytes: 1_000_000, complete: true, labelled: false },
	...changes,
});
const session = (sessionId: string, archives: string[], changes: Partial<SessionFacts> = {}): SessionFacts => ({
	...{ sessionId, archives, at: 0, bytes: 10, ended: true },
	...changes,
});
function plan(retention: object, facts: Partial<RetentionFacts>, projects: Record<string, object> = {}) {
	const text = home(retention);
	return planRetention({
		...{ now: NOW, archives: [], sessions: [], home: readRetention(text), inHub: false },
		policyOf: (root) => readRetention(text, { root, config: projects[root] && home(projects[root]) }),
		...facts,
	});
}
const names = ({ remove, kept }: ReturnType<typeof plan>) => [
	remove.map(({ what, id, why }) => `${what} ${id} ${why}`),
	kept.map(({ id, because }) => `${id} ${because}`),
];

test('by the hub’s policy no archive goes sooner than it says, by age or size; one that cannot be read removes nothing', () => {
	const mine = home({ archiveDays: 10, archiveMegabytes: 0, keepLabelled: false });
	const from = { hub: 'h', team: 't', version: 1, expires: '2999-01-01', mayLoosen: false };
	const policy = { ...from, body: { 'retention.archiveDays': 400, 'retention.keepLabelled': true } };
	const keeps = readRetention(mine, undefined, { policy });
	const archives = [
		archive('old', { at: NOW - 500 * DAY }),
		archive('young', { at: NOW - 300 * DAY }),
		archive('noted', { at: NOW - 500 * DAY, labelled: true }),
	];
	const facts = { now: NOW, archives, sessions: [], home: keeps, policyOf: () => keeps, inHub: true };
	expect(names(planRetention(facts))).toEqual([['archive old age'], ['noted labelled', 'young hub-policy']]);
	expect(readRetention(mine, undefined, { problem: 'x' })).toEqual({
		...{ keepLabelled: true, automatic: false, problems: ['x'] },
	});
});

test('archives go by age, the oldest first by size; labelled, unfinished and young ones stay and are named', () => {
	const archives = [
		archive('old'),
		archive('labelled', { labelled: true }),
		archive('unfinished', { complete: false }),
		archive('kept', { root: '/long' }),
		archive('young', { at: NOW - 5 * DAY }),
	];
	expect(names(plan({ archiveDays: 10 }, { archives }, { '/long': { archiveDays: 2000 } }))).toEqual([
		['archive old age'],
		['labelled labelled', 'unfinished unfinished'],
	]);
	expect(names(plan({ archiveMegabytes: 3 }, { archives }))).toEqual([
		['archive kept size', 'archive old size'],
		['labelled labelled'],
	]);
	const sized = plan({ archiveMegabytes: 3, keepLabelled: false }, { archives });
	expect([names(sized), sized.bytes]).toEqual([[['archive kept size', 'archive labelled size'], []], 2_000_000]);
	expect(names(plan({ archiveMegabytes: 0 }, { archives: [archive('now', { at: NOW })] }))).toEqual([
		[],
		['now unfinished'],
	]);
	const projects = { '/p': { archiveMegabytes: 1 } };
	expect(names(plan({ projects }, { archives: [archive('a'), archive('b'), archive('c', { root: '/q' })] }))).toEqual([
		['archive a size'],
		[],
	]);
});

test('a session goes only while an archive that stays has it, has ended, and no project keeps it longer', () => {
	const archives = [archive('a'), archive('b', { root: '/q', at: NOW - 5 * DAY })];
	const sessions = [
		...[session('both', ['a', 'b']), session('one', ['a']), session('other', ['b']), session('none', [])],
		...[session('live', ['b'], { ended: false }), session('young', ['b'], { at: NOW - DAY })],
	];
	expect(names(plan({ sessionDays: 7 }, { archives, sessions }, { '/q': { sessionDays: 2000 } }))).toEqual([
		['session one age'],
		[],
	]);
	expect(names(plan({ sessionDays: 7, archiveDays: 10 }, { archives, sessions }))).toEqual([
		['archive a age', 'session both age', 'session other age'],
		['live unfinished'],
	]);
	expect(names(plan({ sessionDays: 0 }, { archives, sessions: [session('s', ['a'])], inHub: true }))).toEqual([
		[],
		['s hub'],
	]);
});

test('whatever the policies and the facts, nothing goes that is not held by an archive that stays, and no label goes', () => {
	const number = fc.option(fc.integer({ min: 0, max: 900 }), { nil: undefined });
	const policy = fc.record({
		sessionDays: number,
		archiveDays: number,
		archiveMegabytes: fc.constantFrom(undefined, 0, 3),
	});
	const facts = fc.array(
		fc.record({ root: fc.constantFrom('/p', '/q'), at: fc.integer({ min: 0, max: NOW }), labelled: fc.boolean() }),
		{ maxLength: 8 },
	);
	const held = fc.array(fc.array(fc.nat(9), { maxLength: 3 }), { maxLength: 8 });
	fc.assert(
		fc.property(policy, policy, facts, held, (mine, theirs, some, sessions) => {
			const archives = some.map((each, index) => archive(`a${index}`, each));
			const archived = sessions.map((holders, position) =>
				session(
					`s${position}`,
					holders.map((nth) => `a${nth}`),
				),
			);
			const { remove, bytes } = plan(mine, { archives, sessions: archived }, { '/q': theirs });
			const gone = new Set(remove.filter(({ what }) => what === 'archive').map(({ id }) => id));
			for (const { id, labelled } of archives) expect(labelled && gone.has(id)).toBe(false);
			for (const { what, archive: holder } of remove)
				if (what === 'session')
					expect([gone.has(holder), archives.some(({ id }) => id === holder)]).toEqual([false, true]);
			expect(bytes).toBe(remove.reduce((sum, item) => sum + item.bytes, 0));
			// A project's own config never makes more go.
			const alone = plan(mine, { archives, sessions: archived }).remove.filter(
				({ what, why }) => what === 'archive' && why === 'age',
			);
			for (const { id, why, what } of remove)
				if (what === 'archive' && why === 'age') expect(alone.map((each) => each.id)).toContain(id);
		}),
	);
});
