import { expect, test } from 'vitest';
import { RoleChange } from '../contract/hub/hub-people.ts';
import { hubRoleNames } from '../contract/hub/hub-roles.ts';
import { english } from '../messages/say.ts';
import { reachOf, roleWords } from './role-words.ts';

test('what the form of a role offers is what the hub takes, and nothing that it takes is missing', () => {
	for (const role of hubRoleNames) {
		const takes = (scope: object) => RoleChange.safeParse({ action: 'give', role, ...scope }).success;
		const taken = { everywhere: takes({}), teams: takes({ team: 1 }), projects: takes({ team: 1, project: 'web' }) };
		expect([role, reachOf(role)]).toEqual([role, taken]);
	}
});

test('a role says where it holds', () => {
	const teams = [{ id: 1, name: 'shop' }];
	const words = (scope: object) => roleWords({ role: 'viewer', ...scope }, teams, english);
	expect([words({}), words({ team: 1 }), words({ team: 1, project: 'web' }), words({ team: 2 })]).toEqual([
		...['viewer of everything', 'viewer of shop', 'viewer of web in shop', 'viewer of team 2'],
	]);
});
