import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { DecisionCommand, RosterScope, SignedEntry } from '#lib/contract/hub/hub-commands.ts';
import { decisionDigest, entryDigest } from '../hub-protocol/signatures.ts';
import { ann, EDGE, type EdgeRig, NOW, origin, rpId, startEdgeRig, TEAM } from '../testing/edge-rig.ts';
import { operator } from '../testing/service-rig.ts';
import { createSoftAuthenticator } from '../testing/soft-authenticator.ts';
import { dropMembership } from './membership.ts';

let rig: EdgeRig;
beforeAll(async () => {
	rig = await startEdgeRig();
});
afterAll(() => rig.stop());
beforeEach(() => {
	Object.assign(rig.owner, { level: 'passkey', project: 'web' });
	rig.clock.now = NOW;
});

type Machine = ReturnType<EdgeRig['edge']>;
const DAY = 24 * 3_600_000;
const ben = { iss: 'https://idp.example', sub: 'ben', name: 'Ben' };
const bensKey = createSoftAuthenticator({ rpId, origin });
const keyAt = (options: Partial<Parameters<typeof createSoftAuthenticator>[0]>) =>
	createSoftAuthenticator({ rpId, origin, ...options });

/** A machine with nothing but this roster. */
async function machine(...entries: SignedEntry[]): Promise<Machine> {
	const at = rig.edge();
	at.roster.drop();
	const roster = rig.rosterOf(1, entries.length > 0 ? entries : undefined);
	expect(await rig.sendRoster(at, roster)).toMatchObject({ state: 'done' });
	return at;
}

async function endsDenied({ id, answer }: Awaited<ReturnType<EdgeRig['waiting']>>): Promise<void> {
	expect(rig.ends(id)).toEqual([]);
	await rig.service.decide(id, { decision: 'deny' }, operator);
	expect(await answer).toBe('deny');
}

test('R2131 what a person in the roster has signed with their passkey is decided, under the name that the roster has', async () => {
	const at = await machine();
	const { id, answer } = await rig.waiting();
	const command = { ...rig.commandFor(at, id), said: { decision: 'approve' as const, reason: 'as planned' } };
	const renamed = { ...command, person: { ...ann, name: 'Somebody' } };
	expect(await at.send(rig.touched(renamed))).toMatchObject({ state: 'done' });
	expect(await answer).toBe('allow');
	const by = { via: 'hub', name: 'Ann', hub: { origin, iss: ann.iss, sub: 'ann', level: 'passkey' } };
	expect(rig.service.get(id)).toMatchObject({ state: 'approved', reason: 'as planned', by });
});

test('R2131 an entry for everything, the team or the project lets its person decide there; the roster is known after a new start', async () => {
	for (const places of [[{}], [{ team: TEAM }], [{ team: TEAM, project: 'web' }]]) {
		await machine(rig.signedBy(rig.entryOf(rig.annsKey, { places })));
		const again = rig.edge();
		const { id, answer } = await rig.waiting();
		expect(await again.send(rig.touched(rig.commandFor(again, id)))).toMatchObject({ state: 'done' });
		expect(await answer).toBe('allow');
	}
});

/** The passkey has signed what would release the call; then this is changed in what is sent. */
const altered: [string, (command: DecisionCommand, other: DecisionCommand) => object, string][] = [
	['the ticket', (command, other) => ({ ...command, ticket: other.ticket }), 'decision/other-call'],
	['the digest', (command, other) => ({ ...command, digest: other.digest }), 'decision/other-call'],
	['the nonce', (command, other) => ({ ...command, nonce: other.nonce }), 'decision/other-call'],
	['the whole call', (command, other) => ({ ...other, assertion: command.assertion }), 'decision/assertion'],
	['the decision', (command) => ({ ...command, said: { decision: 'deny' } }), 'decision/assertion'],
	['the reason', (command) => ({ ...command, said: { ...command.said, reason: 'x' } }), 'decision/assertion'],
	['the input', (command) => ({ ...command, said: { ...command.said, updatedInput: { a: 1 } } }), 'decision/assertion'],
	[
		'what is overridden',
		(command) => ({ ...command, said: { ...command.said, overrides: [{ gate: 'routing', rule: 'r', reason: 'r' }] } }),
		'decision/assertion',
	],
	['the suggestions', (command) => ({ ...command, said: { ...command.said, suggestions: [0] } }), 'decision/assertion'],
	['how long it is good', (command) => ({ ...command, expires: command.expires + 1 }), 'decision/assertion'],
	['the person', (command) => ({ ...command, person: ben }), 'roster/person'],
	['who says who the person is', (command) => ({ ...command, person: { ...ann, iss: 'https://x' } }), 'roster/person'],
	['the answer, which is left out', ({ assertion: _, ...command }) => command, 'decision/passkey'],
	['the answer, for none', (command) => ({ ...command, assertion: {} }), 'decision/form'],
	[
		'the answer, for that to another call',
		(command, other) => ({ ...command, assertion: other.assertion }),
		'decision/assertion',
	],
	[
		'the passkey that it names',
		(command) => ({ ...command, assertion: { ...command.assertion, id: bensKey.id } }),
		'roster/person',
	],
];

