import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import * as z from 'zod';
import { AppError } from '#lib/contract/errors.ts';
import { canonicalJson } from '#lib/json/json.ts';
import type { JournalStore } from '../timeline/store/journal-store.ts';
import { BASE_HOST } from './own-host.ts';
import { digestOf, isSameSecret, type Principal } from './principal.ts';
import { createPasskeyProof } from './webauthn.ts';

export interface ProvenRequest {
	path: string;
	body: unknown;
}

/** Who a challenge is for: a sign-in, or a link that has none yet. */
type Asker = Pick<Principal, 'via' | 'sessionHash'>;

const ENROLMENT = { path: '/api/passkeys', body: null };

/**
 * Passkeys over the journal. A challenge is the hash of the exact request, used once and bound to the sign-in; user verification
 * is always required. Methods throw AppError `passkey/...`.
 */
export function createPasskeys(options: {
	journal: JournalStore;
	origin: () => string;
	print: (line: string) => boolean;
	now: () => number;
}) {
	const { journal, origin, print, now } = options;
	const registry = createPasskeyRegistry(journal);
	const code = createEnrolmentCode(print, now);
	const proof = createPasskeyProof({
		passkeys: registry,
		challenges: createChallenges(now),
		place: () => ({ origin: origin(), rpId: BASE_HOST }),
	});
	const enrolling = new Set<string>();

	function demandBrowser({ via }: Asker): void {
		if (via !== 'browser') throw new AppError('passkey/browser');
	}

	return {
		list: registry.list,
		forget: registry.forget,
		/** The passkey's name. Throws unless the header has a fresh answer of an enrolled passkey to exactly this request. */
		async prove(header: unknown, principal: Asker, request: ProvenRequest): Promise<string> {
			demandBrowser(principal);
			return (await proof.prove(header, principal.sessionHash, request)).name;
		},
		/** Shows a code on the server's terminal, only while there is no passkey: later ones need an existing one. */
		showCode(principal: Principal): void {
			demandBrowser(principal);
			if (registry.list().length > 0) throw new AppError('passkey/needed');
			code.show();
		},
		async challenge(principal: Asker, request: ProvenRequest) {
			demandBrowser(principal);
			return proof.ask(principal.sessionHash, request, registry.list());
		},
		/** `given`: the terminal's code for the first passkey; for later ones a passkey was checked before. */
		async beginEnrolment(principal: Principal, given: string | undefined) {
			demandBrowser(principal);
			const known = registry.list();
			if (known.length === 0 && !code.redeem(given ?? '')) throw new AppError('passkey/code');
			enrolling.add(principal.sessionHash);
			const user = { id: new Uint8Array(Buffer.from(digestOf(BASE_HOST), 'hex')), name: 'operator' };
			return proof.askToEnrol(principal.sessionHash, ENROLMENT, { user, known });
		},
		async endEnrolment(principal: Principal, name: string, response: RegistrationResponseJSON): Promise<void> {
			demandBrowser(principal);
			if (!enrolling.delete(principal.sessionHash)) throw new AppError('passkey/refused');
			const made = await proof.endEnrolment(response, principal.sessionHash, ENROLMENT);
			if (!(await registry.enrol({ ...made, name })))
				throw new AppError('passkey/refused', 'This passkey is enrolled already.');
		},
	};
}

export type Passkeys = ReturnType<typeof createPasskeys>;

const Enrolled = z.object({
	credentialId: z.string(),
	publicKey: z.string(),
	counter: z.number(),
	transports: z.array(z.string()).optional(),
	deviceType: z.string(),
	name: z.string(),
});
type Passkey = z.infer<typeof Enrolled> & { subject: string; since: string };

const MAX_PASSKEYS = 100;

