import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CodeBody } from '#lib/contract/hub/edges.ts';
import { TokenBody } from '#lib/contract/hub/hub-people.ts';
import { JoinRequest } from '#lib/contract/hub/hub-wire.ts';
import { openHubDatabase } from '../../hub/database/database.ts';
import { openHubIdentity } from '../../hub/database/hub-key.ts';
import { createEdgeStore } from '../../hub/edges/edge-store.ts';
import { startHub } from '../../hub/replica/hub-server.ts';
import { postgresPrograms } from '../../hub/testing/postgres-cluster.ts';
import { sharedDatabases } from '../../hub/testing/shared-databases.ts';
import { makeKey } from '../../hub-protocol/signatures.ts';
import { createLog } from '../../process/log.ts';
import { dispatch } from '../dispatch.ts';

const HOSTILE = '\u001b[2J\u001b[31mevil\n99\tA\tm-fake\tjoined\u202e';
const DEAD = 'postgres://nobody@127.0.0.1:1/none';
const url = ['--url', 'http://127.0.0.1:7780'];

describe('names at a hub', () => {
	const home = mkdtempSync(join(tmpdir(), 'signalbox-hub-'));
	afterAll(() => rmSync(home, { recursive: true, force: true }));
	async function run(database: string, ...args: string[]) {
		const out: string[] = [];
		const err: string[] = [];
		const env = { HOME: home, OVERTONE_HOME: home, SIGNALBOX_DATABASE_URL: database };
		const code = await dispatch(['hub', ...args], {
			...{ env, cwd: home },
			print: (line) => void out.push(line),
			say: (line) => void err.push(line),
		});
		return { code, out: out.join('\n'), err: err.join('\n') };
	}

	test('no machine, team, label or token gets a name that acts on a terminal, turns the line, or is too long', () => {
		const key = makeKey().publicKey;
		const takes = {
			machine: (name: string) => JoinRequest.safeParse({ code: 'A'.repeat(26), key, name, version: '1' }).success,
			team: (team: string) => CodeBody.safeParse({ team }).success,
			label: (label: string) => CodeBody.safeParse({ team: 'shop', labels: [label] }).success,
			token: (name: string) => TokenBody.safeParse({ name }).success,
		};
		for (const [what, fits] of Object.entries(takes)) {
			for (const name of [
				'a\u001b[31mb',
				'a\nb',
				'a\tb',
				'a\0b',
				'a\u0085b',
				'a\u202eb',
				'a\u2066b',
				'x'.repeat(81),
				'  ',
			])
				expect([what, name, fits(name)]).toEqual([what, name, false]);
			for (const name of [' Zoë’s build 3 ', '构建机', 'سرور ۱', '🚂'])
				expect([what, name, fits(name)]).toEqual([what, name, true]);
		}
	});

	test.each([
		['code', ...url],
		['keep', '--days', '30'],
		['policy', 'show'],
		['policy', 'remove', ...url],
		['policy', 'set', 'rules.json', ...url],
	])('`hub %s %s` takes the team names of the pages and no other, and says why', async (...args) => {
		for (const [team, why] of [
			['x'.repeat(10_000), 'it is longer than 80 characters'],
			['\u200b\u00ad', 'it holds nothing that is seen'],
			['a\ud800', 'it holds a character that acts'],
			['a\u001b[31mb', 'it holds a character that acts'],
			['  ', 'it is empty'],
		] as const) {
			const { code, out, err } = await run(DEAD, ...args, '--team', team);
			expect({ code, out }).toEqual({ code: 2, out: '' });
			expect(err).toMatch(/^--team cannot be "/);
			expect(err).toContain(why);
			expect(err.length).toBeLessThan(500);
		}
		const { code, err } = await run(DEAD, 'token', '--name', 'x'.repeat(10_000));
		expect([code, err]).toEqual([2, expect.stringContaining('it is longer than 80 characters')]);
	});

	test.each([['edges'], ['code', ...url], ['token'], ['keep'], ['policy', 'show'], ['root'], ['migrate']])(
		'while no database answers, `hub %s` says where to look',
		async (...args) => {
			expect(await run(DEAD, ...args)).toEqual({
				code: 1,
				out: '',
				err: 'The database does not answer (ECONNREFUSED). Look at SIGNALBOX_DATABASE_URL, and whether Postgres runs.',
			});
		},
	);

	describe.runIf(postgresPrograms !== undefined)('over a database', () => {
		const newDatabase = sharedDatabases();
		let database: string;
		beforeAll(async () => {
			database = await newDatabase();
		});

		test('a hostile name that the database has from before is one plain cell of its line', async () => {
			const { query, close } = openHubDatabase(database, () => undefined);
			const edges = createEdgeStore(query);
			const code = await edges.mintCode(HOSTILE, 1, 10);
			await edges.join({ code, key: makeKey().publicKey, name: HOSTILE, version: '1' });
			await close();
			const { out } = await run(database, 'edges');
			expect(out).toBe('1\tevil 99 A m-fake joined\tevil 99 A m-fake joined\tjoined\tnever seen');
			expect((await run(database, 'keep')).out).toMatch(/^evil 99 A m-fake joined\t\d+ days$/);
		});

		test('spaces around a team make no second one', async () => {
			await run(database, 'code', ...url, '--team', '  A ');
			await run(database, 'code', ...url, '--team', 'A');
			const { out } = await run(database, 'keep');
			expect(out.split('\n').filter((line) => line.includes('A\t'))).toHaveLength(1);
		});

		test('the line with which a machine joins names the address that was read, as one word of a shell', async () => {
			const plain = await run(database, 'code', '--url', "http://127.0.0.1:17780/';touch x;'");
			expect(plain.out).toMatch(/^signalbox join http:\/\/127\.0\.0\.1:17780 '\w+#\w+'$/);
			const odd = await run(database, 'code', '--url', 'https://a$(id).example');
			expect(odd.out).toMatch(/^signalbox join 'https:\/\/a\$\(id\)\.example' '/);
		});

		test('an occupied port is reported with its owner', async () => {
			const server = http.createServer();
			await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
			const { port } = server.address() as AddressInfo;
			const identity = openHubIdentity({ home, path: undefined, origin: 'https://hub.example', name: 'hub' });
			const log = createLog(() => undefined);
			const started = startHub({ databaseUrl: database, identity, host: '127.0.0.1', port, log });
			await expect(started).rejects.toThrow(new RegExp(`^Port ${port} is taken by .*signalbox hub --port`));
			server.close();
		});
	});
});
