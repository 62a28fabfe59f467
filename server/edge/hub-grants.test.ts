import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { DecisionCommand, GrantCreation } from '#lib/contract/hub/hub-commands.ts';
import { decisionDigest, grantDigest, makeKey, sealCommand } from '../hub-protocol/signatures.ts';
import { ann, EDGE, type EdgeRig, NOW, OWNER, origin, rpId, startEdgeRig, TEAM } from '../testing/edge-rig.ts';
import { operator } from '../testing/service-rig.ts';
import { createSoftAuthenticator } from '../testing/soft-authenticator.ts';
import { deciderAt, passkeyMark } from './hub-decisions.ts';

let rig: EdgeRig;
beforeAll(async () => {
	rig = await startEdgeRig();
});
afterAll(() => rig.stop());
afterEach(async () => {
	Object.assign(rig.owner, { joinedAt: undefined, ...OWNER });
	rig.clock.now = NOW;
	for (const { id } of rig.grants.list('active', 100)) await rig.grants.revoke(id, {}, operator);
});

type Machine = ReturnType<EdgeRig['edge']>;
type Remember = NonNullable<DecisionCommand['said']['remember']>;
const HOUR = 3600;

/** What would approve a call, and allow others like it. */
function remembering(at: Machine, id: string, remember: Partial<Remember> = {}): DecisionCommand {
	const terms: Remember = { scope: 'session', expiresInSeconds: HOUR, ...remember };
	return { ...rig.commandFor(at, id), said: { decision: 'approve', reason: 'as planned', remember: terms } };
}

/** Whether the next call like it runs without anybody being asked. */
async function runsUnasked(): Promise<boolean> {
	const { id, answer } = await rig.waiting();
	const isWaiting = rig.service.get(id)?.state === 'waiting';
	if (isWaiting) await rig.service.decide(id, { decision: 'deny' }, operator);
	return (await answer) === 'allow' && !isWaiting;
}

/** A machine at which Ann has allowed calls like the one that she approved. */
async function granted(level: 'hub' | 'passkey' = 'hub', scope: Remember['scope'] = 'session') {
	rig.owner.level = level;
	const at = rig.edge();
	at.roster.drop();
	if (level === 'passkey') expect(await rig.sendRoster(at, rig.rosterOf(1))).toMatchObject({ state: 'done' });
	const { id, answer } = await rig.waiting();
	const command = remembering(at, id, { scope });
	expect(await at.send(level === 'hub' ? command : rig.touched(command))).toMatchObject({ state: 'done' });
	expect(await answer).toBe('allow');
	const [grant] = rig.grants.list('active', 9);
	if (!grant) throw new Error('Nothing was granted.');
	return { at, id, grant };
}

test('R2230 what somebody at the hub approves and remembers is a grant of the machine, with hub, person and passkey, and lets later calls run', async () => {
	const { id, grant } = await granted('passkey');
	expect(grant).toMatchObject({
		...{ scope: 'session', approvalId: id, reason: 'as planned', sessionId: 's1', state: 'active' },
		by: {
			...{ via: 'hub', name: 'Ann' },
			hub: { origin, iss: ann.iss, sub: 'ann', level: 'passkey', passkey: passkeyMark(rig.annsKey.id) },
		},
	});
	expect(Date.parse(grant.expires) - Date.parse(grant.createdAt)).toBeLessThanOrEqual(HOUR * 1000 + 1000);
	expect(rig.journal.bySubject(grant.id)).toMatchObject([{ kind: 'grant:create', payload: { by: grant.by } }]);
	expect(await runsUnasked()).toBe(true);
	expect(rig.grants.get(grant.id)).toMatchObject({ uses: 1, state: 'active' });
});