/** Reads the journal when the server starts. Rows that another program writes or removes later are ignored. */
function createPasskeyRegistry(journal: JournalStore) {
	const counters = new Map<string, number>();
	let known = journal.byKind(['passkey:enrol'], { limit: MAX_PASSKEYS }).flatMap(({ subject, ts, payload }) => {
		const read = Enrolled.safeParse(payload);
		const isGone = journal.bySubject(subject).some(({ kind }) => kind === 'passkey:revoke');
		return read.success && !isGone ? [{ ...read.data, subject, since: ts }] : [];
	});
	const list = (): Passkey[] =>
		known.map((one) => ({ ...one, counter: Math.max(one.counter, counters.get(one.subject) ?? 0) }));

	return {
		list,
		find: (credentialId: string) => list().find((passkey) => passkey.credentialId === credentialId),
		/** False: this passkey is enrolled already. */
		async enrol(passkey: z.infer<typeof Enrolled>): Promise<boolean> {
			const subject = digestOf(passkey.credentialId);
			const draft = { id: randomUUID(), kind: 'passkey:enrol' as const, subject, payload: passkey };
			const row = await journal.append(draft, ['passkey:enrol']);
			if (row) known = [...known, { ...passkey, subject, since: row.ts }];
			return row !== null;
		},
		counted({ subject }: Passkey, counter: number): true {
			counters.set(subject, counter);
			return true;
		},
		forget(subject: string): void {
			known = known.filter((one) => one.subject !== subject);
		},
	};
}

const CODE_LIFE_MS = 10 * 60_000;
const MAX_TRIES = 5;
/** No letters that look like others. */
const LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';

/** A code that is shown on the server's terminal only: a web page or a borrowed cookie cannot read it. */
function createEnrolmentCode(print: (line: string) => boolean, now: () => number) {
	let current: { code: string; until: number; tries: number } | null = null;
	return {
		show() {
			const code = Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
			const shown = `${code.slice(0, 4)}-${code.slice(4)}`;
			const line = `Code for the first passkey: ${shown} (asked for in a browser; good for 10 minutes)`;
			if (!print(line)) throw new AppError('passkey/terminal');
			current = { code, until: now() + CODE_LIFE_MS, tries: 0 };
		},
		redeem(code: string): boolean {
			if (!current || current.until < now()) return false;
			current.tries += 1;
			const isRight = isSameSecret(code.replaceAll(/[\s-]/g, '').toUpperCase(), current.code);
			if (isRight || current.tries >= MAX_TRIES) current = null;
			return isRight;
		},
	};
}

const CHALLENGE_LIFE_MS = 2 * 60_000;
const MAX_OPEN = 1000;
/** Challenges of one sign-in or link: one that requests many does not use up those of others. */
const MAX_OPEN_PER_SIGN_IN = 20;

/** Challenges in the memory of this process: base64url of SHA-256 over the request and a fresh nonce. */
export function createChallenges(now: () => number) {
	const open = new Map<string, { nonce: string; sessionHash: string; until: number }>();

	const challengeOf = (nonce: string, sessionHash: string, what: unknown): string =>
		createHash('sha256').update(canonicalJson({ nonce, sessionHash, what })).digest('base64url');

	return {
		issue(sessionHash: string, what: unknown): string {
			const nonce = randomBytes(32).toString('base64url');
			const challenge = challengeOf(nonce, sessionHash, what);
			const mine = [...open].filter(([, one]) => one.sessionHash === sessionHash);
			const [oldestOfMine] = mine;
			if (oldestOfMine && mine.length >= MAX_OPEN_PER_SIGN_IN) open.delete(oldestOfMine[0]);
			open.set(challenge, { nonce, sessionHash, until: now() + CHALLENGE_LIFE_MS });
			const [oldest] = open.keys();
			if (oldest !== undefined && open.size > MAX_OPEN) open.delete(oldest);
			return challenge;
		},
		redeem(challenge: string, sessionHash: string, what: unknown): boolean {
			const issued = open.get(challenge);
			open.delete(challenge);
			if (!issued || issued.until < now() || issued.sessionHash !== sessionHash) return false;
			return challengeOf(issued.nonce, sessionHash, what) === challenge;
		},
	};
}
