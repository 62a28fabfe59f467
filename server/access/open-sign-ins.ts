import type { JournalStore } from '../timeline/store/journal-store.ts';
import { createAccessList } from './access-list.ts';
import { createApprovalLinks } from './approval-links.ts';
import { createAuth } from './auth.ts';
import { writeOnTerminal } from './own-terminal.ts';
import { createPasskeys } from './passkeys.ts';

/**
 * Everything that lets somebody in, over one journal. `url` is where the pages come from: this home's own host and
 * port. `ended` hears of each sign-in or
 * token that no longer counts, by its hash.
 */
export function openSignIns(options: { journal: JournalStore; url: string; ended: (hash: string) => void }) {
	const { journal, url, ended } = options;
	const now = Date.now;
	const auth = createAuth({ journal, host: new URL(url).hostname, now });
	auth.onLoginClosed(ended);
	const passkeys = createPasskeys({ journal, origin: () => url, print: writeOnTerminal, now });
	const access = createAccessList({
		journal,
		now,
		revoked(subject) {
			ended(subject);
			passkeys.forget(subject);
		},
	});
	return { auth, passkeys, access, links: createApprovalLinks({ journal, now }) };
}
