import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeKey, rootFingerprint } from '../hub-protocol/signatures.ts';
import { dispatch } from './dispatch.ts';

test('what a hub calls itself and its team does nothing on the terminal that joins it', async () => {
	const home = mkdtempSync(join(tmpdir(), 'signalbox-edge-'));
	const hostile = '\u001b[2J\u001b[31mevil\nJoined safe\u202e';
	let root = {};
	const hub = http.createServer((_request, response) => {
		response.end(JSON.stringify({ edge: 1, team: hostile, root }));
	});
	await new Promise<void>((resolve) => hub.listen(0, '127.0.0.1', resolve));
	try {
		const origin = `http://127.0.0.1:${(hub.address() as AddressInfo).port}`;
		const identity = { v: 1 as const, origin, name: hostile, key: makeKey().publicKey };
		root = identity;
		const out: string[] = [];
		const print = (line: string) => void out.push(line);
		const code = `${'A'.repeat(26)}#${rootFingerprint(identity)}`;
		const terminal = { env: { HOME: home, OVERTONE_HOME: home }, cwd: home, print, say: print };
		expect(await dispatch(['join', origin, code, '--all', '--name', 'laptop'], terminal)).toBe(0);
		expect(out[0]).toBe('Joined evil Joined safe as laptop, edge 1 of evil Joined safe.');
	} finally {
		hub.close();
		rmSync(home, { recursive: true, force: true });
	}
});
