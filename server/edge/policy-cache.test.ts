import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findSettings } from '#hooks-bridge/engine/facts.ts';
import { createNodePorts } from '#hooks-bridge/node/node-ports.ts';
import type { RootSignature } from '#lib/contract/hub/hub-commands.ts';
import type { Policy, SignedPolicy } from '#lib/hub/policy.ts';
import { makeKey, policyDigest, signPolicy } from '../hub-protocol/signatures.ts';
import { createLog } from '../process/log.ts';
import { createSoftAuthenticator } from '../testing/soft-authenticator.ts';
import type { JournalStore } from '../timeline/store/journal-store.ts';
import { openSqliteJournal } from '../timeline/store/sqlite-journal.ts';
import { dropMembership } from './membership.ts';
import { createPolicyCache } from './policy-cache.ts';

const ORIGIN = 'https://hub.example';
const DAY = 24 * 3_600_000;
const hub = makeKey();
const authenticator = createSoftAuthenticator({ rpId: 'hub.example', origin: ORIGIN });
const root = {
	...{ v: 2, origin: ORIGIN, name: 'hub.example', key: hub.publicKey, rpId: 'hub.example' },
	rootPasskeys: [{ id: authenticator.id, cose: authenticator.cose }],
} as const;
const membership = {
	...{ url: ORIGIN, edge: 7, team: 'shop', hub: 'hub.example' },
	share: { projects: 'all', content: 'all' },
	root: { ...root, rootPasskeys: [...root.rootPasskeys] },
} as const;

let home: string;
let journal: JournalStore;
let clock: number;
let altered: string[];
beforeEach(async () => {
	home = mkdtempSync(join(tmpdir(), 'policy-'));
	writeFileSync(join(home, 'hub.json'), JSON.stringify(membership));
	journal = await openSqliteJournal(join(home, 'journal.db'));
	clock = Date.now();
	altered = [];
});
afterEach(async () => {
	await journal.close();
	rmSync(home, { recursive: true });
});

const open = (of = membership as Parameters<typeof createPolicyCache>[0]['membership']) =>
	createPolicyCache({
		...{ home, membership: of, journal, now: () => clock, log: createLog(() => undefined) },
		altered: (path) => altered.push(path),
	});
const policyOf = (version: number, body: Policy['body'], days = 30): Policy => ({
	...{ v: 1, team: 'shop', version, body },
	...{ made: new Date(clock).toISOString(), expires: new Date(clock + days * DAY).toISOString() },
});
const byHub = (policy: Policy) => signPolicy(policy, ORIGIN, hub.privateKey);
const byRoot = (policy: Policy, digest = policyDigest(policy, ORIGIN)): SignedPolicy => ({
	...byHub(policy),
	root: authenticator.assert(Buffer.from(digest, 'hex').toString('base64url')) as unknown as RootSignature,
});
/** What a hook of this home goes by, with no server there. */
function inHooks() {
	const ports = createNodePorts({ home, now: () => clock, once: true });
	try {
		return findSettings('', ports);
	} finally {
		ports.close();
	}
}
const file = () => join(home, 'hub-policy.json');
const kinds = () =>
	journal.byKind(['policy:take', 'policy:end', 'policy:refuse'], { limit: 50 }).map(({ kind }) => kind.slice(7));
const NO_RM = { 'commands.exclude': ['rm'] };

test('a policy holds in hooks without a server, until it expires; the journal has when it came and went', async () => {
	const cache = open();
	expect(await cache.acceptPolicy(byHub(policyOf(1, NO_RM)))).toEqual({ state: 'done', journal: 1 });
	expect(inHooks().commands.exclude).toEqual(['rm']);
	expect(await cache.acceptPolicy(byHub(policyOf(2, { ...NO_RM, 'hub.mayDecide': false })))).toMatchObject({
		state: 'done',
	});
	expect([inHooks().hubMayDecide, cache.version(), open().version()]).toEqual([false, 2, 2]);
	clock += 31 * DAY;
	expect(inHooks().commands.exclude).toEqual([]);
	await cache.checkPolicy();
	expect([cache.version(), JSON.parse(readFileSync(file(), 'utf8')).signed]).toEqual([0, null]);
	expect(kinds()).toEqual(['take', 'take', 'end']);
	// What it has seen outlives the policy and the process.
	expect(await open().acceptPolicy(byHub(policyOf(1, NO_RM)))).toMatchObject({
		state: 'refused',
		why: /^version 1 is older/,
	});
});

test('the same policy again changes nothing, and a file that cannot be read is reported', async () => {
	const cache = open();
	const first = byHub(policyOf(1, NO_RM));
	await cache.acceptPolicy(first);
	expect(await cache.acceptPolicy(first)).toEqual({ state: 'done', journal: 0 });
	writeFileSync(file(), '{"signed":');
	expect(inHooks()).toMatchObject({
		problems: ["~/.overtone/hub-policy.json is not as a hub's policy is kept; it is ignored"],
		commands: { exclude: [], unread: expect.stringContaining('hub-policy.json') },
	});
});

