import type { EdgeLevel } from '#lib/contract/approvals/approval-record.ts';
import type { DecisionCommand, RootSignature, Roster, RosterEntry } from '#lib/contract/hub/hub-commands.ts';
import type { RootDocument } from '#lib/contract/hub/hub-wire.ts';
import { HubDecisions, type HubSettings } from '../edge/hub-decisions.ts';
import { createOpenTickets } from '../edge/open-tickets.ts';
import { createRosterCache } from '../edge/roster-cache.ts';
import { createCommandRunner } from '../edge/run-commands.ts';
import { decisionDigest, entryDigest, makeKey, sealCommand } from '../hub-protocol/signatures.ts';
import { createLog } from '../process/log.ts';
import { decisionIn, deniedCall, hookHeaders, startService } from './service-rig.ts';
import { createSoftAuthenticator } from './soft-authenticator.ts';

export const EDGE = 7;
export const origin = 'https://hub.example';
/** Of the machine. */
export const TEAM = 'shop';
export const rpId = 'hub.example';
const address = { origin, edge: EDGE, kind: 'decision' };
/** What the clock says to whoever checks a command. */
export const NOW = Date.parse('2026-11-23T09:00:00Z');

/** Who decides. */
export const ann = { iss: 'https://idp.example', sub: 'ann', name: 'Ann' };

type Key = ReturnType<typeof createSoftAuthenticator>;
const answerOf = (key: Key, digest: string, change?: Parameters<Key['assert']>[1]) =>
	key.assert(Buffer.from(digest, 'hex').toString('base64url'), change) as unknown as RootSignature;

/** What the owner of the machine says, and how it stands with its hub. */
type Owner = HubSettings & {
	level: EdgeLevel;
	project: string | null;
	isMember: boolean;
	isRefused: boolean;
	joinedAt?: string;
};
export const OWNER: Owner = {
	...{ level: 'hub', hubMayDecide: true, hubMayGrant: 'session', hubNeverRemote: [], observe: false },
	...{ project: 'web', isMember: true, isRefused: false },
};

/** A machine with a real service and door, and the commands of its hub without anything between. */
export async function startEdgeRig() {
	const hub = makeKey();
	const rig = await startService({ forcedHoldSeconds: 50 });
	const owner: Owner = { ...OWNER };
	const clock = { now: NOW };
	const [rootKey, annsKey] = [createSoftAuthenticator({ rpId, origin }), createSoftAuthenticator({ rpId, origin })];
	const root: RootDocument = {
		...{ v: 2, origin, name: 'hub', key: hub.publicKey, rpId },
		rootPasskeys: [{ id: rootKey.id, cose: rootKey.cose }],
	};
	let calls = 0;
	let numbers = 0;

	/** As it is after its server was started, with the same service; `shared` says whether its sessions are. */
	function edge(shared = true) {
		const open = createOpenTickets({ edge: EDGE, waiting: () => rig.service.waiting(), isShared: () => shared });
		const rowOf = (subject: string) => rig.journal.bySubject(subject).at(-1)?.n ?? 0;
		const { service, grants } = rig;
		const [level, settings, now] = [() => owner.level, () => owner, () => clock.now];
		const known = { edge: EDGE, origin, service, grants, tickets: open, level, settings, rowOf, now };
		const roster = createRosterCache({ home: rig.home, membership: { team: TEAM }, root, now: () => clock.now });
		const projectOf = () => owner.project;
		const sharing = { isShared: () => shared, projectOf, subjectOf: rig.denied };
		const member = { team: TEAM, joinedAt: owner.joinedAt, isMember: () => owner.isMember };
		const decisions = new HubDecisions({
			...{ ...known, ...sharing, ...member, root, roster, isRefused: () => owner.isRefused },
		});
		const handlers = { decision: decisions.decide, grant: decisions.grant, roster: roster.acceptRoster };
		const log = createLog(() => undefined);
		const runner = createCommandRunner({ edge: EDGE, origin, key: hub.publicKey, handlers, log });
		return {
			...{ open, roster },
			take: runner.runOnce,
			/** Gives it to the edge, signed; the number is the next one, if none is given. */
			send(body: object, n = ++numbers, at = address, key = hub.privateKey) {
				return runner.runOnce({ n, kind: 'decision', envelope: sealCommand(at, body, key) });
			},
		};
	}

	/** A passkey of Ann's, or of whoever is named, as a root passkey takes it into the roster. */
	const entryOf = (key = annsKey, more: Partial<RosterEntry> = {}): RosterEntry => ({
		...{ v: 1, person: ann, passkey: { id: key.id, cose: key.cose }, places: [{ team: TEAM }] },
		...more,
	});
	const signedBy = (entry: RosterEntry, key = rootKey) => ({ entry, root: answerOf(key, entryDigest(entry, origin)) });
	const rosterOf = (version: number, entries = [signedBy(entryOf())], until = clock.now + 3_600_000): Roster => ({
		...{ v: 1, team: TEAM, version, until, entries },
	});

	return {
		...rig,
		answerOf,
		...{ hub, owner, clock, edge, root, rootKey, annsKey, entryOf, signedBy, rosterOf },
		/** Gives the machine a roster, signed by its hub. */
		sendRoster(at: ReturnType<typeof edge>, roster: object) {
			numbers += 1;
			const envelope = sealCommand({ ...address, kind: 'roster' }, roster, hub.privateKey);
			return at.take({ n: numbers, kind: 'roster', envelope });
		},
		/** The same decision with the answer of a passkey to it, or to something else. */
		touched: (command: DecisionCommand, key = annsKey, shown = command): DecisionCommand => ({
			...command,
			assertion: answerOf(key, decisionDigest(shown, origin)),
		}),
		nextNumber: () => ++numbers,
		/** A call that waits, with what its hook gets in the end. */
		async waiting() {
			calls += 1;
			const waits = rig.next<string>('waiting');
			const { location = '' } = await rig.post(deniedCall(rig.project, `call-${calls}`), hookHeaders(`run-${calls}`));
			const answer = rig.poll(location).then(({ status, body }) =>
				// 410 with words: the denial stands.
				status === 410 ? 'over' : decisionIn(body).decision,
			);
			return { id: await waits, answer };
		},
		/** What would approve it. */
		commandFor(at: ReturnType<typeof edge>, id: string): DecisionCommand {
			const ticket = at.open.find(id);
			return {
				...{ v: 1, edge: EDGE, ticket: id, digest: ticket?.digest ?? '', nonce: ticket?.nonce ?? '' },
				...{ said: { decision: 'approve' }, person: ann },
				...{ expires: NOW + 60_000, journal: { team: 1, n: 3, hash: 'a'.repeat(64) } },
			};
		},
		ends: (id: string) => rig.journal.bySubject(id).filter(({ kind }) => kind === 'approval:resolve'),
	};
}

export type EdgeRig = Awaited<ReturnType<typeof startEdgeRig>>;
