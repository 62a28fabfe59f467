import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from 'node:crypto';
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import * as z from 'zod';
import { AppError } from '#lib/contract/errors.ts';
import type { HubPasskeyList } from '#lib/contract/hub/hub-people.ts';
import { mayAnywhere } from '#lib/hub/may.ts';
import { canonicalJson } from '#lib/json/json.ts';
import type { ProvenRequest } from '../../access/passkeys.ts';
import type { Principal } from '../../access/principal.ts';
import { type Challenges, createPasskeyProof, type PasskeyOrigin, readPasskeyHeader } from '../../access/webauthn.ts';
import type { HubCore } from '../core/hub-core.ts';
import { first, isAny, type Query, sql } from '../database/database.ts';
import type { PeopleStore } from './people-store.ts';
import type { SignInStore } from './sign-ins.ts';

/** A person's first passkey needs a fresh sign-in. */
const FRESH_MS = 10 * 60_000;
const MAX_PASSKEYS = 20;

const ENROLMENT = { path: '/api/hub/passkeys' };
const SIGN_IN = { path: '/login/passkey' };
const ANYBODY = 'anybody';

/** Enrolment of one's own passkeys, and sign-in of admins without a provider. Decisions ask for a passkey themselves. */
export function createHubPasskeys(
	hub: HubCore,
	{ people, signIns }: { people: Pick<PeopleStore, 'rolesOf'>; signIns: Pick<SignInStore, 'find'> },
	origin: PasskeyOrigin,
) {
	const store = createPasskeyStore(hub.query);
	const challenges = createSealedChallenges(hub);
	const proof = createPasskeyProof<StoredPasskey>({ passkeys: store, challenges, place: () => origin });

	async function isFresh({ sessionHash }: Principal): Promise<boolean> {
		const [signIn] = await signIns.find([sessionHash]);
		return signIn !== undefined && signIn.since.getTime() > hub.now() - FRESH_MS;
	}

	async function demandProof(principal: Principal, header: unknown, request: ProvenRequest): Promise<void> {
		const { person } = await proof.prove(header, principal.sessionHash, request);
		if (person !== demandPerson(principal).person) throw new AppError('passkey/refused');
	}

	async function list(principal: Principal): Promise<HubPasskeyList> {
		const known = await store.of(demandPerson(principal).person);
		return { passkeys: known.map(({ credentialId: id, label, added }) => ({ id, label, since: added.toISOString() })) };
	}

	return {
		list,
		async challenge(principal: Principal, request: ProvenRequest) {
			const known = await store.of(demandPerson(principal).person);
			return proof.ask(principal.sessionHash, request, known);
		},
		/** Demands a passkey only of those who have one. */
		async demand(principal: Principal, header: unknown, request: ProvenRequest): Promise<void> {
			const { person } = principal.hub ?? {};
			if (person !== undefined && (await store.of(person)).length > 0) await demandProof(principal, header, request);
		},
		async beginEnrolment(principal: Principal) {
			const { person, name } = demandPerson(principal);
			const known = await store.of(person);
			if (known.length >= MAX_PASSKEYS) throw new AppError('passkey/refused');
			if (known.length === 0 && !(await isFresh(principal))) throw new AppError('passkey/stale');
			const user = { id: new Uint8Array(hash('sha256', `${origin.rpId} ${person}`, 'buffer')), name };
			return proof.askToEnrol(principal.sessionHash, { ...ENROLMENT, person }, { user, known, discoverable: true });
		},
		async endEnrolment(principal: Principal, label: string, response: RegistrationResponseJSON) {
			const { person } = demandPerson(principal);
			const made = await proof.endEnrolment(response, principal.sessionHash, { ...ENROLMENT, person });
			if (!(await store.add({ ...made, person, label }))) throw new AppError('passkey/refused');
			return list(principal);
		},
		/** A fresh sign-in is enough, since the passkey may be lost. */
		async revoke(principal: Principal, credentialId: string, header: unknown, request: ProvenRequest) {
			const { person } = demandPerson(principal);
			if (!(await isFresh(principal))) await demandProof(principal, header, request);
			if (!(await store.revoke(credentialId, person))) throw new AppError('access/not-found');
			return list(principal);
		},
		askForSignIn: () => proof.ask(ANYBODY, SIGN_IN, []),
		async signIn(header: unknown): Promise<number> {
			if (!readPasskeyHeader(header)) throw new AppError('passkey/refused');
			const { person } = await proof.prove(header, ANYBODY, SIGN_IN);
			if (!mayAnywhere(await people.rolesOf(person), 'people')) throw new AppError('passkey/refused');
			return person;
		},
		isWay: store.hasAdmin,
	};
}

