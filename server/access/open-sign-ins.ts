import { closeSync, constants, openSync, writeSync } from 'node:fs';
import type { JournalStore } from '../timeline/store/journal-store.ts';
import { createAccessList } from './access-list.ts';
import { createApprovalLinks } from './approval-links.ts';
import { createAuth } from './auth.ts';
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

/** A terminal that takes nothing just now (stopped by Ctrl+S) must not stop the server. */
const WRITING = constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK;

/**
 * Writes a line on the terminal that this process was started from, wherever its output goes: what is in a file or a pipe
 * every program of the same user can read. False where there is no such terminal, or it does not take the line.
 */
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
