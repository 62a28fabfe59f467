import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { DecisionCommand } from '#lib/contract/hub/hub-commands.ts';
import { EDGE, type EdgeRig, NOW, origin, startEdgeRig } from '../testing/edge-rig.ts';
import { operator } from '../testing/service-rig.ts';
import { makeKey } from './signatures.ts';

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

const remember = (said: DecisionCommand, terms: object, reason = 'r', decision = 'approve') => ({
	...{ ...said, said: { decision, reason, remember: terms } },
});
/** Each is a spoilt copy of what would release the call; none may. */
const spoilt: [string, (said: DecisionCommand, other: DecisionCommand) => object, string][] = [
	['an unknown version', (said) => ({ ...said, v: 2 }), 'decision/form'],
	['another edge', (said) => ({ ...said, edge: 8 }), 'decision/other-edge'],
	['no edge', ({ edge: _, ...said }) => said, 'decision/form'],
	['a ticket that does not exist', (said) => ({ ...said, ticket: 'no-such-ticket' }), 'approval/not-found'],
	['another ticket', (said, other) => ({ ...said, ticket: other.ticket }), 'decision/other-call'],
	['the digest of another', (said, other) => ({ ...said, digest: other.digest }), 'decision/other-call'],
	['a digest of nothing', (said) => ({ ...said, digest: 'f'.repeat(64) }), 'decision/other-call'],
	['no digest', (said) => ({ ...said, digest: '' }), 'decision/form'],
	['the nonce of another', (said, other) => ({ ...said, nonce: other.nonce }), 'decision/other-call'],
	['a nonce of its own', (said) => ({ ...said, nonce: 'A'.repeat(32) }), 'decision/other-call'],
	['no nonce', (said) => ({ ...said, nonce: '' }), 'decision/form'],
	['no decision', (said) => ({ ...said, said: {} }), 'decision/form'],
	['a decision that there is not', (said) => ({ ...said, said: { decision: 'allow' } }), 'decision/form'],
	[
		'a field that decisions have not',
		(said) => ({ ...said, said: { decision: 'approve', force: 1 } }),
		'decision/form',
	],
	['another field beside', (said) => ({ ...said, level: 'hub' }), 'decision/form'],
	['answers to what asks nothing', (said) => ({ ...said, said: { decision: 'answer' } }), 'request/invalid'],
	['a stop with an approval', (said) => ({ ...said, said: { decision: 'approve', stop: true } }), 'request/invalid'],
	[
		'a suggestion that nobody made',
		(said) => ({ ...said, said: { decision: 'approve', suggestions: [3] } }),
		'request/invalid',
	],
	['a scope that its owner does not let', (said) => remember(said, { scope: 'project' }), 'grant/at-machine'],
	['a scope that there is not', (said) => remember(said, { scope: 'team' }), 'decision/form'],
	['a scope for ever', (said) => remember(said, { scope: 'session', expiresInSeconds: 1e9 }), 'decision/form'],
	['a scope and no reason', (said) => remember(said, { scope: 'session' }, ''), 'request/invalid'],
	['a scope of a denial', (said) => remember(said, { scope: 'session' }, 'r', 'deny'), 'request/invalid'],
	['nobody', ({ person: _, ...said }) => said, 'decision/form'],
	['a person without an issuer', (said) => ({ ...said, person: { ...said.person, iss: '' } }), 'decision/form'],
	['a person without a name there', (said) => ({ ...said, person: { ...said.person, sub: '' } }), 'decision/form'],
	['a time that is over', (said) => ({ ...said, expires: NOW - 60_001 }), 'decision/expired'],
	['no time', ({ expires: _, ...said }) => said, 'decision/form'],
	['no row of the hub', ({ journal: _, ...said }) => said, 'decision/form'],
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
const around: [string, (at: ReturnType<EdgeRig['edge']>, said: DecisionCommand) => Promise<unknown>][] = [
	['is signed for another edge', (at, said) => at.send(said, 99, { origin, edge: 8, kind: 'decision' })],
	[
		'is signed for a machine of another hub',
		(at, said) => at.send(said, 99, { origin: 'https://x', edge: EDGE, kind: 'decision' }),
	],
	['is signed as another kind', (at, said) => at.send(said, 99, { origin, edge: EDGE, kind: 'policy' })],
	[
		'is signed by another key',
		(at, said) => at.send(said, 99, { origin, edge: EDGE, kind: 'decision' }, makeKey().privateKey),
	],
	[
		'comes to a machine that only lets itself be watched',
		(at, said) => {
			rig.owner.level = 'watch';
			return at.send(said);
		},
	],
	[
		'comes without a passkey to a machine that wants one',
		(at, said) => {
			rig.owner.level = 'passkey';
			return at.send(said);
		},
	],
	['was made before the server was started again', (_at, said) => rig.edge().send(said)],
	['is of a session that is not shared', (_at, said) => rig.edge(false).send(said)],
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

test('R2048 of a person here and one at the hub the first counts, and the hub is told who was late', async () => {
	const at = rig.edge();
	const { id, answer } = await rig.waiting();
	const said = rig.commandFor(at, id);
	const [here, there] = await Promise.allSettled([
		rig.service.decide(id, { decision: 'deny' }, operator),
		at.send(said),
	]);
	expect(here.status).toBe('fulfilled');
	expect(there).toMatchObject({ value: { state: 'refused', why: 'approval/decided' } });
	expect(await answer).toBe('deny');
});

test('who comes when nobody waits any more is told that it is too late', async () => {
	const at = rig.edge();
	const { id, answer } = await rig.waiting();
	const said = rig.commandFor(at, id);
	await rig.advance(60_000);
	expect(await at.send(said)).toMatchObject({ state: 'refused', why: 'approval/late' });
	expect(await answer).toBe('over');
	expect(rig.ends(id)).toEqual([]);
});
