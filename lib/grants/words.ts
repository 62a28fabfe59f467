import type { GrantScope } from '../contract/catalogue/approval.ts';
import type { Plain } from '../messages/say.ts';

/** What each scope reaches, in words that follow "for". */
export const scopeWords: Readonly<Record<GrantScope, Plain>> = {
	once: 'the next try',
	session: 'this session',
	project: 'this project',
};
