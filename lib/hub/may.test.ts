import { describe, expect, test } from 'vitest';
import { type HubAction, type HubRole, type HubRoleName, hubActions, hubRoleNames } from '../contract/hub/hub-roles.ts';
import { type HubTarget, may, mayAnywhere, readingOnly, scopeOf } from './may.ts';

/** The table of HUB 8, a cell each. */
const cells: Record<HubRoleName, Record<HubAction, boolean>> = {
	viewer: {
		watch: true,
		read: true,
		decide: false,
		grant: false,
		edges: false,
		people: false,
		policies: false,
		audit: false,
	},
	operator: {
		watch: true,
		read: true,
		decide: true,
		grant: true,
		edges: false,
		people: false,
		policies: false,
		audit: false,
	},
	admin: {
		watch: true,
		read: true,
		decide: false,
		grant: false,
		edges: true,
		people: true,
		policies: true,
		audit: true,
	},
	auditor: {
		watch: true,
		read: false,
		decide: false,
		grant: false,
		edges: false,
		people: false,
		policies: false,
		audit: true,
	},
};

const places: Record<string, HubTarget> = {
	everything: 'org',
	'team 1': { team: 1 },
	'project shop of team 1': { team: 1, project: 'shop' },
	'project site of team 1': { team: 1, project: 'site' },
	'no project of team 1': { team: 1, project: null },
	'team 2': { team: 2 },
	'project shop of team 2': { team: 2, project: 'shop' },
};
const holdings: Record<string, { where: Omit<HubRole, 'role'>; covered: string[] }> = {
	everywhere: { where: {}, covered: Object.keys(places) },
	'in team 1': {
		where: { team: 1 },
		covered: ['team 1', 'project shop of team 1', 'project site of team 1', 'no project of team 1'],
	},
	'in project shop of team 1': { where: { team: 1, project: 'shop' }, covered: ['project shop of team 1'] },
};

describe('a role allows what its row of the table says, where it holds and nowhere else', () => {
	const all = hubRoleNames.flatMap((role) => hubActions.map((action) => ({ role, action })));
	test.each(all)('$role, $action', ({ role, action }) => {
		for (const [, { where, covered }] of Object.entries(holdings))
			for (const [name, target] of Object.entries(places))
				expect([name, may([{ role, ...where }], action, target)]).toEqual([
					name,
					cells[role][action] && covered.includes(name),
				]);
	});
	test('nobody may anything without a role', () => {
		for (const action of hubActions)
			for (const target of Object.values(places)) expect(may([], action, target)).toBe(false);
	});
});

test('what somebody reads is what one of the roles allows, each where it holds', () => {
	const nothing = { teams: [] };
	expect(scopeOf([], 'read')).toEqual(nothing);
	expect(scopeOf([{ role: 'auditor' }], 'read')).toEqual(nothing);
	expect(scopeOf([{ role: 'auditor' }], 'watch')).toEqual({ teams: 'all' });
	const viewer = { role: 'viewer' } as const;
	const mixed: HubRole[] = [
		{ ...viewer, team: 2, project: 'site' },
		{ ...viewer, team: 1 },
		{ ...viewer, team: 1, project: 'shop' },
		{ role: 'operator', team: 1 },
	];
	expect(scopeOf(mixed, 'read')).toEqual({ teams: [1], projects: [{ team: 2, project: 'site' }] });
	expect(scopeOf(mixed, 'decide')).toEqual({ teams: [1] });
	const reading = readingOnly([...mixed, { role: 'auditor' }, { role: 'admin' }]);
	expect(hubActions.filter((action) => mayAnywhere(reading, action))).toEqual(['watch', 'read', 'audit']);
	expect(scopeOf([...mixed, viewer], 'read')).toEqual({ teams: 'all' });
});