test.each([
	['once', 'session', true],
	['session', 'session', true],
	['project', 'session', false],
	['project', 'project', true],
	['once', 'never', false],
] as const)('R2230 %s is granted from the hub where the owner lets it for %s: %s', async (scope, reach, isLet) => {
	rig.owner.hubMayGrant = reach;
	const at = rig.edge();
	const { id, answer } = await rig.waiting();
	const sent = at.send(remembering(at, id, { scope }));
	if (isLet) {
		expect(await sent).toMatchObject({ state: 'done' });
		expect(rig.grants.list('active', 9)).toMatchObject([{ scope }]);
	} else {
		expect(await sent).toMatchObject({ state: 'refused', why: 'grant/at-machine' });
		expect(rig.ends(id)).toEqual([]);
		expect(rig.grants.list('active', 9)).toEqual([]);
		await rig.service.decide(id, { decision: 'deny' }, operator);
	}
	await answer;
});

/** A passkey has signed an approval that is remembered for the session; then this is changed in what is sent. */
const spoilt: [string, (command: DecisionCommand) => object][] = [
	['raised to the project', (command) => withTerms(command, { scope: 'project' })],
	['lowered to the next try', (command) => withTerms(command, { scope: 'once' })],
	['made longer', (command) => withTerms(command, { expiresInSeconds: 30 * 24 * HOUR })],
	['without its end', (command) => withTerms(command, { expiresInSeconds: undefined })],
	['left out', ({ said: { remember: _, ...decision }, ...rest }) => ({ ...rest, said: decision })],
	['for another reason', (command) => ({ ...command, said: { ...command.said, reason: 'x' } })],
];
const withTerms = (command: DecisionCommand, terms: Partial<Remember>) => {
	const { remember = { scope: 'session' as const } } = command.said;
	return { ...command, said: { ...command.said, remember: { ...remember, ...terms } } };
};

test.each(spoilt)(
	'R2231 what a passkey has signed to be remembered, %s, decides nothing and grants nothing',
	async (_what, spoil) => {
		Object.assign(rig.owner, { level: 'passkey', hubMayGrant: 'project' });
		const at = rig.edge();
		at.roster.drop();
		await rig.sendRoster(at, rig.rosterOf(1));
		const { id, answer } = await rig.waiting();
		const command = rig.touched(remembering(at, id));
		expect(await at.send(spoil(command))).toMatchObject({ state: 'refused', why: 'decision/assertion' });
		expect(rig.ends(id)).toEqual([]);
		expect(rig.grants.list('active', 9)).toEqual([]);
		await rig.service.decide(id, { decision: 'deny' }, operator);
		expect(await answer).toBe('deny');
	},
);

/** The hub's own signature is right on each. */
const misfits: [string, (command: DecisionCommand) => object, string][] = [
	['an approval that is remembered where none was signed so', (command) => plain(command), 'decision/assertion'],
	[
		'a denial',
		(command) => rig.touched({ ...command, said: { ...command.said, decision: 'deny' } }),
		'request/invalid',
	],
	[
		'an input of its own',
		(command) => rig.touched({ ...command, said: { ...command.said, updatedInput: {} } }),
		'request/invalid',
	],
	[
		'no reason',
		(command) => rig.touched({ ...command, said: { ...command.said, reason: undefined } }),
		'request/invalid',
	],
	['a scope that there is not', (command) => withTerms(command, { scope: 'team' as 'session' }), 'decision/form'],
	['a month and a second', (command) => withTerms(command, { expiresInSeconds: 30 * 24 * HOUR + 1 }), 'decision/form'],
	['what it covers', (command) => withTerms(command, { covers: [] } as object), 'decision/form'],
];
/** Ann has signed the bare approval; the hub adds that it is to be remembered. */
function plain(command: DecisionCommand): DecisionCommand {
	const { remember: _, ...bare } = command.said;
	return rig.touched(command, rig.annsKey, { ...command, said: bare });
}

test.each(misfits)('R2231 to be remembered with %s is refused, and nothing is decided', async (_what, build, why) => {
	rig.owner.level = 'passkey';
	const at = rig.edge();
	at.roster.drop();
	await rig.sendRoster(at, rig.rosterOf(1));
	const { id, answer } = await rig.waiting();
	expect(await at.send(build(remembering(at, id)))).toMatchObject({ state: 'refused', why });
	expect(rig.ends(id)).toEqual([]);
	expect(rig.grants.list('active', 9)).toEqual([]);
	await rig.service.decide(id, { decision: 'deny' }, operator);
	await answer;
});

