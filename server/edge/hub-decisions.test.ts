import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { DecisionCommand } from '#lib/contract/hub/hub-commands.ts';
import { makeKey } from '../hub-protocol/signatures.ts';
import { EDGE, type EdgeRig, NOW, origin, startEdgeRig } from '../testing/edge-rig.ts';
import { operator } from '../testing/service-rig.ts';

let rig: EdgeRig;
beforeAll(async () => {
	rig = await startEdgeRig();
});
afterAll(() => rig.stop());
beforeEach(() => {
	rig.owner.level = 'hub';
});

test('R2047 what a person decided at the hub is decided by the service, with who it was', async () => {
	const at = rig.edge();
	const { id, answer } = await rig.waiting();
	const n = rig.nextNumber();
	const result = await at.send(rig.commandFor(at, id), n);
	expect(result).toEqual({ n, state: 'done', journal: rig.journal.bySubject(id).at(-1)?.n });
	expect(await answer).toBe('allow');
	const by = { role: 'operator', via: 'hub', name: 'Ann', hub: { origin, sub: 'ann', level: 'hub', command: n } };
	expect(rig.service.get(id)).toMatchObject({ state: 'approved', by });
});

const remember = (command: DecisionCommand, terms: object, reason = 'r', decision = 'approve') => ({
	...{ ...command, said: { decision, reason, remember: terms } },
});
/** Each is a spoilt copy of what would release the call; none may. */
const spoilt: [string, (command: DecisionCommand, other: DecisionCommand) => object, string][] = [
	['an unknown version', (command) => ({ ...command, v: 2 }), 'decision/form'],
	['another edge', (command) => ({ ...command, edge: 8 }), 'decision/other-edge'],
	['no edge', ({ edge: _, ...command }) => command, 'decision/form'],
	['a ticket that does not exist', (command) => ({ ...command, ticket: 'no-such-ticket' }), 'approval/not-found'],
	['another ticket', (command, other) => ({ ...command, ticket: other.ticket }), 'decision/other-call'],
	['the digest of another', (command, other) => ({ ...command, digest: other.digest }), 'decision/other-call'],
	['a digest of nothing', (command) => ({ ...command, digest: 'f'.repeat(64) }), 'decision/other-call'],
	['no digest', (command) => ({ ...command, digest: '' }), 'decision/form'],
	['the nonce of another', (command, other) => ({ ...command, nonce: other.nonce }), 'decision/other-call'],
	['a nonce of its own', (command) => ({ ...command, nonce: 'A'.repeat(32) }), 'decision/other-call'],
	['no nonce', (command) => ({ ...command, nonce: '' }), 'decision/form'],
	['no decision', (command) => ({ ...command, said: {} }), 'decision/form'],
	['a decision that there is not', (command) => ({ ...command, said: { decision: 'allow' } }), 'decision/form'],
	[
		'a field that decisions have not',
		(command) => ({ ...command, said: { decision: 'approve', force: 1 } }),
		'decision/form',
	],
	['another field beside', (command) => ({ ...command, level: 'hub' }), 'decision/form'],
	['answers to what asks nothing', (command) => ({ ...command, said: { decision: 'answer' } }), 'request/invalid'],
	[
		'a stop with an approval',
		(command) => ({ ...command, said: { decision: 'approve', stop: true } }),
		'request/invalid',
	],
	[
		'a suggestion that nobody made',
		(command) => ({ ...command, said: { decision: 'approve', suggestions: [3] } }),
		'request/invalid',
	],
	['a scope that its owner does not let', (command) => remember(command, { scope: 'project' }), 'grant/at-machine'],
	['a scope that there is not', (command) => remember(command, { scope: 'team' }), 'decision/form'],
	['a scope for ever', (command) => remember(command, { scope: 'session', expiresInSeconds: 1e9 }), 'decision/form'],
	['a scope and no reason', (command) => remember(command, { scope: 'session' }, ''), 'request/invalid'],
	['a scope of a denial', (command) => remember(command, { scope: 'session' }, 'r', 'deny'), 'request/invalid'],
	['nobody', ({ person: _, ...command }) => command, 'decision/form'],
	[
		'a person without an issuer',
		(command) => ({ ...command, person: { ...command.person, iss: '' } }),
		'decision/form',
	],
	[
		'a person without a name there',
		(command) => ({ ...command, person: { ...command.person, sub: '' } }),
		'decision/form',
	],
	['a time that is over', (command) => ({ ...command, expires: NOW - 60_001 }), 'decision/expired'],
	['no time', ({ expires: _, ...command }) => command, 'decision/form'],
	['no row of the hub', ({ journal: _, ...command }) => command, 'decision/form'],
];

