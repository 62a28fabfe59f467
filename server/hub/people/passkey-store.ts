import type { Ask } from '../database/database.ts';

/** A passkey of a person, as the database has it. */
export interface StoredPasskey {
	credentialId: string;
	person: number;
	/** COSE, base64url. */
	publicKey: string;
	counter: number;
	label: string;
	added: Date;
}

const LINE = `k.cred_id AS "credentialId", k.person, k.cose AS "publicKey", k.counter, k.label, k.added_at AS added`;

/** The passkeys of a hub's people. */
export function createPasskeyStore(ask: Ask) {
	return {
		/** Those of a person that count, oldest first. */
		of: (person: number) =>
			ask<StoredPasskey>(
				`SELECT ${LINE} FROM passkeys k WHERE k.person = $1 AND k.revoked_at IS NULL ORDER BY k.added_at, k.cred_id`,
				[person],
			),
		/** One that counts, of somebody who has not been switched off. */
		async find(credentialId: string): Promise<StoredPasskey | undefined> {
			const [found] = await ask<StoredPasskey>(
				`SELECT ${LINE} FROM passkeys k JOIN people p ON p.id = k.person
				WHERE k.cred_id = $1 AND k.revoked_at IS NULL AND p.disabled_at IS NULL`,
				[credentialId],
			);
			return found;
		},
		/** False: it is enrolled already, or was, and was taken away. */
		async add(passkey: Omit<StoredPasskey, 'added'>): Promise<boolean> {
			const { credentialId, person, publicKey, counter, label } = passkey;
			const made = await ask(
				`INSERT INTO passkeys (cred_id, person, cose, counter, label) VALUES ($1, $2, $3, $4, $5)
				ON CONFLICT DO NOTHING RETURNING cred_id`,
				[credentialId, person, publicKey, counter, label],
			);
			return made.length > 0;
		},
		/** The authenticator's own count has risen; false where another answer has raised it as far: one of two is a copy. */
		async counted({ credentialId }: { credentialId: string }, counter: number): Promise<boolean> {
			const raised = await ask(
				'UPDATE passkeys SET counter = $2 WHERE cred_id = $1 AND (counter < $2 OR $2 = 0) RETURNING cred_id',
				[credentialId, counter],
			);
			return raised.length > 0;
		},
		/** Takes one of a person's away for good; false where there is none. */
		async revoke(credentialId: string, person: number): Promise<boolean> {
			const gone = await ask(
				'UPDATE passkeys SET revoked_at = now() WHERE cred_id = $1 AND person = $2 AND revoked_at IS NULL RETURNING cred_id',
				[credentialId, person],
			);
			return gone.length > 0;
		},
		/** Whether an admin has one: then there is a way in without a provider. */
		async hasAdmin(): Promise<boolean> {
			const found = await ask(
				`SELECT 1 FROM passkeys k JOIN people p ON p.id = k.person JOIN roles r ON r.person = p.id
				WHERE k.revoked_at IS NULL AND p.disabled_at IS NULL AND r.role = 'admin' LIMIT 1`,
			);
			return found.length > 0;
		},
	};
}

export type PasskeyStore = ReturnType<typeof createPasskeyStore>;