test('R2231 a remembered decision that arrives again makes no second grant, and one that was lost in between is reported as lost', async () => {
	const at = rig.edge();
	const { id, answer } = await rig.waiting();
	const command = remembering(at, id);
	const n = rig.nextNumber();
	expect(await at.send(command, n)).toMatchObject({ state: 'done' });
	expect(await answer).toBe('allow');
	expect(await rig.edge().send(command, n)).toMatchObject({ state: 'done' });
	expect(await at.send(command, rig.nextNumber())).toMatchObject({ why: 'approval/decided' });
	expect(rig.grants.list(undefined, 500).filter(({ approvalId }) => approvalId === id)).toHaveLength(1);

	await rig.grants.revoke(rig.grants.list('active', 1)[0]?.id ?? '', {}, operator);
	const other = await rig.waiting();
	const bare = rig.commandFor(at, other.id);
	const m = rig.nextNumber();
	expect(await at.send(bare, m)).toMatchObject({ state: 'done' });
	const lost = { ...bare, said: { ...command.said } };
	expect(await rig.edge().send(lost, m)).toMatchObject({ state: 'refused', why: 'grant/forgotten' });
	await other.answer;
});

const bensKey = createSoftAuthenticator({ rpId, origin });
const ben = { iss: 'https://idp.example', sub: 'ben', name: 'Ben' };

/** Each takes away what the grant stands on. */
const losses: [string, 'hub' | 'passkey', (at: Machine) => unknown, string][] = [
	['the home leaves', 'hub', () => Object.assign(rig.owner, { isMember: false }), 'has left'],
	[
		'the hub sends the machine away',
		'hub',
		() => Object.assign(rig.owner, { isRefused: true }),
		'sent this machine away',
	],
	[
		'the owner lets the hub only watch',
		'hub',
		() => Object.assign(rig.owner, { level: 'watch' }),
		'owner of this machine',
	],
	[
		'the owner wants a passkey from now on',
		'hub',
		() => Object.assign(rig.owner, { level: 'passkey' }),
		'wants a passkey',
	],
	[
		'the owner lets nothing be remembered',
		'hub',
		() => Object.assign(rig.owner, { hubMayGrant: 'never' }),
		'owner of this machine',
	],
	[
		'the owner keeps its gate',
		'hub',
		() => Object.assign(rig.owner, { hubNeverRemote: ['routing'] }),
		'owner of this machine',
	],
	['its person leaves the roster', 'passkey', (at) => rig.sendRoster(at, rig.rosterOf(2, [])), 'not in the roster'],
	[
		'its passkey leaves the roster, and another of its person stays',
		'passkey',
		(at) => rig.sendRoster(at, rig.rosterOf(2, [rig.signedBy(rig.entryOf(bensKey))])),
		'not in the roster',
	],
	[
		'its passkey is another person’s',
		'passkey',
		(at) => rig.sendRoster(at, rig.rosterOf(2, [rig.signedBy(rig.entryOf(rig.annsKey, { person: ben }))])),
		'not in the roster',
	],
	[
		'its person decides elsewhere',
		'passkey',
		(at) => {
			const places = [{ team: TEAM, project: 'api' }];
			return rig.sendRoster(at, rig.rosterOf(2, [rig.signedBy(rig.entryOf(rig.annsKey, { places }))]));
		},
		'not in the roster',
	],
	[
		'the word for the roster is a day old',
		'passkey',
		() => Object.assign(rig.clock, { now: NOW + 25 * HOUR * 1000 }),
		'not in the roster',
	],
];

test.each(losses)(
	'R2232 once %s, a grant of the hub (%s) lets nothing run, and is over with the reason',
	async (_what, level, lose, why) => {
		const { at, grant } = await granted(level);
		expect(await runsUnasked()).toBe(true);
		await lose(at);
		expect(await runsUnasked()).toBe(false);
		await rig.grants.sweep();
		expect(rig.grants.get(grant.id)).toMatchObject({ state: 'expired', endReason: expect.stringContaining(why) });
		Object.assign(rig.owner, { ...OWNER, level });
		expect(await runsUnasked()).toBe(false);
	},
);

