import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { DecisionCommand } from '#lib/contract/hub/hub-commands.ts';
import { hubFrames, MAX_ENVELOPE } from '#lib/contract/hub/hub-wire.ts';
import { sealCommand } from '../hub-protocol/signatures.ts';
import { EDGE, type EdgeRig, NOW, OWNER, origin, rpId, startEdgeRig } from '../testing/edge-rig.ts';
import { operator } from '../testing/service-rig.ts';
import { createSoftAuthenticator } from '../testing/soft-authenticator.ts';
import { createHubLease } from './open-tickets.ts';

/*
 * A hub that was taken over, with its key: what it tries is stopped by the machine, or shown as what it was. What it may do
 * with policies is in `policy-cache.test.ts`.
 */

let rig: EdgeRig;
beforeAll(async () => {
	rig = await startEdgeRig();
});
afterAll(() => rig.stop());
beforeEach(() => {
	Object.assign(rig.owner, OWNER);
});

/** The same, and calls like it from then on. */
const remembered = (command: DecisionCommand, scope: 'session' | 'project'): DecisionCommand => ({
	...command,
	said: { decision: 'approve', reason: 'as planned', remember: { scope, expiresInSeconds: 3600 } },
});

/** A passkey of the hub's own. */
const ownKey = createSoftAuthenticator({ rpId, origin });
function onlyByPasskey<Command>(command: Command): Command {
	rig.owner.level = 'passkey';
	return command;
}

type Call = Awaited<ReturnType<EdgeRig['waiting']>>;
type Machine = ReturnType<EdgeRig['edge']>;

/** Each gets a call that waits, and must not have let it run. */
const ways: [string, (at: Machine, call: Call) => Promise<unknown>][] = [
	[
		'approves by its own signature where it is only let watch',
		(at, { id }) => {
			rig.owner.level = 'watch';
			return at.send(rig.commandFor(at, id));
		},
	],
	[
		'approves by its own signature where a passkey is wanted',
		(at, { id }) => {
			rig.owner.level = 'passkey';
			return at.send(rig.commandFor(at, id));
		},
	],
	[
		'says itself that a passkey was touched',
		(at, { id }) => {
			rig.owner.level = 'passkey';
			return at.send({ ...rig.commandFor(at, id), assertion: { id: 'x' } });
		},
	],
	[
		'shows one call and sends its approval for another',
		async (at, { id }) => {
			const shown = await rig.waiting();
			const result = await at.send({ ...rig.commandFor(at, shown.id), ticket: id });
			await rig.service.decide(shown.id, { decision: 'deny' }, operator);
			await shown.answer;
			return result;
		},
	],
	[
		'keeps an approval of an earlier call for a later one',
		async (at, { id }) => {
			const earlier = await rig.waiting();
			const kept = rig.commandFor(at, earlier.id);
			await at.send(kept);
			await earlier.answer;
			return at.send({ ...kept, ticket: id });
		},
	],
	[
		'keeps an approval for after the next start of the machine',
		(at, { id }) => rig.edge().send(rig.commandFor(at, id)),
	],
	[
		'sends an approval that was made for another machine',
		(at, { id }) => at.send(rig.commandFor(at, id), rig.nextNumber(), { origin, edge: EDGE + 1, kind: 'decision' }),
	],
	[
		'passes its signature of something else off as a decision',
		(at, { id }) => at.send(rig.commandFor(at, id), rig.nextNumber(), { origin, edge: EDGE, kind: 'policy' }),
	],
	[
		'sends an approval that was good yesterday',
		(at, { id }) => at.send({ ...rig.commandFor(at, id), expires: NOW - 86_400_000 }),
	],
	[
		'raises the level by a command',
		async (at, { id }) => {
			rig.owner.level = 'watch';
			const kind = 'level';
			const envelope = sealCommand({ origin, edge: EDGE, kind }, { level: 'hub' }, rig.hub.privateKey);
			await at.take({ n: rig.nextNumber(), kind, envelope });
			return at.send(rig.commandFor(at, id));
		},
	],
	[
		'passes itself off as somebody at the machine',
		(at, { id }) => {
			const by = { role: 'operator', via: 'token' };
			return at.send({ ...rig.commandFor(at, id), by, person: { ...rig.commandFor(at, id).person, via: 'token' } });
		},
	],
	[
		'gives a name that would write on a terminal',
		(at, { id }) => {
			const command = rig.commandFor(at, id);
			return at.send({ ...command, person: { ...command.person, name: 'Ann\u001b[2J\u202e' } });
		},
	],
	[
		'approves with a passkey that it has made',
		(at, { id }) => at.send(rig.touched(onlyByPasskey(rig.commandFor(at, id)), ownKey)),
	],
	[
		'takes a passkey that it has made into the roster',
		async (at, { id }) => {
			const taken = rig.signedBy(rig.entryOf(ownKey), ownKey);
			expect(await rig.sendRoster(at, rig.rosterOf(2, [taken]))).toMatchObject({ why: 'roster/unsigned' });
			return at.send(rig.touched(onlyByPasskey(rig.commandFor(at, id)), ownKey));
		},
	],
	[
		'sends an old roster for somebody who was taken out',
		async (at, { id }) => {
			const before = rig.rosterOf(2);
			await rig.sendRoster(at, before);
			await rig.sendRoster(at, rig.rosterOf(3, []));
			expect(await rig.sendRoster(at, before)).toMatchObject({ why: 'roster/older' });
			return at.send(rig.touched(onlyByPasskey(rig.commandFor(at, id))));
		},
	],
	[
		'has somebody touch their passkey for one call and sends that for another',
		async (at, { id }) => {
			await rig.sendRoster(at, rig.rosterOf(2));
			const shown = await rig.waiting();
			const command = onlyByPasskey(rig.commandFor(at, id));
			const result = await at.send(rig.touched(command, rig.annsKey, rig.commandFor(at, shown.id)));
			await rig.service.decide(shown.id, { decision: 'deny' }, operator);
			await shown.answer;
			return result;
		},
	],
	[
		'makes an approval of a denial that somebody has touched their passkey for',
		async (at, { id }) => {
			await rig.sendRoster(at, rig.rosterOf(2));
			const command = onlyByPasskey(rig.commandFor(at, id));
			return at.send(rig.touched(command, rig.annsKey, { ...command, said: { decision: 'deny' } }));
		},
	],
	[
		'raises what somebody has signed for one session to the whole project',
		async (at, { id }) => {
			await rig.sendRoster(at, rig.rosterOf(2));
			rig.owner.hubMayGrant = 'project';
			const shown = remembered(onlyByPasskey(rig.commandFor(at, id)), 'session');
			return at.send(rig.touched(remembered(shown, 'project'), rig.annsKey, shown));
		},
	],
	[
		'has an approval remembered that somebody has signed for once',
		async (at, { id }) => {
			await rig.sendRoster(at, rig.rosterOf(2));
			const shown = onlyByPasskey(rig.commandFor(at, id));
			return at.send(rig.touched(remembered(shown, 'session'), rig.annsKey, shown));
		},
	],
	[
		'keeps what somebody has signed to be remembered for a later call',
		async (at, { id }) => {
			await rig.sendRoster(at, rig.rosterOf(2));
			const earlier = await rig.waiting();
			const kept = rig.touched(remembered(onlyByPasskey(rig.commandFor(at, earlier.id)), 'session'));
			await rig.service.decide(earlier.id, { decision: 'deny' }, operator);
			await earlier.answer;
			const { ticket, digest, nonce } = rig.commandFor(at, id);
			return at.send({ ...kept, ticket, digest, nonce });
		},
	],
	[
		'remembers for the project what its owner lets it for a session',
		(at, { id }) => at.send(remembered(rig.commandFor(at, id), 'project')),
	],
	[
		'makes a grant without a call that waits',
		async (at, { id }) => {
			const { person } = rig.commandFor(at, id);
			const covers = rig.service.get(id)?.denials;
			const made = { v: 1, edge: EDGE, action: 'make', grant: 'grant-0001', scope: 'session', covers, person };
			return at.take({
				...{ n: rig.nextNumber(), kind: 'grant' },
				envelope: sealCommand({ origin, edge: EDGE, kind: 'grant' }, made, rig.hub.privateKey),
			});
		},
	],
	[
		'approves with an input of its own that the gates deny',
		(at, { id }) => {
			const updatedInput = { subagent_type: 'reviewer', description: 'x', prompt: 'y' };
			return at.send({ ...rig.commandFor(at, id), said: { decision: 'approve', updatedInput } });
		},
	],
	[
		'overrides what nobody was shown',
		(at, { id }) => {
			const overrides = [{ gate: 'routing', rule: 'routing.agent-in-plan', reason: 'r' }];
			return at.send({ ...rig.commandFor(at, id), said: { decision: 'approve', overrides } });
		},
	],
	[
		'names a decision that no machine takes',
		(at, { id }) => at.send({ ...rig.commandFor(at, id), said: { decision: 'approve', grant: 'project' } }),
	],
];