export type HubPasskeys = ReturnType<typeof createHubPasskeys>;

function demandPerson({ hub, via }: Principal) {
	if (!hub || via !== 'browser') throw new AppError('passkey/browser');
	return hub;
}

interface StoredPasskey {
	credentialId: string;
	person: number;
	publicKey: string;
	counter: number;
	label: string;
	added: Date;
}

const LINE = sql`k.cred_id AS "credentialId", k.person, k.cose AS "publicKey", k.counter, k.label, k.added_at AS added`;

export function createPasskeyStore(query: Query) {
	return {
		of: (person: number) =>
			query<StoredPasskey>`SELECT ${LINE} FROM passkeys k WHERE k.person = ${person} AND k.revoked_at IS NULL
				ORDER BY k.added_at, k.cred_id`,
		find: (credentialId: string): Promise<StoredPasskey | undefined> =>
			first(query<StoredPasskey>`SELECT ${LINE} FROM passkeys k JOIN people p ON p.id = k.person
				WHERE k.cred_id = ${credentialId} AND k.revoked_at IS NULL AND p.disabled_at IS NULL`),
		async add(passkey: Omit<StoredPasskey, 'added'>): Promise<boolean> {
			const { credentialId, person, publicKey, counter, label } = passkey;
			return isAny(query`INSERT INTO passkeys (cred_id, person, cose, counter, label)
				VALUES (${credentialId}, ${person}, ${publicKey}, ${counter}, ${label}) ON CONFLICT DO NOTHING
				RETURNING cred_id`);
		},
		/** False if another answer has already used this counter: one of the two passkeys is a copy. */
		counted: ({ credentialId }: { credentialId: string }, counter: number): Promise<boolean> =>
			isAny(query`UPDATE passkeys SET counter = ${counter} WHERE cred_id = ${credentialId}
				AND (counter < ${counter} OR ${counter}::bigint = 0) RETURNING cred_id`),
		revoke: (credentialId: string, person: number): Promise<boolean> =>
			isAny(query`UPDATE passkeys SET revoked_at = now() WHERE cred_id = ${credentialId}
				AND person = ${person} AND revoked_at IS NULL RETURNING cred_id`),
		hasAdmin: (): Promise<boolean> =>
			isAny(query`SELECT 1 FROM passkeys k JOIN people p ON p.id = k.person JOIN roles r ON r.person = p.id
				WHERE k.revoked_at IS NULL AND p.disabled_at IS NULL AND r.role = 'admin' LIMIT 1`),
	};
}

const LIFE_MS = 2 * 60_000;
const Sealed = z.object({ asker: z.string(), what: z.string(), until: z.number(), nonce: z.string() });

/** Any replica issues and redeems a challenge, once: it is sealed, so that unanswered ones need no storage. */
function createSealedChallenges({ query, identity, now }: HubCore): Challenges {
	const seal = createSeal(identity.privateKey, 'challenge');
	const digestOf = (what: unknown) => hash('sha256', canonicalJson(what));
	return {
		issue: (asker, what) =>
			seal.close({ asker, what: digestOf(what), until: now() + LIFE_MS, nonce: randomBytes(16).toString('base64url') }),
		async redeem(challenge, asker, what) {
			const issued = Sealed.safeParse(seal.open(challenge)).data;
			if (!issued || issued.until < now() || issued.asker !== asker || issued.what !== digestOf(what)) return false;
			await query`DELETE FROM challenges WHERE until < now() - interval '10 minutes'`;
			return isAny(query`INSERT INTO challenges (hash, asker, nonce, until)
				VALUES (${hash('sha256', challenge)}, ${asker}, ${issued.nonce}, to_timestamp(${issued.until}::float8 / 1000))
				ON CONFLICT DO NOTHING RETURNING hash`);
		},
	};
}

const IV = 12;
const TAG = 16;

/** Each `use` has a key of its own, derived from the hub's private key. */
export function createSeal(secret: string, use: string) {
	const key = Buffer.from(hkdfSync('sha256', secret, '', `signalbox ${use}`, 32));
	return {
		close(value: unknown) {
			const iv = randomBytes(IV);
			const cipher = createCipheriv('aes-256-gcm', key, iv);
			const body = Buffer.concat([cipher.update(JSON.stringify(value)), cipher.final()]);
			return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
		},
		open(text: string) {
			try {
				const bytes = Buffer.from(text, 'base64url');
				const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV), { authTagLength: TAG });
				decipher.setAuthTag(bytes.subarray(IV, IV + TAG));
				return JSON.parse(
					Buffer.concat([decipher.update(bytes.subarray(IV + TAG)), decipher.final()]).toString('utf8'),
				);
			} catch {
				return undefined;
			}
		},
	};
}