test('R2232 a grant from before the home joined again is over; one made at the machine has nothing to do with the hub', async () => {
	const { id, grant } = await granted();
	rig.owner.joinedAt = new Date(Date.parse(grant.createdAt) + 1).toISOString();
	rig.edge();
	await rig.grants.sweep();
	expect(rig.grants.get(grant.id)?.state).toBe('expired');
	const own = await rig.grants.create(
		await rig.denied({ approvalId: id }),
		{ scope: 'session', reason: 'r' },
		operator,
	);
	Object.assign(rig.owner, { isMember: false, level: 'watch' });
	await rig.grants.sweep();
	expect(rig.grants.get(own.id)?.state).toBe('active');
	expect(await runsUnasked()).toBe(true);
});

test('R2232 until the edge has started and can check it, a grant of the hub lets nothing run', async () => {
	const { grant } = await granted();
	rig.grants.guardHubGrants(() => {
		throw new Error('The file cannot be read.');
	});
	expect(await runsUnasked()).toBe(false);
	rig.edge();
	expect(rig.grants.get(grant.id)?.state).toBe('active');
	expect(await runsUnasked()).toBe(true);
});

test('the facts for grants of the hub are read once for all of them; before a use, for those that cover the call; never for others', async () => {
	const { id, answer } = await rig.waiting();
	await rig.service.decide(id, { decision: 'deny' }, operator);
	await answer;
	/** For which grants each look was. */
	const looks: string[][] = [];
	rig.grants.guardHubGrants(() => {
		const judged: string[] = [];
		looks.push(judged);
		return (grant) => void judged.push(grant.id);
	});
	const subject = await rig.denied({ approvalId: id });
	const terms = { scope: 'session', reason: 'r' } as const;
	const own = await rig.grants.create(subject, terms, operator);
	await rig.grants.sweep();
	expect(looks).toEqual([]);
	await rig.grants.revoke(own.id, {}, operator);
	const byAnn = deciderAt(origin, ann, { level: 'hub' }, 1);
	const made: string[] = [];
	for (const sessionId of ['s1', 's1', 's1', 's2']) {
		const { id: grant } = await rig.grants.create({ ...subject, call: { sessionId } }, terms, byAnn);
		made.push(grant);
	}
	looks.length = 0;
	const swept = rig.grants.sweep();
	expect(looks).toEqual([made]);
	await swept;
	looks.length = 0;
	expect(await runsUnasked()).toBe(true);
	// Its own look each second is at all four.
	expect(looks.map((judged) => judged.sort())).toContainEqual(made.slice(0, 3).sort());
});

const sendEnd = (at: Machine, body: object, key = rig.hub.privateKey) => {
	const kind = 'grant';
	return at.take({ n: rig.nextNumber(), kind, envelope: sealCommand({ origin, edge: EDGE, kind }, body, key) });
};
const revocation = (grant: string) => ({ v: 1, edge: EDGE, action: 'revoke', grant, person: ann }) as const;

test('the hub alone can revoke its own grants, at every level, and a repetition is harmless', async () => {
	const { at, grant } = await granted('passkey');
	rig.owner.level = 'passkey';
	expect(await sendEnd(at, { ...revocation(grant.id), reason: 'over' })).toMatchObject({ state: 'done' });
	expect(rig.grants.get(grant.id)).toMatchObject({ state: 'revoked', endReason: 'over' });
	const [, row] = rig.journal.bySubject(grant.id);
	expect(row).toMatchObject({
		kind: 'grant:revoke',
		payload: { by: { via: 'hub', name: 'Ann', hub: { level: 'hub' } } },
	});
	expect(await sendEnd(at, revocation(grant.id))).toMatchObject({ state: 'done' });
	expect(rig.journal.bySubject(grant.id)).toHaveLength(2);
	expect(await runsUnasked()).toBe(false);
});

