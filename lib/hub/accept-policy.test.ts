import { expect, test } from 'vitest';
import { type Policy, type PolicyBasis, refusePolicy } from './policy.ts';

const NOW = Date.UTC(2026, 10, 23);
const day = (days: number) => new Date(NOW + days * 24 * 3_600_000).toISOString();
const kept = { body: { 'gates.loop.enabled': true, 'commands.exclude': ['rm', 'curl'] }, expires: day(30) };
const policy: Policy = { v: 1, team: 'shop', version: 4, made: day(0), ...kept };
const basis: PolicyBasis = {
	...{ team: 'shop', now: NOW, byHub: true, byRoot: false, digest: 'd4', inForce: kept },
	seen: { version: 3, digest: 'd3' },
};

test.each<[string, Partial<Policy>, Partial<PolicyBasis>]>([
	['goes on with what holds', {}, {}],
	['is the first one', { version: 1 }, { seen: undefined, inForce: undefined }],
	['holds back more', { body: { ...kept.body, 'approvals.observe': true } }, {}],
	['holds longer', { expires: day(90) }, {}],
	['came before', { version: 3 }, { digest: 'd3' }],
	['skips versions', { version: 4000 }, {}],
	['loosens by a root passkey', { body: {} }, { byRoot: true }],
	['ends earlier by a root passkey', { expires: day(1) }, { byRoot: true }],
	['follows one that holds nothing back', { body: {}, expires: day(1) }, { inForce: { body: {}, expires: day(9) } }],
	['counts anew under a new key, after one that was counted up to the end', { version: 1 }, { seen: undefined }],
])('R2066 a policy that %s is taken', (_what, change, on) => {
	expect(refusePolicy({ ...policy, ...change }, { ...basis, ...on })).toBeNull();
});

test.each<[string, Partial<Policy>, Partial<PolicyBasis>, string]>([
	['is altered, or of another key', {}, { byHub: false, byRoot: true }, 'the key of the hub does not stand for it'],
	['is of another team', { team: 'bank' }, { byRoot: true }, 'it is for the team bank'],
	['is over', { expires: day(0) }, { byRoot: true }, 'it has expired'],
	['never ends', { expires: day(367) }, { byRoot: true }, 'it holds longer than 366 days'],
	['is rolled back', { version: 2 }, { byRoot: true }, 'version 2 is older than version 3, which was here'],
	['says two things', { version: 3 }, { byRoot: true }, 'version 3 was here with other content'],
	[
		'drops a command',
		{ body: { ...kept.body, 'commands.exclude': ['rm'] } },
		{},
		'only a root passkey may loosen commands.exclude',
	],
	['is emptied', { body: {} }, {}, 'only a root passkey may loosen gates.loop.enabled, commands.exclude'],
	[
		'loosens what nobody has tightened',
		{ body: { 'gates.routing.enabled': false } },
		{ inForce: undefined },
		'only a root passkey may loosen gates.routing.enabled',
	],
	[
		'keeps what a root passkey loosened',
		{ body: { 'gates.routing.enabled': false } },
		{ inForce: { body: { 'gates.routing.enabled': false }, expires: day(9) } },
		'only a root passkey may loosen gates.routing.enabled',
	],
	['cuts short what holds', { expires: day(29) }, {}, `only a root passkey may end a policy earlier than ${day(30)}`],
	[
		'loosens under a new key',
		{ version: 1, body: {} },
		{ seen: undefined },
		'only a root passkey may loosen gates.loop.enabled, commands.exclude',
	],
])('R2066 a policy that %s is refused', (_what, change, on, why) => {
	expect(refusePolicy({ ...policy, ...change }, { ...basis, ...on })).toBe(why);
});