test.each(altered)('R2132 with a passkey’s answer, a change of %s releases nothing', async (_what, change, why) => {
	const at = await machine();
	const [mine, other] = [await rig.waiting(), await rig.waiting()];
	const [command, ofOther] = [mine, other].map(({ id }) => rig.touched(rig.commandFor(at, id)));
	if (!command || !ofOther) throw new Error('Nothing waits.');
	expect(await at.send(change(command, ofOther))).toMatchObject({ state: 'refused', why });
	await endsDenied(mine);
	await endsDenied(other);
});

type Entry = Parameters<EdgeRig['entryOf']>;

/** Puts this in the roster's place. */
async function give(at: Machine, ...entries: Entry[]): Promise<void> {
	const signed = entries.map((one) => rig.signedBy(rig.entryOf(...one)));
	expect(await rig.sendRoster(at, rig.rosterOf(2, signed))).toMatchObject({ state: 'done' });
}
/** What a key that is in the roster says, whatever it is. */
async function byKey(at: Machine, command: DecisionCommand, key: typeof bensKey): Promise<DecisionCommand> {
	await give(at, [key]);
	return rig.touched(command, key);
}
async function inPlaces(at: Machine, command: DecisionCommand, places: RosterScope[]): Promise<DecisionCommand> {
	await give(at, [rig.annsKey, { places }]);
	return rig.touched(command);
}

/** Answers to exactly this decision, which all but fit. */
const answers: [string, (command: DecisionCommand, at: Machine) => object | Promise<object>, string][] = [
	['of a passkey that nobody knows', (command) => rig.touched(command, bensKey), 'roster/person'],
	[
		'of another person’s passkey',
		async (command, at) => {
			await give(at, [], [bensKey, { person: ben }]);
			return rig.touched(command, bensKey);
		},
		'roster/person',
	],
	[
		'that another key has signed',
		(command) => ({ ...command, assertion: { ...rig.touched(command, bensKey).assertion, id: rig.annsKey.id } }),
		'decision/assertion',
	],
	[
		'to which nobody was verified',
		(command, at) => byKey(at, command, keyAt({ verifies: false })),
		'decision/assertion',
	],
	[
		'of another site',
		(command, at) => byKey(at, command, keyAt({ origin: 'https://evil.example' })),
		'decision/assertion',
	],
	['for another domain', (command, at) => byKey(at, command, keyAt({ rpId: 'example' })), 'decision/assertion'],
	[
		'whose bytes were changed',
		(command) => {
			const spoil = (one: { authenticatorData: Buffer }) => void one.authenticatorData.writeUInt8(9, 36);
			return { ...command, assertion: rig.answerOf(rig.annsKey, decisionDigest(command, origin), spoil) };
		},
		'decision/assertion',
	],
	[
		'to the same at another hub',
		(command) => ({
			...command,
			assertion: rig.answerOf(rig.annsKey, decisionDigest(command, 'https://other.example')),
		}),
		'decision/assertion',
	],
	['of who decides in another team', (command, at) => inPlaces(at, command, [{ team: 'web' }]), 'roster/place'],
	[
		'of who decides in another project',
		(command, at) => inPlaces(at, command, [{ team: TEAM, project: 'api' }]),
		'roster/place',
	],
	[
		'about a session whose project is not known',
		(command, at) => {
			rig.owner.project = null;
			return inPlaces(at, command, [{ team: TEAM, project: 'web' }]);
		},
		'roster/place',
	],
	[
		'of somebody who was taken out',
		async (command, at) => {
			await give(at);
			return rig.touched(command);
		},
		'roster/person',
	],
	[
		'by a roster whose time is over',
		(command) => {
			rig.clock.now = NOW + DAY + 120_000;
			return rig.touched({ ...command, expires: rig.clock.now + 1000 });
		},
		'roster/none',
	],
	[
		'at a machine that has no roster',
		(command, at) => {
			at.roster.drop();
			return rig.touched(command);
		},
		'roster/none',
	],
	['whose time is over', (command) => rig.touched({ ...command, expires: NOW - 60_001 }), 'decision/expired'],
	['for another edge', (command) => rig.touched({ ...command, edge: EDGE + 1 }), 'decision/other-edge'],
	[
		'where the owner lets nobody decide',
		(command) => {
			rig.owner.level = 'watch';
			return rig.touched(command);
		},
		'decision/watch-only',
	],
];

