import { closeSync, constants, openSync, writeSync } from 'node:fs';
import type { JournalStore } from '../timeline/store/journal-store.ts';
import { createAccessList } from './access-list.ts';
import { createApprovalLinks } from './approval-links.ts';
import { createAuth } from './auth.ts';
import { createPasskeys } from './passkeys.ts';

/** Everything that lets people sign in. `ended` receives the hash of each sign-in or token that is no longer valid. */
export function openSignIns(options: { journal: JournalStore; url: string; ended: (hash: string) => void }) {
	const { journal, url, ended } = options;
	const now = Date.now;
	const auth = createAuth({ journal, host: new URL(url).hostname, now });
	auth.onSignInClosed(ended);
	const passkeys = createPasskeys({ journal, origin: () => url, print: writeOnTerminal, now });
	const access = createAccessList({
		journal,
		now,
		lastUsed: auth.lastUsed,
		revoked(subject) {
			ended(subject);
			passkeys.forget(subject);
		},
	});
	return { auth, passkeys, access, links: createApprovalLinks({ journal, now }) };
}

/** A terminal that is stopped (Ctrl+S) must not stop the server. */
const WRITING = constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK;

/** Writes on the terminal that started this process, since other programs cannot read it. False without one. */
export function writeOnTerminal(line: string): boolean {
	let terminal: number | undefined;
	try {
		terminal = openSync('/dev/tty', WRITING);
		writeSync(terminal, `${line}\r\n`);
		return true;
	} catch {
		return false;
	} finally {
		if (terminal !== undefined) closeSync(terminal);
	}
}