test('a machine that leaves is free of the policy at once, and starts without one when it joins again', async () => {
	const cache = open();
	await cache.acceptPolicy(byHub(policyOf(5, NO_RM)));
	dropMembership(home);
	await journal.append({ id: 'left', kind: 'hub:leave', subject: ORIGIN, payload: {} });
	await cache.checkPolicy();
	expect([existsSync(file()), inHooks().commands.exclude, altered]).toEqual([false, [], []]);
	// A server that was not stopped since keeps nothing for a hub that was left.
	expect(await cache.acceptPolicy(byHub(policyOf(6, NO_RM)))).toMatchObject({ state: 'refused', why: 'policy/left' });
	writeFileSync(join(home, 'hub.json'), JSON.stringify({ ...membership, edge: 8 }));
	await cache.checkPolicy();
	expect([existsSync(file()), altered]).toEqual([false, []]);
	writeFileSync(join(home, 'hub.json'), JSON.stringify(membership));
	expect(open().version()).toBe(0);
	expect(await open().acceptPolicy(byHub(policyOf(1, {})))).toMatchObject({ state: 'done' });
});

test.each([
	['emptied', () => writeFileSync(file(), '{"hub":"hub.example","mayLoosen":false,"signed":null}\n')],
	[
		'said to be loosened by a root passkey',
		() => writeFileSync(file(), readFileSync(file(), 'utf8').replace('"mayLoosen": false', '"mayLoosen": true')),
	],
	['removed', () => rmSync(file())],
])(
	'R2068 a policy whose file is %s by another program is restored from the journal, and that is reported',
	async (_how, spoil) => {
		await open().acceptPolicy(byHub(policyOf(1, NO_RM)));
		const before = readFileSync(file(), 'utf8');
		spoil();
		const next = open();
		await next.checkPolicy();
		await next.checkPolicy();
		expect([readFileSync(file(), 'utf8'), altered]).toEqual([before, [file()]]);
	},
);

test('what was taken of a hub that was left is not there after the next join, though the leaving was not written down', async () => {
	await open().acceptPolicy(byHub(policyOf(5, NO_RM)));
	await journal.append({ id: 'joined', kind: 'hub:join', subject: ORIGIN, payload: {} });
	expect(open().version()).toBe(0);
	expect(await open().acceptPolicy(byHub(policyOf(1, {})))).toMatchObject({ state: 'done' });
});

test('R2068 a policy that nobody sent is taken away', async () => {
	writeFileSync(
		file(),
		JSON.stringify({ hub: 'x', mayLoosen: true, signed: byHub(policyOf(1, { 'gates.loop.enabled': false })) }),
	);
	await open().checkPolicy();
	expect([existsSync(file()), altered]).toEqual([false, [file()]]);
});

test('R2066 a root passkey loosens; the hub alone, another passkey, and an answer to another policy do not', async () => {
	const cache = open();
	const loose = { 'gates.routing.enabled': false };
	const other = policyOf(1, { 'gates.loop.enabled': false });
	const outsider = createSoftAuthenticator({ rpId: 'hub.example', origin: ORIGIN });
	const digest = Buffer.from(policyDigest(policyOf(1, loose), ORIGIN), 'hex').toString('base64url');
	const elsewhere = createSoftAuthenticator({ rpId: 'evil.example', origin: 'https://evil.example' });
	for (const signed of [
		byHub(policyOf(1, loose)),
		byRoot(policyOf(1, loose), policyDigest(other, ORIGIN)),
		{ ...byHub(policyOf(1, loose)), root: outsider.assert(digest) },
		{ ...byHub(policyOf(1, loose)), root: { ...elsewhere.assert(digest), id: authenticator.id } },
		{ ...byHub(policyOf(1, loose)), root: { ...byRoot(policyOf(1, loose)).root, response: {} } },
	]) {
		expect(await cache.acceptPolicy(signed)).toMatchObject({ state: 'refused' });
	}
	expect(inHooks().gates.routing.enabled).toBe(true);
	const without = open({ ...membership, root: { v: 1, origin: ORIGIN, name: 'hub', key: hub.publicKey } });
	expect(await without.acceptPolicy(byRoot(policyOf(1, loose)))).toMatchObject({
		why: expect.stringContaining('only a root'),
	});
	expect(await cache.acceptPolicy(byRoot(policyOf(1, { ...loose, ...NO_RM })))).toMatchObject({ state: 'done' });
	expect(inHooks().gates.routing.enabled).toBe(false);
	// Revoked: what the policy loosened is strict again; what it forbids stays forbidden until it expires.
	cache.endMembership();
	await expect.poll(() => inHooks().gates.routing.enabled).toBe(true);
	expect(inHooks().commands.exclude).toEqual(['rm']);
});

test.each([
	[
		'says something else than was signed',
		(one: SignedPolicy) => ({ ...one, policy: { ...one.policy, body: {} } }),
		'the key of the hub',
	],
	[
		'is of another hub',
		({ policy }: SignedPolicy) => signPolicy(policy, 'https://other.example', hub.privateKey),
		'the key of the hub',
	],
	[
		'has a setting that is none',
		(one: SignedPolicy) => ({ ...one, policy: { ...one.policy, body: { 'llm.model': 'x' } } }),
		'it does not fit: policy.body: llm.model is no setting',
	],
	[
		'has a field that is none',
		(one: SignedPolicy) => ({ ...one, policy: { ...one.policy, extra: 1 } }),
		'it does not fit: ',
	],
	[
		'has no version',
		(one: SignedPolicy) => ({ ...one, policy: { ...one.policy, version: 0 } }),
		'it does not fit: policy.version',
	],
	['is no policy', () => 'x', 'it does not fit: '],
])('R2066 a command whose policy %s is refused with that reason, and journaled', async (_what, change, why) => {
	const cache = open();
	const outcome = await cache.acceptPolicy(change(byHub(policyOf(1, NO_RM))));
	expect(outcome).toMatchObject({ state: 'refused', journal: 1, why: expect.stringContaining(why) });
	expect([cache.version(), existsSync(file()), kinds()]).toEqual([0, false, ['refuse']]);
});
