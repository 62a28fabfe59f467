import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDurably } from '#hooks-bridge/disk/write-durably.ts';
import { withCredentials } from '../../access/with-credentials.ts';

const FILE = 'mcp-token';

/**
 * A token that can only read, for the tools of this home: SIGNALBOX_TOKEN where it is set, else one that is minted at
 * the first time (journaled) and kept in the home (0600). A revoked one is not minted anew: somebody meant it.
 */
export async function openViewerToken(
	home: string,
	env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
	const given = env.SIGNALBOX_TOKEN || readToken(home);
	if (given) return given;
	const minted = await withCredentials(home, (credentials) => credentials.mintToken('viewer'));
	const path = join(home, FILE);
	createDurably(path, `${minted}\n`);
	chmodSync(path, 0o600);
	return readToken(home) ?? minted;
}

function readToken(home: string): string | undefined {
	try {
		return readFileSync(join(home, FILE), 'utf8').trim() || undefined;
	} catch {
		return undefined;
	}
}
