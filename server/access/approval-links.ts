import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { AppError } from '#lib/contract/errors.ts';
import type { JournalStore } from '../timeline/store/journal-store.ts';
import { digestOf, isSameSecret } from './principal.ts';

/** What a link says, once its signature was found right. */
export interface ApprovalLink {
	approvalId: string;
	/** Milliseconds since the epoch: the call's deadline. */
	until: number;
	/** SHA-256 of the link: the subject of its row, and whom its challenge is for. */
	hash: string;
}

/**
 * Signed links that lead to one waiting call, and nowhere else. A link is no credential: it says which call, once.
 * The key lives as long as the server, as the calls that wait do, and is in no file.
 */
export interface ApprovalLinks {
	/** `deadline` is the call's, ISO. Each link is another one. */
	mint(question: { approvalId: string; deadline: string }): string;
	/** Throws `link/wrong` unless it is ours to the letter, `link/over` after its call's deadline, `link/used`. */
	read(link: string): ApprovalLink;
	/** Uses it up; of several at once exactly one wins, the others get `link/used`. */
	use(link: ApprovalLink, by: 'browser' | 'passkey'): Promise<void>;
}

const FORM = /^([\w-]{8,64})\.([0-9a-z]{1,10})\.[\w-]{22}\.([\w-]{43})$/;

/** `now` in milliseconds since the epoch. */
export function createApprovalLinks(options: {
	journal: Pick<JournalStore, 'append' | 'bySubject'>;
	now: () => number;
}): ApprovalLinks {
	const { journal, now } = options;
	const key = randomBytes(32);
	const sign = (claim: string) => createHmac('sha256', key).update(`approval link\n${claim}`).digest('base64url');

	return {
		mint({ approvalId, deadline }) {
			const claim = `${approvalId}.${Date.parse(deadline).toString(36)}.${randomBytes(16).toString('base64url')}`;
			return `${claim}.${sign(claim)}`;
		},
		read(link) {
			const [, approvalId = '', until36 = '', signature = ''] = FORM.exec(link) ?? [];
			const claim = link.slice(0, link.lastIndexOf('.'));
			if (approvalId === '' || !isSameSecret(signature, sign(claim))) throw new AppError('link/wrong');
			const until = Number.parseInt(until36, 36);
			if (until <= now()) throw new AppError('link/over');
			const hash = digestOf(link);
			if (journal.bySubject(hash).length > 0) throw new AppError('link/used');
			return { approvalId, until, hash };
		},
		async use({ approvalId, hash }, by) {
			const draft = {
				id: randomUUID(),
				kind: 'link:use' as const,
				subject: hash,
				payload: { approval: approvalId, by },
			};
			if (!(await journal.append(draft, ['link:use']))) throw new AppError('link/used');
		},
	};
}
