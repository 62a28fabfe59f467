import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { EdgeLevel } from '#lib/contract/edge-level.ts';
import type { DecisionCommand } from '#lib/contract/hub-decision.ts';
import { createLog } from '../log.ts';
import { type DeskRig, decisionIn, deniedCall, hookHeaders, operator, startDesk } from '../testing/desk-rig.ts';
import { sealCommand } from './command-envelope.ts';
import { createDecisionHandler } from './decide-for-hub.ts';
import { makeKey } from './hello-proof.ts';
import { createOpenTickets } from './open-tickets.ts';
import { createCommandTaker } from './take-commands.ts';

const EDGE = 7;
const origin = 'https://hub.example';
const hub = makeKey();
const NOW = Date.parse('2026-11-23T09:00:00Z');

let rig: DeskRig;
let level: EdgeLevel = 'hub';
let calls = 0;
let numbers = 0;
beforeAll(async () => {
	rig = await startDesk({ forcedHoldSeconds: 50 });
});
afterAll(() => rig.stop());
beforeEach(() => {
	level = 'hub';
});

const tickets = () => createOpenTickets({ edge: EDGE, waiting: () => rig.desk.waiting(), isShared: () => true });

/** An edge as it is after its server was started, with the same desk. */
function edge(open = tickets()) {
	const rowOf = (subject: string) => rig.journal.bySubject(subject).at(-1)?.n ?? 0;
	const handler = createDecisionHandler({
		...{ edge: EDGE, origin, desk: rig.desk, tickets: open, level: () => level, rowOf, now: () => NOW },
	});
	const log = createLog(() => undefined);
	const taker = createCommandTaker({ edge: EDGE, origin, key: hub.publicKey, handlers: { decision: handler }, log });
	return {
		open,
		send(body: object, n = ++numbers, place = { origin, edge: EDGE, kind: 'decision' }, key = hub.privateKey) {
			return taker.take({ n, kind: 'decision', envelope: sealCommand(place, body, key) });
		},
	};
}

/** A call that waits, with what its hook gets in the end. */
async function waiting() {
	calls += 1;
	const waits = rig.next<string>('waiting');
	const { location = '' } = await rig.post(deniedCall(rig.project, `call-${calls}`), hookHeaders(`run-${calls}`));
	// 410 with words: the denial stands.
	const answer = rig.poll(location).then(({ status, body }) => (status === 410 ? 'over' : decisionIn(body).decision));
	return { id: await waits, answer };
}

function commandFor(at: ReturnType<typeof edge>, id: string): DecisionCommand {
	const told = at.open.find(id);
	return {
		...{ v: 1, edge: EDGE, ticket: id, digest: told?.digest ?? '', nonce: told?.nonce ?? '' },
		...{ said: { decision: 'approve' }, person: { iss: 'https://idp.example', sub: 'ann', name: 'Ann' } },
		...{ expires: NOW + 60_000, journal: { team: 1, n: 3, hash: 'a'.repeat(64) } },
	};
}

const ends = (id: string) => rig.journal.bySubject(id).filter(({ kind }) => kind === 'approval:resolve');

test('R2047 what a person decided at the hub is decided by the desk, with who it was', async () => {
	const at = edge();
	const { id, answer } = await waiting();
	const result = await at.send(commandFor(at, id));
	expect(result).toEqual({ n: numbers, state: 'done', journal: rig.journal.bySubject(id).at(-1)?.n });
	expect(await answer).toBe('allow');
	const by = { role: 'operator', via: 'hub', name: 'Ann', hub: { origin, sub: 'ann', level: 'hub', command: numbers } };
	expect(rig.desk.get(id)).toMatchObject({ state: 'approved', by });
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
	['nobody', ({ person: _, ...said }) => said, 'decision/form'],
	['a person without an issuer', (said) => ({ ...said, person: { ...said.person, iss: '' } }), 'decision/form'],
	['a person without a name there', (said) => ({ ...said, person: { ...said.person, sub: '' } }), 'decision/form'],
	['a time that is over', (said) => ({ ...said, expires: NOW - 60_001 }), 'decision/expired'],
	['no time', ({ expires: _, ...said }) => said, 'decision/form'],
	['no row of the hub', ({ journal: _, ...said }) => said, 'decision/form'],
];

test.each(spoilt)('R2053 a decision with %s releases nothing', async (_what, spoil, why) => {
	const at = edge();
	const [mine, other] = [await waiting(), await waiting()];
	const result = await at.send(spoil(commandFor(at, mine.id), commandFor(at, other.id)));
	expect(result).toMatchObject({ state: 'refused', why });
	for (const { id, answer } of [mine, other]) {
		expect(ends(id)).toEqual([]);
		await rig.desk.decide(id, { decision: 'deny' }, operator);
		expect(await answer).toBe('deny');
	}
});

/** What stands around a decision that would be good by itself. */
const around: [string, (at: ReturnType<typeof edge>, said: DecisionCommand) => Promise<unknown>][] = [
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
			level = 'watch';
			return at.send(said);
		},
	],
	[
		'comes without a passkey to a machine that wants one',
		(at, said) => {
			level = 'passkey';
			return at.send(said);
		},
	],
	['was made before the server was started again', (_at, said) => edge().send(said)],
	[
		'is of a session that is not shared',
		(_at, said) =>
			edge(createOpenTickets({ edge: EDGE, waiting: () => rig.desk.waiting(), isShared: () => false })).send(said),
	],
];

test.each(around)('R2053 a decision that %s releases nothing', async (_what, send) => {
	const at = edge();
	const { id, answer } = await waiting();
	expect(await send(at, commandFor(at, id))).toMatchObject({ state: 'refused' });
	expect(ends(id)).toEqual([]);
	await rig.desk.decide(id, { decision: 'deny' }, operator);
	expect(await answer).toBe('deny');
});

test('R2053 one try is one try: what was refused, and what was done, does nothing when it comes again', async () => {
	const at = edge();
	const { id, answer } = await waiting();
	const refused = { ...commandFor(at, id), said: { decision: 'answer' as const } };
	expect(await at.send(refused)).toMatchObject({ why: 'request/invalid' });
	expect(await at.send({ ...refused, said: { decision: 'approve' } })).toMatchObject({ why: 'decision/other-call' });
	const good = commandFor(at, id);
	const n = ++numbers;
	expect(await at.send(good, n)).toMatchObject({ state: 'done' });
	expect(await answer).toBe('allow');
	// As a hub would that has lost the answer, and as one would that tries its luck.
	expect(await edge().send(good, n)).toMatchObject({ state: 'done' });
	expect(await at.send(good, ++numbers)).toMatchObject({ state: 'refused', why: 'approval/decided' });
	expect(ends(id)).toHaveLength(1);
});

test('R2048 of a person here and one at the hub the first counts, and the hub is told who was late', async () => {
	const at = edge();
	const { id, answer } = await waiting();
	const said = commandFor(at, id);
	const [here, there] = await Promise.allSettled([rig.desk.decide(id, { decision: 'deny' }, operator), at.send(said)]);
	expect(here.status).toBe('fulfilled');
	expect(there).toMatchObject({ value: { state: 'refused', why: 'approval/decided' } });
	expect(await answer).toBe('deny');
});

test('R2050 who comes when nobody waits any more is told that it is too late', async () => {
	const at = edge();
	const { id, answer } = await waiting();
	const said = commandFor(at, id);
	await rig.advance(60_000);
	expect(await at.send(said)).toMatchObject({ state: 'refused', why: 'approval/late' });
	expect(await answer).toBe('over');
	expect(ends(id)).toEqual([]);
});
