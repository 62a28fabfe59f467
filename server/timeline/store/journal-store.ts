import type { JournalHead } from '#lib/contract/health/audit.ts';

/** The kinds of rows in the journal; `approval:*`, `grant:*`, `alarm:*` and `note:*` are also published to the timeline. */
export type JournalKind =
	| 'approval:request'
	| 'approval:resolve'
	| 'approval:expire'
	| 'approval:abandon'
	| 'approval:late'
	| 'grant:create'
	| 'grant:use'
	| 'grant:revoke'
	| 'grant:expire'
	| 'alarm:acknowledge'
	| 'alarm:snooze'
	| 'note:add'
	| 'link:mint'
	| 'link:use'
	| 'login:open'
	| 'login:close'
	| 'token:mint'
	| 'token:revoke'
	| 'passkey:enrol'
	| 'passkey:revoke'
	| 'setting:change'
	/** This home was joined to a hub, or left it; its subject is the hub's address. */
	| 'hub:join'
	| 'hub:leave'
	| 'hub:level'
	/** A hub's policy was accepted, ended or refused; the subject is the hub's address (`policy-cache.ts`). */
	| 'policy:take'
	| 'policy:end'
	| 'policy:refuse'
	/** The retention removes an archive, or files of an archived session. */
	| 'archive:prune'
	/** Fields of an earlier row were removed; the subject is `row:N`. */
	| 'journal:redact'
	/** Where the journal continues after a loss; the payload is a `JournalBreak`. */
	| 'journal:follow';

export interface JournalDraft {
	/** Becomes the id of the timeline event if the kind is published. */
	id: string;
	kind: JournalKind;
	/** What the row is about: approval id, grant id, or the SHA-256 of a token. Rows of one subject are its history. */
	subject: string;
	sessionId?: string;
	payload: Record<string, unknown>;
}

export interface JournalRow extends JournalDraft {
	/** Rising; the order of decisions. */
	n: number;
	/** ISO, set at the write. */
	ts: string;
	/** Names of removed fields of the payload. */
	redacted?: readonly string[];
}

/**
 * Who decided: append-only, `synchronous=FULL`, never rebuilt. A worker writes, since a durable commit takes up to 74 ms; reads
 * are synchronous.
 */
export interface JournalStore {
	/**
	 * Resolves when the row is durable. `unlessSubjectHas` makes it a compare-and-swap: if the subject already has a row of one
	 * of those kinds, nothing is written and it resolves to null (one link use, one decision).
	 */
	append(draft: JournalDraft, unlessSubjectHas?: readonly JournalKind[]): Promise<JournalRow | null>;
	/** The history of one subject, oldest first. */
	bySubject(subject: string): JournalRow[];
	/** The history of every subject that begins with these hexadecimal digits, oldest first. */
	bySubjectStart(start: string): JournalRow[];
	byKind(kinds: readonly JournalKind[], options: { sinceMs?: number; limit: number }): JournalRow[];
	/** Rows of a kind without an ending row for their subject, oldest first; the newest `limit` of them. */
	openRows(kind: JournalKind, end: JournalKind, limit: number): JournalRow[];
	has(id: string): boolean;
	/** The row of an id, to verify a timeline line. */
	find(id: string): JournalRow | undefined;
	/** Rows of published kinds that the timeline lacks (the outbox), oldest first. */
	unpublished(limit: number): JournalRow[];
	markPublished(n: number): Promise<void>;
	/** Number and hash of the last row; null if there is none. */
	head(): JournalHead | null;
	/** The file is damaged because of `reason`: nothing more is written. The next start repairs it. */
	distrust(reason: string): void;
	/** Why nothing is written; null if all is well. */
	distrusted(): string | null;
	close(): Promise<void>;
}