test('it revokes nothing else: no grant of the machine’s own, no unknown one, and none of another edge', async () => {
	const { at, id, grant } = await granted();
	const own = await rig.grants.create(
		await rig.denied({ approvalId: id }),
		{ scope: 'session', reason: 'r' },
		operator,
	);
	for (const [body, why] of [
		[revocation(own.id), 'grant/of-machine'],
		[revocation('no-such-grant'), 'grant/not-found'],
		[{ ...revocation(grant.id), edge: EDGE + 1 }, 'grant/form'],
		[{ ...revocation(grant.id), action: 'make' }, 'grant/form'],
		[{ ...revocation(grant.id), scope: 'project' }, 'grant/form'],
	] as const) {
		expect(await sendEnd(at, body)).toMatchObject({ state: 'refused', why });
	}
	const { privateKey } = makeKey();
	expect(await sendEnd(at, revocation(grant.id), privateKey)).toMatchObject({ why: 'command/signature' });
	expect([rig.grants.get(own.id)?.state, rig.grants.get(grant.id)?.state]).toEqual(['active', 'active']);
});

test('what a gate denies that the owner keeps to the machine nobody approves from the hub; a denial is taken', async () => {
	rig.owner.hubNeverRemote = ['routing'];
	const at = rig.edge();
	const { id, answer } = await rig.waiting();
	for (const command of [rig.commandFor(at, id), remembering(at, id)]) {
		const anew = { ...command, ...{ digest: at.open.find(id)?.digest, nonce: at.open.find(id)?.nonce } };
		expect(await at.send(anew)).toMatchObject({ state: 'refused', why: 'hub/never-remote' });
	}
	expect(rig.ends(id)).toEqual([]);
	expect(await at.send({ ...rig.commandFor(at, id), said: { decision: 'deny' } })).toMatchObject({ state: 'done' });
	expect(await answer).toBe('deny');
});

/** A call that nobody decided in time, and what would allow its next try. */
async function denied(): Promise<GrantCreation> {
	const { id, answer } = await rig.waiting();
	await rig.service.decide(id, { decision: 'deny' }, operator);
	await answer;
	return {
		...{ v: 1, edge: EDGE, action: 'create', person: ann, expires: NOW + 60_000 },
		...{ said: { approvalId: id, scope: 'once', reason: 'as planned' } },
		...{ journal: { team: 1, n: 3, hash: 'a'.repeat(64) } },
	};
}
const signed = (command: GrantCreation, shown = command): GrantCreation => ({
	...command,
	assertion: rig.answerOf(rig.annsKey, grantDigest(shown, origin)),
});

test('the next try of a denied call is allowed from the hub, with person and passkey, and once', async () => {
	rig.owner.level = 'passkey';
	const at = rig.edge();
	at.roster.drop();
	await rig.sendRoster(at, rig.rosterOf(1));
	const command = signed(await denied());
	const n = rig.nextNumber();
	const send = (number: number, body: object = command) =>
		at.take({
			n: number,
			kind: 'grant',
			envelope: sealCommand({ origin, edge: EDGE, kind: 'grant' }, body, rig.hub.privateKey),
		});
	expect(await send(n)).toMatchObject({ state: 'done' });
	const [grant] = rig.grants.list('active', 9);
	expect(grant).toMatchObject({
		...{ scope: 'once', approvalId: command.said.approvalId },
		by: { name: 'Ann', hub: { level: 'passkey', command: n, passkey: passkeyMark(rig.annsKey.id) } },
	});
	// As a hub would that has lost the answer, and as one would that tries its luck.
	expect(await send(n, { ...command, v: 1 })).toMatchObject({ state: 'done' });
	expect(await send(rig.nextNumber())).toMatchObject({ state: 'refused', why: 'grant/repeated' });
	expect(await runsUnasked()).toBe(true);
	expect(await send(rig.nextNumber())).toMatchObject({ state: 'refused', why: 'grant/repeated' });
	expect(await runsUnasked()).toBe(false);
});

