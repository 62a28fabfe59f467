import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { PasskeyAsk } from '#lib/contract/access/access.ts';
import { AppError } from '#lib/contract/errors.ts';
import { RootSignature } from '#lib/contract/hub/hub-commands.ts';
import { coversScope } from '#lib/hub/roster.ts';
import { challengeIn } from '../../access/webauthn.ts';
import { isAnswerTo } from '../../edge/signatures.ts';
import { askFor } from '../policies/root-answer.ts';
import { createRosterStore } from '../policies/roster-service.ts';
import type { HubCore } from '../timelines/hub-journal.ts';

/** The expiry is rounded to a full minute, so that any replica can compute it from the answer. */
const STEP_MS = 60_000;
const STEPS = 3;

/** What a person signs for a machine, and the scope that their roster entry must cover. */
interface SignedAct {
	/** The person's number. */
	id: number;
	place: { team: string; project: string | null };
	digestUntil: (expires: number) => string;
}

/** Checks passkey answers of people in the same way as machines do. */
export function createPersonProofs({ ask, identity, now }: HubCore) {
	const { root } = identity;
	const store = createRosterStore(ask, identity);

	async function entriesOf({ id, place }: SignedAct) {
		if (root.v === 1) throw new AppError('hub/no-root');
		const signed = (await store.of(id)).flatMap((line) => line.signed ?? []);
		if (signed.length === 0) throw new AppError('roster/person');
		const here = signed.filter(({ entry }) => coversScope(entry.places, place));
		if (here.length === 0) throw new AppError('roster/place');
		return { rpId: root.rpId, passkeys: here.map(({ entry }) => entry.passkey) };
	}

	return {
		async askFor(act: SignedAct): Promise<PasskeyAsk> {
			const { rpId, passkeys } = await entriesOf(act);
			const expires = (Math.floor(now() / STEP_MS) + STEPS) * STEP_MS;
			return askFor(act.digestUntil(expires), rpId, passkeys);
		},
		async prove(act: SignedAct, answer: AuthenticationResponseJSON | null) {
			const { rpId, passkeys } = await entriesOf(act);
			const given = RootSignature.safeParse(answer).data;
			if (!given) throw new AppError('passkey/needed');
			const challenge = Buffer.from(challengeIn(given.response.clientDataJSON), 'base64url').toString('hex');
			const slot = Math.floor(now() / STEP_MS);
			const expires = Array.from({ length: STEPS }, (_, at) => (slot + 1 + at) * STEP_MS).find(
				(one) => act.digestUntil(one) === challenge,
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
