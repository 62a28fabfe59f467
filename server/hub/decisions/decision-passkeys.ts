import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { PasskeyAsk } from '#lib/contract/access/passkey-ask.ts';
import type { DecisionBody } from '#lib/contract/approvals/approval-record.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { HubDecider } from '#lib/contract/hub/hub-decision.ts';
import { RootSignature } from '#lib/contract/hub/root-signature.ts';
import { coversScope } from '#lib/hub/roster.ts';
import { challengeIn } from '../../access/webauthn.ts';
import { isAnswerTo } from '../../edge/passkey-answer.ts';
import { decisionDigest } from '../../edge/roster-proof.ts';
import type { Ask } from '../database/database.ts';
import type { HubIdentity } from '../database/hub-key.ts';
import { createRosterStore } from '../policies/roster-store.ts';
import type { HubTicket } from './ticket-store.ts';

/** A passkey is asked for what may be done until a full minute, so that any replica finds it again from the answer. */
const STEP_MS = 60_000;
/** So many of them from now on: what a passkey has signed is good for two to three minutes. */
const STEPS = 3;

/** What somebody says about a ticket. */
export interface SaidOf {
	ticket: HubTicket;
	said: DecisionBody;
	who: HubDecider & { id: number };
}

/** Has a person's passkey answer for what they say of a call, in the way in which its machine checks it again. */
export function createDecisionPasskeys(ask: Ask, identity: HubIdentity, now: () => number) {
	const { root } = identity;
	const store = createRosterStore(ask, identity);

	/** Those of a person that count there. Throws `hub/no-root`, `roster/person` and `roster/place`. */
	async function entriesOf({ ticket: { teamName, project }, who }: SaidOf) {
		if (root.v === 1) throw new AppError('hub/no-root');
		const signed = (await store.of(who.id)).flatMap((line) => line.signed ?? []);
		if (signed.length === 0) throw new AppError('roster/person');
		const here = signed.filter(({ entry }) => coversScope(entry.places, { team: teamName, project }));
		if (here.length === 0) throw new AppError('roster/place');
		return { rpId: root.rpId, passkeys: here.map(({ entry }) => entry.passkey) };
	}

	const digestUntil = ({ ticket: { digest }, said, who: { id: _, ...person } }: SaidOf, expires: number) =>
		decisionDigest({ digest, said, person, expires }, root.origin);

	return {
		/** Throws `hub/no-root`, `roster/person` and `roster/place` where no answer could count. */
		async askFor(of: SaidOf): Promise<PasskeyAsk> {
			const { rpId, passkeys } = await entriesOf(of);
			const expires = (Math.floor(now() / STEP_MS) + STEPS) * STEP_MS;
			const challenge = Buffer.from(digestUntil(of, expires), 'hex').toString('base64url');
			const allowCredentials = passkeys.map(({ id }) => ({ id, type: 'public-key' as const }));
			return { challenge, rpId, allowCredentials, userVerification: 'required' };
		},
		/** What goes with the command. Throws `passkey/needed` without an answer, and `passkey/refused` for one to anything else. */
		async prove(of: SaidOf, answer: AuthenticationResponseJSON | null) {
			const { rpId, passkeys } = await entriesOf(of);
			const given = RootSignature.safeParse(answer).data;
			if (!given) throw new AppError('passkey/needed');
			const challenge = Buffer.from(challengeIn(given.response.clientDataJSON), 'base64url').toString('hex');
			const slot = Math.floor(now() / STEP_MS);
			const expires = Array.from({ length: STEPS }, (_, at) => (slot + 1 + at) * STEP_MS).find(
				(one) => digestUntil(of, one) === challenge,
			);
			const passkey = passkeys.find(({ id }) => id === given.id);
			const isTrue =
				expires !== undefined &&
				passkey &&
				(await isAnswerTo(challenge, given, passkey, { origin: root.origin, rpId }));
			if (!isTrue) throw new AppError('passkey/refused');
			return { expires, assertion: given };
		},
	};
}