/** The hub's own signature is right on each, and Ann's on what stands before it was changed. */
const spoiltGrants: [string, (command: GrantCreation) => object | Promise<object>, string][] = [
	['no passkey', ({ assertion: _, ...command }) => command, 'decision/passkey'],
	['a wider scope than was signed', (command) => withGrantTerms(command, { scope: 'session' }), 'decision/assertion'],
	[
		'a longer end than was signed',
		(command) => withGrantTerms(command, { expiresInSeconds: HOUR * 24 }),
		'decision/assertion',
	],
	['another reason than was signed', (command) => withGrantTerms(command, { reason: 'x' }), 'decision/assertion'],
	[
		'another call than was signed',
		async (command) => ({ ...command, said: (await denied()).said }),
		'decision/assertion',
	],
	['a later end than was signed', (command) => ({ ...command, expires: NOW + 61_000 }), 'decision/assertion'],
	['an answer to a decision', (command) => ({ ...command, assertion: otherAnswer(command) }), 'decision/assertion'],
	['a scope that its owner does not let', (command) => signedAs(command, { scope: 'project' }), 'grant/at-machine'],
	[
		'a call that there is not',
		(command) => signedAs(command, { approvalId: 'no-such-approval' }),
		'approval/not-found',
	],
	['another edge', (command) => ({ ...command, edge: EDGE + 1 }), 'grant/form'],
	['no reason', (command) => withGrantTerms(command, { reason: ' ' }), 'grant/form'],
	['a scope for ever', (command) => withGrantTerms(command, { expiresInSeconds: 1e9 }), 'grant/form'],
	['what it covers', (command) => withGrantTerms(command, { covers: [] } as object), 'grant/form'],
	['nobody', ({ person: _, ...command }) => command, 'grant/form'],
	['another action', (command) => ({ ...command, action: 'extend' }), 'grant/form'],
	['a time that is over', (command) => signed({ ...command, expires: NOW - 60_001 }), 'grant/expired'],
	['a time far ahead', (command) => signed({ ...command, expires: NOW + 4 * 60_000 + 1 }), 'grant/expired'],
];
const withGrantTerms = (command: GrantCreation, terms: Partial<GrantCreation['said']>) => ({
	...{ ...command, said: { ...command.said, ...terms } },
});
const signedAs = (command: GrantCreation, terms: Partial<GrantCreation['said']>) =>
	signed(withGrantTerms(command, terms));
const otherAnswer = ({ person, expires }: GrantCreation) =>
	rig.answerOf(
		rig.annsKey,
		decisionDigest({ digest: 'a'.repeat(64), said: { decision: 'approve' }, person, expires }, origin),
	);

test.each(spoiltGrants)('R2231 a next try with %s is not allowed', async (_what, spoil, why) => {
	rig.owner.level = 'passkey';
	const at = rig.edge();
	at.roster.drop();
	await rig.sendRoster(at, rig.rosterOf(1));
	expect(await sendEnd(at, await spoil(signed(await denied())))).toMatchObject({ state: 'refused', why });
	expect(rig.grants.list('active', 9)).toEqual([]);
});

test.each([
	['lets itself only be watched', { level: 'watch' }, 'decision/watch-only'],
	['keeps its gate to itself', { hubNeverRemote: ['routing'] }, 'hub/never-remote'],
	['lets nothing be allowed from the hub', { hubMayGrant: 'never' }, 'grant/at-machine'],
	['only observes', { observe: true }, 'approval/observed'],
] as const)('a machine that %s allows no next try from the hub', async (_what, owner, why) => {
	const command = await denied();
	Object.assign(rig.owner, owner);
	expect(await sendEnd(rig.edge(), command)).toMatchObject({ state: 'refused', why });
	expect(rig.grants.list('active', 9)).toEqual([]);
});

test('of sessions that are not shared, and of calls that wait, no next try is allowed', async () => {
	expect(await sendEnd(rig.edge(false), await denied())).toMatchObject({ state: 'refused', why: 'grant/no-denial' });
	const command = await denied();
	const { id, answer } = await rig.waiting();
	const waiting = { ...command, said: { ...command.said, approvalId: id } };
	expect(await sendEnd(rig.edge(), waiting)).toMatchObject({ state: 'refused', why: 'grant/waiting' });
	await rig.service.decide(id, { decision: 'deny' }, operator);
	await answer;
});
