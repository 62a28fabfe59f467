import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { PasskeyAsk } from '#lib/contract/access/access.ts';
import { AppError, type ErrorCode, errors } from '#lib/contract/errors.ts';
import {
	type DecisionCommand,
	type GrantCommand,
	type HubDecider,
	RootSignature,
} from '#lib/contract/hub/hub-commands.ts';
import type { CommandResult } from '#lib/contract/hub/hub-wire.ts';
import { coversScope } from '#lib/hub/roster.ts';
import { challengeIn } from '../../access/webauthn.ts';
import { isPasskeySignatureOf } from '../../hub-protocol/signatures.ts';
import type { HubCore } from '../core/hub-core.ts';
import type { HubJournal } from '../core/hub-journal.ts';
import type { CommandStore } from '../edges/command-store.ts';
import { askFor, readRosterLines } from '../policies/roster-service.ts';
import type { GrantStore } from './grant-store.ts';
import type { HubTicket, TicketStore } from './ticket-store.ts';

const ANSWER_WAIT_MS = 20_000;
const CHECK_MS = 1000;

/** What decisions and grants of people at the hub work with. */
export interface DecisionParts {
	tickets: TicketStore;
	grantStore: GrantStore;
	commands: CommandStore;
	edgeCommands: EdgeCommands;
}

/** The expiry is rounded to a full minute, so that any replica can compute it from the answer. */
const STEP_MS = 60_000;
const STEPS = 3;

type Machine = Pick<HubTicket, 'edge' | 'team' | 'teamName' | 'project' | 'level'>;

/** What a person wants of a machine. At level `passkey` they sign it, and their roster entry must cover the place. */
export interface Proposal {
	machine: Machine;
	person: number;
	digestUntil: (expires: number) => string;
}

/** Sends commands for people at the hub: written to the team's journal first, and done only when the machine has answered. */
export function createEdgeCommands({ query, identity, journal, hints, now }: HubCore, commands: CommandStore) {
	const { root } = identity;

	async function entriesOf({ machine, person }: Proposal) {
		if (root.v === 1) throw new AppError('hub/no-root');
		const signed = (await readRosterLines(query, person)).flatMap((line) => line.signed ?? []);
		if (signed.length === 0) throw new AppError('roster/person');
		const target = { team: machine.teamName, project: machine.project };
		const here = signed.filter(({ entry }) => coversScope(entry.places, target));
		if (here.length === 0) throw new AppError('roster/place');
		return { rpId: root.rpId, passkeys: here.map(({ entry }) => entry.passkey) };
	}

	async function send(
		{ edge, team }: Pick<Machine, 'edge' | 'team'>,
		kind: 'decision' | 'grant',
		row: Parameters<HubJournal['append']>[1],
		bodyOf: (journal: DecisionCommand['journal']) => DecisionCommand | GrantCommand,
	): Promise<number> {
		const { n, hash } = await journal.append(team, row);
		const number = await commands.append(edge, kind, bodyOf({ team, n, hash }));
		hints.send(`edge:${edge}`);
		return number;
	}

	return {
		send,
		async demandPerson(id: number): Promise<HubDecider> {
			const [known] = await query<HubDecider>`SELECT iss, sub, name FROM people WHERE id = ${id}
				AND disabled_at IS NULL`;
			if (!known) throw new AppError('auth/forbidden');
			return known;
		},
		/** Null: the machine asks for no passkey. */
		async askPasskey(proposal: Proposal): Promise<PasskeyAsk | null> {
			if (proposal.machine.level !== 'passkey') return null;
			const { rpId, passkeys } = await entriesOf(proposal);
			const expires = (Math.floor(now() / STEP_MS) + STEPS) * STEP_MS;
			return askFor(proposal.digestUntil(expires), rpId, passkeys);
		},
		/** Checks a passkey's answer as the machine does, if it asks for one. */
		async prove(
			proposal: Proposal,
			answer: AuthenticationResponseJSON | null,
		): Promise<Partial<Pick<DecisionCommand, 'assertion' | 'expires'>>> {
			if (proposal.machine.level !== 'passkey') return {};
			const { rpId, passkeys } = await entriesOf(proposal);
			const given = RootSignature.safeParse(answer).data;
			if (!given) throw new AppError('passkey/needed');
			const challenge = Buffer.from(challengeIn(given.response.clientDataJSON), 'base64url').toString('hex');
			const slot = Math.floor(now() / STEP_MS);
			const expires = Array.from({ length: STEPS }, (_, index) => (slot + 1 + index) * STEP_MS).find(
				(one) => proposal.digestUntil(one) === challenge,
			);
			const passkey = passkeys.find(({ id }) => id === given.id);
			const isTrue =
				expires !== undefined &&
				passkey &&
				(await isPasskeySignatureOf(challenge, given, passkey, { origin: root.origin, rpId }));
			if (!isTrue) throw new AppError('passkey/refused');
			return { expires, assertion: given };
		},
		/** Sends it, and waits for the machine's answer; null if none comes. */
		async ask(...sending: Parameters<typeof send>): Promise<CommandResult | null> {
			const [{ edge, team }] = sending;
			const n = await send(...sending);
			const until = performance.now() + ANSWER_WAIT_MS;
			let check = (): void => undefined;
			const stopHearing = hints.listen(`tickets:${team}`, () => check());
			try {
				for (;;) {
					const woken = new Promise<void>((resolve) => {
						check = resolve;
						setTimeout(resolve, CHECK_MS).unref();
					});
					const result = await commands.result(edge, n);
					if (result || performance.now() > until) return result;
					await woken;
				}
			} finally {
				stopHearing();
			}
		},
	};
}

export type EdgeCommands = ReturnType<typeof createEdgeCommands>;

export function demandDone(result: CommandResult | null): void {
	if (!result) throw new AppError('hub/no-answer');
	if (result.state === 'refused') throw refusalOf(result);
}

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errors, code);

function refusalOf({ why = '', detail, denials }: CommandResult): AppError {
	if (isErrorCode(why)) return new AppError(why, detail, denials && { denials });
	if (why === 'decision/watch-only') return new AppError('hub/watch-only');
	if (why === 'decision/expired') return new AppError('approval/late');
	return new AppError('hub/refused', `The machine has refused it (${why}). Nothing was decided.`);
}
