import { createHmac, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { CLOSE } from '#lib/contract/hub/hub-wire.ts';
import { dispatch } from '../../cli/dispatch.ts';
import { readMembership } from '../../edge/membership.ts';
import { makeKey, rootFingerprint } from '../../hub-protocol/signatures.ts';
import { freePort } from '../../process/free-port.ts';
import { createLog } from '../../process/log.ts';
import { asLine, createTimelineRig, samplePrompt } from '../../testing/timeline-rig.ts';
import { openHubIdentity } from '../database/hub-key.ts';
import { type HubServer, startHub } from '../replica/hub-server.ts';
import { openStore, storyOf } from '../testing/hub-rig.ts';
import { postgresPrograms, startPostgres } from '../testing/postgres-cluster.ts';
import { startReplica } from '../testing/replica-rig.ts';
import { sharedDatabases } from '../testing/shared-databases.ts';
import { connectEdge, joinMachine } from '../testing/simulated-edge.ts';
import { type JobClaims, type StandInIssuer, startStandInIssuer } from '../testing/stand-in-issuer.ts';
import { type CiRules, createCiRules } from './ci-join.ts';
import { createEdgeStore, type EdgeStore } from './edge-store.ts';

const AUDIENCE = 'https://hub.example';
const log = createLog(() => undefined);
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe.runIf(postgresPrograms !== undefined)('machines of CI jobs', () => {
	const home = mkdtempSync(join(tmpdir(), 'signalbox-hub-'));
	const newDatabase = sharedDatabases();
	let issuer: StandInIssuer;
	let databaseUrl: string;
	let hub: HubServer;
	let seen: ReturnType<typeof openStore>;
	let edges: EdgeStore;
	let rules: CiRules;
	let url: string;
	let root: string;
	afterAll(() => rmSync(home, { recursive: true, force: true }));
	beforeEach(async () => {
		issuer = await startStandInIssuer();
		databaseUrl = await newDatabase();
		seen = openStore(databaseUrl);
		edges = createEdgeStore(seen.database.query);
		rules = createCiRules(seen.database.query);
		const port = await freePort();
		url = `http://127.0.0.1:${port}`;
		const identity = openHubIdentity({ home, path: undefined, origin: url, name: new URL(url).host });
		root = rootFingerprint(identity.root);
		hub = await startHub({ databaseUrl, identity, host: '127.0.0.1', port, log });
		await ruleFor({});
		return async () => {
			await hub.drain();
			await seen.store.close();
			await issuer.stop();
		};
	});

	const ruleFor = (other: Partial<Parameters<CiRules['add']>[0]>) =>
		rules.add({
			...{ team: 'shop', maker: 'github' as const, issuer: issuer.issuer, audience: AUDIENCE, repository: 'org/shop' },
			...other,
		});
	const tokenOf = (claims: JobClaims = {}) => issuer.tokenOf(claims);
	const count = async (table: string) =>
		(await seen.database.query<{ count: number }>(`SELECT count(*) FROM ${table}`))[0]?.count;

	/** Asks as a job does, with a key of its own unless there is one; gives the status and what was said. */
	async function asks(token: string, { key = makeKey(), at = url } = {}) {
		const body = JSON.stringify({ token, key: key.publicKey, name: 'job', version: '0' });
		const answer = await fetch(`${at}/edge/join`, { method: 'POST', body });
		const joined = (await answer.json()) as { edge?: number; team?: string; error?: string };
		return { status: answer.status, ...joined, machine: machineOf(joined.edge ?? 0, key.privateKey) };
	}
	const machineOf = (edge: number, privateKey: string) => ({ edge, privateKey, counter: 0, journal: null });

	async function run(env: Record<string, string>, ...args: string[]) {
		const out: string[] = [];
		const err: string[] = [];
		const code = await dispatch(args, {
			...{ env: { HOME: home, ...env }, cwd: env.OVERTONE_HOME ?? home },
			print: (line) => void out.push(line),
			say: (line) => void err.push(line),
		});
		return { code, out: out.join('\n'), err: err.join('\n') };
	}

	test('a job joins by its own identity at the hub that its pipeline names, pushes, and its exit code says whether all was sent', async () => {
		await ruleFor({ audience: url });
		const rig = createTimelineRig();
		rig.append('s1', asLine(samplePrompt('s1', 1)));
		const env = { OVERTONE_HOME: rig.home, ...issuer.env };
		const joined = await run(env, 'join', `${url}#${root}`, '--ci', '--all');
		expect(joined).toMatchObject({ code: 0, out: expect.stringContaining('as Org/Shop 99, edge 1 of shop') });
		expect(readMembership(rig.home)).toMatchObject({ url, edge: 1, team: 'shop' });
		expect(await edges.list()).toMatchObject([{ name: 'Org/Shop 99', status: 'joined', labels: ['ci', 'org/shop'] }]);
		expect(await run(env, 'push', '--wait', '30')).toMatchObject({ code: 0 });
		expect(await count('events')).toBe(1);
		await edges.setStatus(1, 'revoked');
		rig.append('s1', asLine(samplePrompt('s1', 2)));
		expect(await run(env, 'push', '--wait', '30')).toMatchObject({
			...{ code: 1, err: expect.stringContaining('does not have everything') },
		});
	});

	test('R2217 what is not exactly a token of a named repository, for this hub and signed by its issuer now, lets nobody in', async () => {
		const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
		const outsider = await startStandInIssuer();
		const good = await tokenOf();
		const [header = '', payload = '', signature = ''] = good.split('.');
		const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Record<string, unknown>;
		const pem = issuer.publicKey.export({ type: 'spki', format: 'pem' });
		const shared = `${encoded({ alg: 'HS256', kid: 'one' })}.${payload}`;
		const past = Math.floor(Date.now() / 1000) - 400;
		const tries: [what: string, token: string | Promise<string>, why: string][] = [
			['an issuer that no rule names', outsider.tokenOf({}), 'knows no issuer'],
			['another issuer in the name of this one', outsider.tokenOf({ iss: issuer.issuer }), 'not signed'],
			['an issuer that is almost this one', tokenOf({ iss: `${issuer.issuer}/` }), 'knows no issuer'],
			['another audience', tokenOf({ aud: 'https://other.example' }), 'another audience'],
			['no audience', tokenOf({ aud: undefined }), 'another audience'],
			['another repository', tokenOf({ repository: 'org/other' }), 'takes in jobs of "org/other"'],
			['a longer name', tokenOf({ repository: 'org/shop2' }), 'takes in jobs of'],
			['no repository', tokenOf({ repository: undefined }), 'takes in jobs of "no repository"'],
			['a list of repositories', tokenOf({ repository: ['org/shop'] }), 'takes in jobs of'],
			['the claim of another maker', tokenOf({ repository: undefined, project_path: 'org/shop' }), 'takes in jobs of'],
			['expired', tokenOf({ iat: past, nbf: past, exp: past + 300 }), 'expired'],
			['without an end', tokenOf({ exp: undefined }), 'its claim "exp"'],
			['not yet', tokenOf({ nbf: past + 4000 }), 'its claim "nbf"'],
			['without a number', tokenOf({ jti: undefined }), 'its claim "jti"'],
			['with an empty number', tokenOf({ jti: '' }), 'its claim "jti"'],
			['good for all time', tokenOf({ exp: 1e15 }), 'its claim "exp"'],
			['another key of the same name', issuer.tokenOf({}, { key: other }), 'not signed'],
			['a key that the issuer does not have', issuer.tokenOf({}, { key: other, kid: 'two' }), 'not signed'],
			['no signature', `${encoded({ alg: 'none' })}.${payload}.`, 'not signed'],
			['no signature, by the usual name', `${header}.${payload}.`, 'not signed'],
			[
				'the public key as a secret',
				`${shared}.${createHmac('sha256', pem).update(shared).digest('base64url')}`,
				'not signed',
			],
			['other claims', `${header}.${encoded({ ...claims, ref: 'refs/heads/x' })}.${signature}`, 'not signed'],
			['no JSON', 'a.b.c', 'no token of a CI job'],
		];
		for (const [what, token, why] of tries)
			expect([what, await asks(await token)]).toMatchObject([
				what,
				{ status: 403, error: expect.stringContaining(why) },
			]);
		for (const token of ['', 'x', `${'a'.repeat(13_000)}.b.c`]) expect((await asks(token)).status).toBe(400);
		expect(outsider.asked, 'nobody else has the hub ask anywhere').toEqual([]);
		expect([await count('edges'), await count('ci_tokens')]).toEqual([0, 0]);
		expect(await asks(good)).toMatchObject({ status: 200, team: 'shop' });
		await outsider.stop();
	});

	test('R2217 a rule by number takes in that repository under any name and no other; one of GitLab goes by its claims', async () => {
		await ruleFor({ repository: '815', team: 'numbers' });
		await ruleFor({ maker: 'gitlab', repository: 'Group/Sub/Web', team: 'web', audience: 'gitlab' });
		expect(await asks(await tokenOf({ repository: 'org/renamed', repository_id: '815' }))).toMatchObject({
			...{ status: 200, team: 'numbers' },
		});
		expect((await asks(await tokenOf({ repository: '815' }))).status).toBe(403);
		const ofGitLab = { repository: undefined, project_path: 'group/sub/web', project_id: '7' };
		expect(await asks(await tokenOf({ ...ofGitLab, aud: ['x', 'gitlab'] }))).toMatchObject({
			status: 200,
			team: 'web',
		});
		expect((await asks(await tokenOf(ofGitLab))).status, 'the audience of another rule').toBe(403);
	});

	test('while the keys of the issuer are unavailable, a job is asked to retry, and gets in once they are available', async () => {
		const token = await tokenOf();
		issuer.away(true);
		expect(await asks(token)).toMatchObject({ status: 503, error: expect.stringContaining('it answered 500') });
		issuer.away(false);
		for (const by of [
			{ issuer: 'https://other.example' },
			{ jwks_uri: 'http://keys.example/keys' },
			{ jwks_uri: 'file:///etc/passwd' },
			{ jwks_uri: `${issuer.issuer}/none` },
		]) {
			issuer.describe(by);
			expect([by, (await asks(token)).status]).toEqual([by, 503]);
		}
		issuer.describe({});
		expect((await asks(token)).status).toBe(200);
	});

	test('R2257 who runs an issuer leads the hub to nothing else on its own machine, and keeps it from nothing by how much it answers', async () => {
		const other = await startStandInIssuer();
		const token = await other.tokenOf({ iss: issuer.issuer });
		issuer.describe({ jwks_uri: `${other.issuer}/keys` });
		expect(await asks(token)).toMatchObject({ status: 503, error: expect.stringContaining('cannot be asked') });
		expect(other.asked).toEqual([]);
		await other.stop();
		issuer.describe({});
		issuer.pad(2 * 1024 * 1024);
		expect((await asks(await tokenOf())).status).toBe(503);
		issuer.pad(1000);
		expect((await asks(await tokenOf())).status).toBe(200);
	});

	test('R2219 a token lets one machine in, however many ask by it at once; one that failed for its key may try again', async () => {
		const token = await tokenOf();
		const answers = await Promise.all(Array.from({ length: 8 }, () => asks(token)));
		expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(403)]);
		expect(answers.find(({ status }) => status === 403)?.error).toContain('joined by this token of the job already');
		const key = makeKey();
		expect((await asks(await tokenOf(), { key })).status).toBe(200);
		const again = await tokenOf();
		expect([(await asks(again, { key })).status, (await asks(again)).status]).toEqual([409, 200]);
		await seen.database.query("UPDATE ci_tokens SET until = now() - interval '2 hours'");
		await asks(await tokenOf());
		expect(await count('ci_tokens'), 'what nobody takes any more is not kept').toBe(1);
	});

	test('R2220 the machine of a job is gone after a day of silence and what it sent stays; one that speaks, or joined by a code, is not', async () => {
		const [gone, alive] = [await asks(await tokenOf()), await asks(await tokenOf())];
		const coded = await joinMachine(url, await edges.mintCode('shop', 1, 10));
		const first = connectEdge(url, gone.machine);
		await first.welcomed;
		await first.open(['s1']);
		await first.push('s1', storyOf('s1', 2));
		first.stop();
		await first.closed;
		const ids = [gone.machine.edge, coded.edge];
		await seen.database.query("UPDATE edges SET seen_at = now() - interval '25 hours' WHERE id = ANY ($1)", [ids]);
		await edges.endSilent();
		const statuses = Object.fromEntries((await edges.list()).map(({ id, status, reason }) => [id, [status, reason]]));
		expect(statuses).toEqual({
			[gone.machine.edge]: ['revoked', 'It was the machine of a CI job, and nothing was heard of it for a day.'],
			[alive.machine.edge]: ['joined', null],
			[coded.edge]: ['joined', null],
		});
		expect(await connectEdge(url, gone.machine).closed).toMatchObject({ code: CLOSE.revoked });
		expect(await count('events')).toBe(4);
		await seen.database.query("UPDATE edges SET joined_at = now() - interval '25 hours'");
		await edges.endSilent();
		expect((await edges.list()).find(({ id }) => id === alive.machine.edge)?.status, 'never heard of').toBe('revoked');
	});

	test('what a job’s machine had acknowledged survives a crash of the database in that moment', async () => {
		const cluster = await startPostgres();
		const at = await cluster.database();
		const replica = await startReplica(at);
		const { query } = replica.seen.database;
		const rule = { team: 'shop', maker: 'github' as const, audience: AUDIENCE, repository: 'org/shop' };
		await createCiRules(query).add({ ...rule, issuer: issuer.issuer });
		for (let n = 1; n <= 3; n += 1) {
			const { machine } = await asks(await tokenOf(), { at: replica.url });
			const edge = connectEdge(replica.url, machine);
			await edge.welcomed;
			await edge.open(['s1']);
			await edge.push('s1', storyOf('s1', 2));
			await cluster.crash();
			edge.stop();
			await cluster.start();
			const fresh = openStore(at);
			expect(await fresh.database.query('SELECT 1 FROM events')).toHaveLength(4 * n);
			await fresh.store.close();
		}
		await replica.stop();
		await cluster.remove();
	});

	test('R2222 a job that cannot join says what its pipeline lacks, keeps nothing, and prints no control characters of a hub', async () => {
		const at = mkdtempSync(join(tmpdir(), 'signalbox-edge-'));
		const env = { ...issuer.env, OVERTONE_HOME: at };
		const { ACTIONS_ID_TOKEN_REQUEST_URL: _, ...noUrl } = env;
		const { GITHUB_ACTIONS: __, ...elsewhere } = noUrl;
		const address = `${url}#${root}`;
		for (const [of, args, code, why] of [
			[env, [url, '--ci'], 1, 'with its fingerprint'],
			[env, [`${url}#${root.slice(1)}`, '--ci'], 1, 'with its fingerprint'],
			[env, [`http://hub.example#${root}`, '--ci'], 1, 'by https'],
			[env, [address], 2, '--ci instead of a code'],
			[env, [address, 'CODE', '--ci'], 2, '--ci instead of a code'],
			[noUrl, [address, '--ci'], 1, 'id-token: write'],
			[elsewhere, [address, '--ci'], 1, 'SIGNALBOX_ID_TOKEN'],
			[{ ...env, ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'x' }, [address, '--ci'], 1, 'no token: it answered 404'],
			[env, [address, '--ci'], 1, 'for another audience'],
			[env, [address, '--ci', '--audience', AUDIENCE], 0, ''],
		] as const) {
			const { out, ...end } = await run(of, 'join', ...args, '--all');
			expect([args, end]).toMatchObject([args, { code, err: expect.stringContaining(why) }]);
			if (code !== 0) expect(readMembership(at)).toBeUndefined();
		}
		const other = mkdtempSync(join(tmpdir(), 'signalbox-edge-'));
		const ofGitLab = { OVERTONE_HOME: other, SIGNALBOX_ID_TOKEN: await tokenOf() };
		const wrong = await run(ofGitLab, 'join', `${url}#${'0'.repeat(32)}`, '--ci', '--all');
		expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('not the hub whose fingerprint') });
		expect(readMembership(other)).toBeUndefined();
		const hostile = { OVERTONE_HOME: other, SIGNALBOX_ID_TOKEN: await tokenOf({ repository: 'a\u001b[31m\nb' }) };
		const { err } = await run(hostile, 'join', address, '--ci', '--all');
		expect(err).toContain('takes in jobs of');
		// biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
		expect(err).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
		for (const folder of [at, other]) rmSync(folder, { recursive: true, force: true });
	});

	test('a terminal of the hub says which repositories’ jobs join which team, and prints the line for the pipeline', async () => {
		const env = { OVERTONE_HOME: home, SIGNALBOX_DATABASE_URL: databaseUrl };
		const ci = (...args: string[]) => run(env, 'hub', 'ci', ...args);
		await rules.remove(1);
		const add = (...args: string[]) => ci('add', ...args, '--url', url, '--team', 'shop');
		const made = await add('github', '--repository', 'Org/Web');
		expect(made).toMatchObject({ code: 0, out: `signalbox join '${url}#${root}' --ci` });
		expect(made.err).toContain('repository_id');
		const own = await add('gitlab', '--repository', '12', '--issuer', 'https://git.example', '--audience', 'here');
		expect(own).toMatchObject({ code: 0, out: expect.stringContaining('--ci --audience here') });
		const [first, second] = (await ci()).out.split('\n').map((line) => line.split('\t').slice(1));
		expect(first).toEqual(['shop', 'github', 'org/web', url, 'https://token.actions.githubusercontent.com']);
		expect(second).toEqual(['shop', 'gitlab', '12', 'here', 'https://git.example']);
		const { id = 0 } = (await rules.list())[0] ?? {};
		const payload = { by: 'machine', maker: 'github', repository: 'Org/Web' };
		expect([(await ci('remove', String(id))).code, (await ci('remove', String(id))).code]).toEqual([0, 1]);
		const rows = await seen.database.query<{ kind: string; payload: string }>(
			'SELECT kind, payload FROM hub_journal ORDER BY n',
		);
		expect(rows.map((row) => [row.kind, JSON.parse(row.payload)])).toMatchObject([
			['ci:add', payload],
			['ci:add', { maker: 'gitlab', issuer: 'https://git.example' }],
			['ci:remove', { ...payload, repository: 'org/web' }],
		]);
		for (const args of [
			['add', 'jenkins', '--repository', 'a/b', '--url', url],
			['add', 'github', '--url', url],
			['add', 'github', '--repository', 'a', '--url', url],
			['add', 'github', '--repository', 'a/../b c', '--url', url],
			['add', 'github', '--repository', 'a/b'],
			['add', 'gitlab', '--repository', 'a/b', '--url', url, '--issuer', 'http://git.example'],
			['add', 'gitlab', '--repository', 'a/b', '--url', url, '--issuer', 'https://git.example/#x'],
			['add', 'gitlab', '--repository', 'a/b', '--url', url, '--audience', 'a b'],
			['remove'],
			['change'],
		])
			expect([args, (await ci(...args)).code]).toEqual([args, 2]);
	});
});
