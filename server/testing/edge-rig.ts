import type { EdgeLevel } from '#lib/contract/edge-level.ts';
import type { DecisionCommand } from '#lib/contract/hub-decision.ts';
import { sealCommand } from '../edge/command-envelope.ts';
import { createDecisionHandler } from '../edge/decide-for-hub.ts';
import { makeKey } from '../edge/hello-proof.ts';
import { createOpenTickets } from '../edge/open-tickets.ts';
import { createCommandTaker } from '../edge/take-commands.ts';
import { createLog } from '../log.ts';
import { decisionIn, deniedCall, hookHeaders, startDesk } from './desk-rig.ts';

export const EDGE = 7;
export const origin = 'https://hub.example';
const place = { origin, edge: EDGE, kind: 'decision' };
/** What the clock says to whoever checks a command. */
export const NOW = Date.parse('2026-11-23T09:00:00Z');

/** A machine with a real desk and door, and the commands of its hub without anything between. */
export async function startEdgeRig() {
	const hub = makeKey();
	const rig = await startDesk({ forcedHoldSeconds: 50 });
	const owner: { level: EdgeLevel } = { level: 'hub' };
	let calls = 0;
	let numbers = 0;

	/** As it is after its server was started, with the same desk; `shared` says whether its sessions are. */
	function edge(shared = true) {
		const open = createOpenTickets({ edge: EDGE, waiting: () => rig.desk.waiting(), isShared: () => shared });
		const rowOf = (subject: string) => rig.journal.bySubject(subject).at(-1)?.n ?? 0;
		const { desk } = rig;
		const known = { edge: EDGE, origin, desk, tickets: open, level: () => owner.level, rowOf, now: () => NOW };
		const handlers = { decision: createDecisionHandler(known) };
		const log = createLog(() => undefined);
		const taker = createCommandTaker({ edge: EDGE, origin, key: hub.publicKey, handlers, log });
		return {
			open,
			take: taker.take,
			/** Gives it to the edge, signed; the number is the next one, if none is given. */
			send(body: object, n = ++numbers, at = place, key = hub.privateKey) {
				return taker.take({ n, kind: 'decision', envelope: sealCommand(at, body, key) });
			},
		};
	}

	return {
		...rig,
		...{ hub, owner, edge },
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
			const told = at.open.find(id);
			return {
				...{ v: 1, edge: EDGE, ticket: id, digest: told?.digest ?? '', nonce: told?.nonce ?? '' },
				...{ said: { decision: 'approve' }, person: { iss: 'https://idp.example', sub: 'ann', name: 'Ann' } },
				...{ expires: NOW + 60_000, journal: { team: 1, n: 3, hash: 'a'.repeat(64) } },
			};
		},
		ends: (id: string) => rig.journal.bySubject(id).filter(({ kind }) => kind === 'approval:resolve'),
	};
}

export type EdgeRig = Awaited<ReturnType<typeof startEdgeRig>>;
