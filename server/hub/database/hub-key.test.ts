import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RootDocument } from '#lib/contract/hub/hub-wire.ts';
import { changeLevel, dropMembership, readLevel, storeMembership } from '../../edge/membership.ts';
import { createRosterCache } from '../../edge/roster-cache.ts';
import { makeKey, rootFingerprint } from '../../hub-protocol/signatures.ts';
import { keyPathIn, openHubIdentity, storeRootSet } from './hub-key.ts';

let home: string;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), 'hub-key-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const set = { rpId: 'hub.example', rootPasskeys: [{ id: 'one', cose: 'AAAA' }] };
const rootNow = (path?: string) =>
	openHubIdentity({ home, path, origin: 'https://hub.example', name: 'hub.example' }).root;

test('the root document has the passkeys beside the key, in any folder, and codes include its fingerprint', () => {
	const before = rootNow();
	expect(before.v).toBe(1);
	storeRootSet(keyPathIn(home), set);
	const after = rootNow();
	expect(after).toEqual({ ...before, v: 2, ...set });
	expect(rootNow(keyPathIn(home))).toEqual(after);
	expect(rootFingerprint(after)).not.toBe(rootFingerprint(before));
	writeFileSync(join(home, 'hub-root.json'), '{"rpId":"hub.example","rootPasskeys":[]}');
	expect(() => rootNow()).toThrow(/hub-root\.json does not say which passkeys are root/);
});

test('a machine whose code vouched for no root passkey cannot be set to level passkey, accepts no roster, and learns why', async () => {
	const join = (root: RootDocument) => {
		const share = { projects: 'all', content: 'all' } as const;
		const membership = { url: 'https://hub.example', edge: 7, team: 'shop', hub: 'hub.example', share, root };
		storeMembership(home, membership, makeKey().privateKey);
		return membership;
	};
	const before = join(rootNow());
	expect(changeLevel(home, before, 'passkey')).toContain('no root passkey when its code was made');
	expect([changeLevel(home, before, 'hub'), readLevel(home)]).toEqual([null, 'hub']);
	const cache = createRosterCache({ home, membership: before, root: before.root, now: Date.now });
	expect(await cache.acceptRoster({})).toMatchObject({ state: 'refused', why: 'roster/no-root' });
	dropMembership(home);
	storeRootSet(keyPathIn(home), set);
	expect([changeLevel(home, join(rootNow()), 'passkey'), readLevel(home)]).toEqual([null, 'passkey']);
});
