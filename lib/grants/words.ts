import type { GrantScope } from '../contract/catalogue/approval.ts';

/** What each scope reaches, in words that follow "for". */
export const scopeWords: Readonly<Record<GrantScope, string>> = {
	once: 'the next try',
	session: 'this session',
	project: 'this project',
};
