import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { AppError } from '#lib/contract/errors.ts';
import type { JournalStore } from '../timeline/store/journal-store.ts';
import { digestOf, isSameSecret } from './principal.ts';

export interface ApprovalLink {
	approvalId: string;
	until: number;
	hash: string;
}

const FORM = /^([\w-]{8,64})\.([0-9a-z]{1,10})\.[\w-]{22}\.([\w-]{43})$/;

/** Signed one-time links to one waiting call; they are no credentials. The key lives as long as the server. */
export function createApprovalLinks(options: {
	journal: Pick<JournalStore, 'append' | 'bySubject'>;
	now: () => number;
}) {
	const { journal, now } = options;
	const key = randomBytes(32);
	const sign = (claim: string) => createHmac('sha256', key).update(`approval link\n${claim}`).digest('base64url');

	return {
		mint({ approvalId, deadline }: { approvalId: string; deadline: string }): string {
			const claim = `${approvalId}.${Date.parse(deadline).toString(36)}.${randomBytes(16).toString('base64url')}`;
			return `${claim}.${sign(claim)}`;
		},
		/** Throws `link/wrong` for another server's link, `link/over` after its call's deadline, `link/used`. */
		read(link: string): ApprovalLink {
			const [, approvalId = '', until36 = '', signature = ''] = FORM.exec(link) ?? [];
			const claim = link.slice(0, link.lastIndexOf('.'));
			if (approvalId === '' || !isSameSecret(signature, sign(claim))) throw new AppError('link/wrong');
			const until = Number.parseInt(until36, 36);
			if (until <= now()) throw new AppError('link/over');
			const hash = digestOf(link);
			if (journal.bySubject(hash).length > 0) throw new AppError('link/used');
			return { approvalId, until, hash };
		},
		/** Consumes the link; of several at once exactly one wins, the others get `link/used`. */
		async use({ approvalId, hash }: ApprovalLink, by: 'browser' | 'passkey'): Promise<void> {
			const payload = { approval: approvalId, by };
			const draft = { id: randomUUID(), kind: 'link:use' as const, subject: hash, payload };
			if (!(await journal.append(draft, ['link:use']))) throw new AppError('link/used');
		},
	};
}

export type ApprovalLinks = ReturnType<typeof createApprovalLinks>;
