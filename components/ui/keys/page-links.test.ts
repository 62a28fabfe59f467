import { expect, test } from 'vitest';
import type { HubRole } from '#lib/contract/hub/hub-roles.ts';
import { isAt, isOfHub, placesAt } from './shortcuts.ts';

test('a session belongs to the sessions page', () => {
	expect([isAt('/', '/'), isAt('/', '/sessions/x'), isAt('/', '/approvals'), isAt('/approvals', '/approvals')]).toEqual(
		[...[true, true, false, true]],
	);
});

test('a hub leads to what each person may see of it, a machine to all that it has', () => {
	const at = (...roles: HubRole[]) => placesAt(true, roles).map(({ href }) => href);
	const all = at({ role: 'viewer' });
	expect(all).toContain('/features');
	expect(all).not.toContain('/status');
	expect(at({ role: 'operator', team: 1 }, { role: 'auditor' })).toEqual(all);
	expect(at({ role: 'admin', team: 1 })).toEqual([...all, '/machines', '/people']);
	const ofMachine = placesAt(false, [{ role: 'admin' }]).map(({ href }) => href);
	expect(ofMachine).toContain('/status');
	expect(ofMachine).not.toContain('/machines');
	expect(['/', '/sessions/1/s', '/machines', '/people', '/features/1/f', '/status'].map(isOfHub)).toEqual([
		true,
		true,
		true,
		true,
		true,
		false,
	]);
});