test.each(spoilt)('R2053 a decision with %s releases nothing', async (_what, spoil, why) => {
	const at = rig.edge();
	const [mine, other] = [await rig.waiting(), await rig.waiting()];
	const result = await at.send(spoil(rig.commandFor(at, mine.id), rig.commandFor(at, other.id)));
	expect(result).toMatchObject({ state: 'refused', why });
	for (const { id, answer } of [mine, other]) {
		expect(rig.ends(id)).toEqual([]);
		expect(rig.grants.list('active', 1)).toEqual([]);
		await rig.service.decide(id, { decision: 'deny' }, operator);
		expect(await answer).toBe('deny');
	}
});

/** What stands around a decision that would be good by itself. */
const around: [string, (at: ReturnType<EdgeRig['edge']>, command: DecisionCommand) => Promise<unknown>][] = [
	['is signed for another edge', (at, command) => at.send(command, 99, { origin, edge: 8, kind: 'decision' })],
	[
		'is signed for a machine of another hub',
		(at, command) => at.send(command, 99, { origin: 'https://x', edge: EDGE, kind: 'decision' }),
	],
	['is signed as another kind', (at, command) => at.send(command, 99, { origin, edge: EDGE, kind: 'policy' })],
	[
		'is signed by another key',
		(at, command) => at.send(command, 99, { origin, edge: EDGE, kind: 'decision' }, makeKey().privateKey),
	],
	[
		'comes to a machine that only lets itself be watched',
		(at, command) => {
			rig.owner.level = 'watch';
			return at.send(command);
		},
	],
	[
		'comes without a passkey to a machine that wants one',
		(at, command) => {
			rig.owner.level = 'passkey';
			return at.send(command);
		},
	],
	['was made before the server was started again', (_at, command) => rig.edge().send(command)],
	['is of a session that is not shared', (_at, command) => rig.edge(false).send(command)],
];

test.each(around)('R2053 a decision that %s releases nothing', async (_what, send) => {
	const at = rig.edge();
	const { id, answer } = await rig.waiting();
	expect(await send(at, rig.commandFor(at, id))).toMatchObject({ state: 'refused' });
	expect(rig.ends(id)).toEqual([]);
	await rig.service.decide(id, { decision: 'deny' }, operator);
	expect(await answer).toBe('deny');
});

test('R2053 attack by replay: one try is one try: what was refused, and what was done, does nothing when it comes again', async () => {
	const at = rig.edge();
	const { id, answer } = await rig.waiting();
	const refused = { ...rig.commandFor(at, id), said: { decision: 'answer' as const } };
	expect(await at.send(refused)).toMatchObject({ why: 'request/invalid' });
	expect(await at.send({ ...refused, said: { decision: 'approve' } })).toMatchObject({ why: 'decision/other-call' });
	const good = rig.commandFor(at, id);
	const n = rig.nextNumber();
	expect(await at.send(good, n)).toMatchObject({ state: 'done' });
	expect(await answer).toBe('allow');
	// As a hub would that has lost the answer, and as one would that tries its luck.
	expect(await rig.edge().send(good, n)).toMatchObject({ state: 'done' });
	expect(await at.send(good, rig.nextNumber())).toMatchObject({ state: 'refused', why: 'approval/decided' });
	expect(rig.ends(id)).toHaveLength(1);
});

test('R2048 between a person here and one at the hub the first decision counts, and the hub learns who was late', async () => {
	const at = rig.edge();
	const { id, answer } = await rig.waiting();
	const command = rig.commandFor(at, id);
	const [here, there] = await Promise.allSettled([
		rig.service.decide(id, { decision: 'deny' }, operator),
		at.send(command),
	]);
	expect(here.status).toBe('fulfilled');
	expect(there).toMatchObject({ value: { state: 'refused', why: 'approval/decided' } });
	expect(await answer).toBe('deny');
});

test('a decision that comes after the wait is over is answered as too late', async () => {
	const at = rig.edge();
	const { id, answer } = await rig.waiting();
	const command = rig.commandFor(at, id);
	await rig.advance(60_000);
	expect(await at.send(command)).toMatchObject({ state: 'refused', why: 'approval/late' });
	expect(await answer).toBe('over');
	expect(rig.ends(id)).toEqual([]);
});