test.each(ways)('R2054 a hub that was taken over and %s lets nothing run', async (_what, attack) => {
	const at = rig.edge();
	at.roster.drop();
	const call = await rig.waiting();
	const before = rig.journal.byKind(['approval:resolve'], { limit: 1000 }).length;
	expect(await attack(at, call)).toMatchObject({ state: 'refused' });
	expect(rig.ends(call.id)).toEqual([]);
	expect(rig.grants.list(undefined, 9)).toEqual([]);
	rig.owner.level = 'hub';
	await rig.service.decide(call.id, { decision: 'deny' }, operator);
	expect(await call.answer).toBe('deny');
	expect(rig.journal.byKind(['approval:resolve'], { limit: 1000 }).length).toBeGreaterThan(before);
});

test('R2054 where it is believed it can approve, and the machine names it as the one that did', async () => {
	const at = rig.edge();
	const { id, answer } = await rig.waiting();
	expect(await at.send(rig.commandFor(at, id))).toMatchObject({ state: 'done' });
	expect(await answer).toBe('allow');
	expect(rig.service.get(id)?.by).toMatchObject({ via: 'hub', hub: { origin, level: 'hub' } });
});

test('R2054 it can say that somebody watches for a minute and no longer, and a command has its bounds', () => {
	let now = 0;
	const lease = createHubLease(() => now);
	lease.renew(hubFrames.lease.parse({ ms: 60_000 }).ms);
	expect(lease.isRunning()).toBe(true);
	now = 60_000;
	expect(lease.isRunning()).toBe(false);
	expect(hubFrames.lease.safeParse({ ms: 60_001 }).success).toBe(false);
	const command = { n: 1, kind: 'decision', envelope: 'x'.repeat(MAX_ENVELOPE + 1) };
	expect(hubFrames.command.safeParse(command).success).toBe(false);
});

test('R2054 it can hide a call and keep silent: the machine waits its own time, and the call stays denied', async () => {
	const { id, answer } = await rig.waiting();
	await rig.advance(60_000);
	expect(await answer).toBe('over');
	expect(rig.service.get(id)?.state).toBe('expired');
});