test.each(answers)('R2132 an answer %s releases nothing', async (_what, prepare, why) => {
	const at = await machine();
	const call = await rig.waiting();
	const command = await prepare(rig.commandFor(at, call.id), at);
	expect(await at.send(command)).toMatchObject({ state: 'refused', why });
	await endsDenied(call);
});

test('R2132 attack by replay: a passkey’s answer is good for one try, and for none after the machine’s server was started again', async () => {
	const at = await machine();
	const { id, answer } = await rig.waiting();
	const command = rig.touched(rig.commandFor(at, id));
	expect(await rig.edge().send(command)).toMatchObject({ why: 'decision/other-call' });
	expect(await at.send(command)).toMatchObject({ state: 'done' });
	expect(await at.send(command)).toMatchObject({ state: 'refused', why: 'approval/decided' });
	expect(await answer).toBe('allow');
	expect(rig.ends(id)).toHaveLength(1);
});

/** What a machine that has version 5 does not take. */
const rosters: [string, () => object, string][] = [
	['of another team', () => ({ ...rig.rosterOf(6), team: 'web' }), 'roster/other-team'],
	['that is older', () => rig.rosterOf(4), 'roster/older'],
	['with other content under the same version', () => rig.rosterOf(5, []), 'roster/other-content'],
	['that has expired', () => rig.rosterOf(6, undefined, NOW), 'roster/expired'],
	['that would stand for longer than a day', () => rig.rosterOf(6, undefined, NOW + DAY + 60_001), 'roster/too-long'],
	[
		'with somebody whom nobody has signed',
		() => rig.rosterOf(6, [rig.signedBy(rig.entryOf(bensKey), bensKey)]),
		'roster/unsigned',
	],
	[
		'with an entry that was changed',
		() => rig.rosterOf(6, [{ ...rig.signedBy(rig.entryOf()), entry: rig.entryOf(rig.annsKey, { places: [{}] }) }]),
		'roster/unsigned',
	],
	[
		'with an entry that was signed for another hub',
		() => {
			const entry = rig.entryOf();
			return rig.rosterOf(6, [{ entry, root: rig.answerOf(rig.rootKey, entryDigest(entry, 'https://x')) }]);
		},
		'roster/unsigned',
	],
	['that is none', () => ({ v: 1 }), 'roster/form'],
];

test.each(rosters)(
	'R2133 a machine does not take a roster %s, and keeps the one that it has',
	async (_what, build, why) => {
		const at = rig.edge();
		at.roster.drop();
		const kept = rig.rosterOf(5);
		expect(await rig.sendRoster(at, kept)).toMatchObject({ state: 'done' });
		expect(await rig.sendRoster(at, build())).toMatchObject({ state: 'refused', why });
		expect(rig.edge().roster.current()).toEqual(kept);
	},
);

test('R2133 the hub extends a roster under the same version, and a late extension never shortens it', async () => {
	const at = rig.edge();
	at.roster.drop();
	const [early, late] = [rig.rosterOf(1, undefined, NOW + 1000), rig.rosterOf(1, undefined, NOW + DAY)];
	const renewed = { ...late, entries: early.entries };
	for (const one of [early, renewed, early]) expect(await rig.sendRoster(at, one)).toMatchObject({ state: 'done' });
	expect(at.roster.current()).toEqual(renewed);
	dropMembership(rig.home);
	expect(rig.edge().roster.current()).toBeUndefined();
});
