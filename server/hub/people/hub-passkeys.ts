import { hash } from 'node:crypto';
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { AppError } from '#lib/contract/errors.ts';
import type { HubPasskeyList } from '#lib/contract/hub/hub-people.ts';
import { mayAnywhere } from '#lib/hub/may.ts';
import type { ProvenRequest } from '../../access/passkeys.ts';
import type { Principal } from '../../access/principal.ts';
import { type Challenges, createPasskeyProof, type PasskeyOrigin, readPasskeyHeader } from '../../access/webauthn.ts';
import type { PasskeyStore, StoredPasskey } from './passkey-store.ts';
import type { PeopleStore } from './people-store.ts';
import type { SignInStore } from './sign-in-store.ts';

/** The first passkey of a person is as good as the sign-in that it is enrolled by: that one is fresh. */
const FRESH_MS = 10 * 60_000;
const MOST = 20;

/** What a challenge is for. */
const ENROLMENT = { path: '/api/hub/passkeys' };
const SIGN_IN = { path: '/login/passkey' };
const ANYBODY = 'anybody';

/**
 * The passkeys of a hub's people: enrolling one's own, and an admin's sign-in by one, which needs no provider. Being signed in
 * decides nothing: a decision asks for the passkey itself.
 */
export function createHubPasskeys(options: {
	store: PasskeyStore;
	people: Pick<PeopleStore, 'rolesOf'>;
	signIns: Pick<SignInStore, 'find'>;
	challenges: Challenges;
	place: PasskeyOrigin;
	now: () => number;
}) {
	const { store, people, signIns, challenges, place, now } = options;

	const proof = createPasskeyProof<StoredPasskey>({ passkeys: store, challenges, place: () => place });

	async function isFresh({ sessionHash }: Principal): Promise<boolean> {
		const [signIn] = await signIns.find([sessionHash]);
		return signIn !== undefined && signIn.since.getTime() > now() - FRESH_MS;
	}

	/** Throws `passkey/needed` or `passkey/refused` unless a passkey of one's own has answered for exactly this request. */
	async function demandProof(principal: Principal, header: unknown, request: ProvenRequest): Promise<void> {
		const response = readPasskeyHeader(header);
		if (!response) throw new AppError('passkey/needed');
		const { person } = await proof.prove(response, principal.sessionHash, request);
		if (person !== demandPerson(principal).person) throw new AppError('passkey/refused');
	}

	async function list(principal: Principal): Promise<HubPasskeyList> {
		const known = await store.of(demandPerson(principal).person);
		return { passkeys: known.map(({ credentialId: id, label, added }) => ({ id, label, since: added.toISOString() })) };
	}

	return {
		list,
		/** What a passkey of one's own has to answer for exactly this request. */
		async challenge(principal: Principal, request: ProvenRequest) {
			const known = await store.of(demandPerson(principal).person);
			return proof.ask(principal.sessionHash, request, known);
		},
		/** The same answer, from whoever has a passkey: nothing is asked of others. Throws `passkey/needed`, `passkey/refused`. */
		async demand(principal: Principal, header: unknown, request: ProvenRequest): Promise<void> {
			const { person } = principal.hub ?? {};
			if (person !== undefined && (await store.of(person)).length > 0) await demandProof(principal, header, request);
		},
		/** Begins an enrolment: of the first one by a fresh sign-in, of others by one that there is. Throws `passkey/stale`. */
		async beginEnrolment(principal: Principal) {
			const { person, name } = demandPerson(principal);
			const known = await store.of(person);
			if (known.length >= MOST) throw new AppError('passkey/refused');
			if (known.length === 0 && !(await isFresh(principal))) throw new AppError('passkey/stale');
			const user = { id: new Uint8Array(hash('sha256', `${place.rpId} ${person}`, 'buffer')), name };
			return proof.askToEnrol(principal.sessionHash, { ...ENROLMENT, person }, { user, known, discoverable: true });
		},
		/** Ends it; the passkey counts at once, at every replica. Throws `passkey/refused`. */
		async endEnrolment(principal: Principal, label: string, response: RegistrationResponseJSON) {
			const { person } = demandPerson(principal);
			const made = await proof.endEnrolment(response, principal.sessionHash, { ...ENROLMENT, person });
			if (!(await store.add({ ...made, person, label }))) throw new AppError('passkey/refused');
			return list(principal);
		},
		/**
		 * Takes one of one's own away: by a fresh sign-in, since it may be the one that was lost, or by one that there is.
		 * Throws `access/not-found`, `passkey/needed`, `passkey/refused`.
		 */
		async revoke(principal: Principal, credentialId: string, header: unknown, request: ProvenRequest) {
			const { person } = demandPerson(principal);
			if (!(await isFresh(principal))) await demandProof(principal, header, request);
			if (!(await store.revoke(credentialId, person))) throw new AppError('access/not-found');
			return list(principal);
		},
		/** What any admin's passkey has to answer to sign in. */
		askForSignIn: () => proof.ask(ANYBODY, SIGN_IN, []),
		/** Who signs in by their passkey: an admin. Throws `passkey/refused`. */
		async signIn(header: unknown): Promise<number> {
			const response = readPasskeyHeader(header);
			if (!response) throw new AppError('passkey/refused');
			const { person } = await proof.prove(response, ANYBODY, SIGN_IN);
			if (!mayAnywhere(await people.rolesOf(person), 'people')) throw new AppError('passkey/refused');
			return person;
		},
		/** Whether some admin could sign in so. */
		isWay: store.hasAdmin,
	};
}

export type HubPasskeys = ReturnType<typeof createHubPasskeys>;

function demandPerson({ hub, via }: Principal) {
	if (!hub || via !== 'browser') throw new AppError('passkey/browser');
	return hub;
}
