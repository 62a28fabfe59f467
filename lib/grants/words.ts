import type { GrantScope } from '../contract/events/catalogue/approval.ts';
import type { Plain } from '../messages/say.ts';

/** What each scope reaches, in words that follow "for". */
export const scopeWords = {
	once: 'the next try',
	session: 'this session',
	project: 'this project',
} as const satisfies Record<GrantScope, Plain>;
