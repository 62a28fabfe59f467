import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { PlacedHead } from '#lib/contract/health/audit.ts';
import { writeBulkJournal } from '#soak/rig/bulk-journal.ts';
import { soakCounts, soakRuns } from '#soak/rig/soak-runs.ts';
import { dispatch } from '../cli/dispatch.ts';
import { createLog } from '../process/log.ts';
import { startService } from '../testing/notify-rig.ts';
import { createStandInAuthority } from '../testing/stand-in-authority.ts';
import { openJournalWriter } from '../timeline/store/journal-writer.ts';
import { type Database, openDatabase } from '../timeline/store/open-database.ts';
import { type AnchorScheduler, createAnchorScheduler } from './anchor-scheduler.ts';
import type { Anchor } from './anchors/anchors.ts';
import { verifyJournal } from './verify-journal.ts';

vi.setConfig({ testTimeout: 3_600_000 });

const newPath = () => join(mkdtempSync(join(tmpdir(), 'sbx-audit-')), 'journal.db');

/** A journal of `count` decisions. */
function writeJournal(count: number) {
	const path = newPath();
	const writer = openJournalWriter(path);
	for (let n = 1; n <= count; n += 1) {
		const payload = { decision: 'approve', reason: `because ${n}`, input: { command: `make ${n}` } };
		writer.append({ id: `row-${n}`, kind: 'approval:resolve', subject: `a${n}`, sessionId: 's1', payload });
	}
	writer.close();
	return path;
}

/** Changes the file as somebody who may write it can: without the triggers. */
function tamper(path: string, change: (sqlite: Database) => void) {
	const sqlite = openDatabase(path);
	sqlite.pragma('foreign_keys = OFF');
	const triggers = sqlite
		.prepare<[], { name: string; sql: string }>("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
		.all();
	for (const { name } of triggers) sqlite.exec(`DROP TRIGGER ${name}`);
	change(sqlite);
	for (const { sql } of triggers) sqlite.exec(sql);
	sqlite.close();
}

test('R680 an untouched journal fits together, up to its head', () => {
	const report = verifyJournal(writeJournal(25));
	expect(report).toMatchObject({ rows: 25, bad: null, redacted: 0, anchored: null, unanchored: 25 });
	expect(report.head?.n).toBe(25);
});

test('R780 G3: a long journal is verified at a rate that is reported', () => {
	const { numRuns } = soakRuns('G3', 2000, 1_000_000);
	const path = newPath();
	writeBulkJournal(path, numRuns);
	const [began, used] = [performance.now(), process.cpuUsage()];
	expect(verifyJournal(path)).toMatchObject({ rows: numRuns, bad: null });
	const { user, system } = process.cpuUsage(used);
	const ms = { 'ms to verify': performance.now() - began, 'ms of processor': (user + system) / 1000 };
	const rounded = Object.entries(ms).map(([what, count]) => [what, Math.round(count)] as const);
	soakCounts('G3', { rows: numRuns, ...Object.fromEntries(rounded) });
	rmSync(dirname(path), { recursive: true });
});

test('R780 of signatures the newest 1,000, those of heads outside and each signer’s last are checked, or all', () => {
	const path = newPath();
	writeBulkJournal(path, 5);
	rmSync(join(dirname(path), 'journal.key'));
	writeBulkJournal(path, 1020, 6);
	expect(verifyJournal(path)).toMatchObject({ rows: 1020, bad: null, signatures: 1001 });
	expect(verifyJournal(path, [], { everySignature: true })).toMatchObject({ bad: null, signatures: 1020 });
	const spoilAt = (n: number) => {
		const copy = newPath();
		copyFileSync(path, copy);
		tamper(copy, (sqlite) =>
			sqlite
				.prepare('UPDATE journal SET signature = (SELECT signature FROM journal WHERE n <> @n LIMIT 1) WHERE n = @n')
				.run({ n }),
		);
		return copy;
	};
	const found = (n: number, ...more: [PlacedHead[]?, { everySignature: boolean }?]) =>
		verifyJournal(spoilAt(n), ...more).bad?.n;
	expect([5, 21, 1020].map((n) => found(n))).toEqual([5, 21, 1020]);
	expect([3, 10].map((n) => found(n))).toEqual([undefined, undefined]);
	expect([3, 10].map((n) => found(n, [], { everySignature: true }))).toEqual([3, 10]);
	expect(found(10, [{ n: 10, hash: 'h', ts: '', place: 'a note' }])).toBe(10);
});

const COLUMNS = ['id', 'ts', 'kind', 'subject', 'session_id', 'payload_hash', 'signer', 'hash', 'signature'] as const;

test('R681 G1: random changes of one character: each is found, and the right row named', () => {
	fc.assert(
		fc.property(fc.integer({ min: 1, max: 12 }), fc.nat(9), fc.nat(1000), (n, column, at) => {
			const path = flipped(n, column, at);
			expect(verifyJournal(path).bad?.n).toBe(n);
			rmSync(dirname(path), { recursive: true });
		}),
		soakRuns('G1 changes', 50, 1000),
	);
});

test('R681 G1: a character of a signature that a tolerant reader would skip is found', () => {
	for (const at of [85, 86, 87]) expect(verifyJournal(flipped(1, 8, at)).bad?.n).toBe(1);
});

const whole = writeJournal(12);

function flipped(n: number, column: number, at: number): string {
	const path = newPath();
	copyFileSync(whole, path);
	tamper(path, (sqlite) => {
		const name = COLUMNS[column];
		const [table, field] = name ? ['journal', name] : ['journal_payload', 'body'];
		const { text } = sqlite
			.prepare<[number], { text: string }>(`SELECT ${field} AS text FROM ${table} WHERE n = ?`)
			.get(n) ?? { text: '' };
		const index = at % text.length;
		const other = text[index] === 'x' ? 'y' : 'x';
		sqlite
			.prepare(`UPDATE ${table} SET ${field} = ? WHERE n = ?`)
			.run(`${text.slice(0, index)}${other}${text.slice(index + 1)}`, n);
	});
	return path;
}

/** A copy of the whole journal in which somebody who may write it ran these statements. */
function spoilt(sql: string): string {
	const path = newPath();
	copyFileSync(whole, path);
	tamper(path, (sqlite) => sqlite.exec(sql));
	return path;
}

test('R681 G1: random rows taken out, with and without closing the gap, and random pairs swapped: each is found', () => {
	const row = fc.integer({ min: 1, max: 11 });
	fc.assert(
		fc.property(row, fc.boolean(), (n, closes) => {
			const gap = closes
				? `; UPDATE journal_payload SET n = n - 1 WHERE n > ${n}; UPDATE journal SET n = n - 1 WHERE n > ${n}`
				: '';
			const path = spoilt(`DELETE FROM journal_payload WHERE n = ${n}; DELETE FROM journal WHERE n = ${n}${gap}`);
			expect(verifyJournal(path).bad?.n).toBe(n);
			rmSync(dirname(path), { recursive: true });
		}),
		soakRuns('G1 deletions', 25, 1000),
	);
	fc.assert(
		fc.property(row, row, (one, other) => {
			fc.pre(one !== other);
			const swap = (table: string) =>
				`UPDATE ${table} SET n = -n WHERE n IN (${one}, ${other}); UPDATE ${table} SET n = ${one + other} + n WHERE n < 0;`;
			const path = spoilt(swap('journal') + swap('journal_payload'));
			expect(verifyJournal(path).bad?.n).toBe(Math.min(one, other));
			rmSync(dirname(path), { recursive: true });
		}),
		soakRuns('G1 swaps', 25, 1000),
	);
});

test('G1 G2: a cut of any length behind a head that is outside is found; after it, the tail is named', () => {
	const head = verifyJournal(whole).head;
	fc.assert(
		fc.property(fc.integer({ min: 2, max: 12 }), fc.integer({ min: 1, max: 11 }), (anchored, cut) => {
			fc.pre(cut < anchored);
			const path = spoilt(`DELETE FROM journal_payload WHERE n > ${cut}; DELETE FROM journal WHERE n > ${cut}`);
			const known = openDatabase(whole, { readonly: true });
			const { hash } = known.prepare('SELECT hash FROM journal WHERE n = ?').get(anchored) as { hash: string };
			known.close();
			const placed = { n: anchored, hash, ts: '2026-11-22T00:00:00.000Z', place: 'a note' };
			expect(verifyJournal(path, [placed]).bad?.n).toBe(cut + 1);
			expect(verifyJournal(whole, [placed])).toMatchObject({ bad: null, unanchored: (head?.n ?? 0) - anchored });
			rmSync(dirname(path), { recursive: true });
		}),
		soakRuns('G1 cuts', 20, 200),
	);
});

test('R681 a row that was taken out, put elsewhere or put in is found', () => {
	const gone = writeJournal(8);
	tamper(gone, (sqlite) => sqlite.exec('DELETE FROM journal_payload WHERE n = 4; DELETE FROM journal WHERE n = 4'));
	expect(verifyJournal(gone).bad).toEqual({ n: 4, what: 'row 4 is missing' });

	const closed = writeJournal(8);
	tamper(closed, (sqlite) =>
		sqlite.exec(
			'DELETE FROM journal_payload WHERE n = 4; DELETE FROM journal WHERE n = 4; UPDATE journal_payload SET n = n - 1 WHERE n > 4; UPDATE journal SET n = n - 1 WHERE n > 4',
		),
	);
	expect(verifyJournal(closed).bad?.n).toBe(4);

	const swapped = writeJournal(8);
	tamper(swapped, (sqlite) =>
		sqlite.exec('UPDATE journal SET n = -n WHERE n IN (3, 4); UPDATE journal SET n = 7 + n WHERE n < 0'),
	);
	expect(verifyJournal(swapped).bad?.n).toBe(3);
});

test('behind a head that is outside, a cut and a whole rewriting are found; after it, the tail is named', () => {
	const path = writeJournal(10);
	const head = verifyJournal(path).head;
	const placed = { n: head?.n ?? 0, hash: head?.hash ?? '', ts: '2026-11-22T00:00:00.000Z', place: 'a git note' };
	expect(verifyJournal(path, [placed])).toMatchObject({ bad: null, anchored: placed, unanchored: 0 });

	const longer = openJournalWriter(path);
	longer.append({ id: 'later', kind: 'setting:change', subject: 'x', payload: {} });
	longer.close();
	expect(verifyJournal(path, [placed])).toMatchObject({ bad: null, unanchored: 1 });

	tamper(path, (sqlite) => sqlite.exec('DELETE FROM journal_payload WHERE n > 7; DELETE FROM journal WHERE n > 7'));
	expect(verifyJournal(path).bad).toBeNull();
	expect(verifyJournal(path, [placed]).bad).toEqual({
		n: 8,
		what: 'the journal ends before row 10, which a git note knows',
	});

	expect(verifyJournal(writeJournal(10), [placed]).bad?.n).toBe(10);
});

test('redacted fields are gone from the disk, who did it is a row, and the chain holds', () => {
	const path = writeJournal(5);
	const writer = openJournalWriter(path);
	const draft = {
		id: 'redaction',
		kind: 'journal:redact' as const,
		subject: 'row:2',
		payload: { fields: ['reason', 'input'] },
	};
	expect(writer.redact(draft, 2, ['reason', 'input'])?.n).toBe(6);
	expect(writer.redact({ ...draft, id: 'again' }, 2, ['reason'])).toBeNull();
	writer.close();
	expect(verifyJournal(path)).toMatchObject({ rows: 6, bad: null, redacted: 1 });
	const bytes = readFileSync(path, 'latin1');
	expect(bytes).not.toContain('because 2');
	expect(bytes).not.toContain('make 2"');
	expect(bytes).toContain('because 3');
});

test('G5: many redactions: the chain holds, and the texts are gone from the disk', () => {
	const { numRuns } = soakRuns('G5', 20, 100);
	const path = writeJournal(numRuns);
	const writer = openJournalWriter(path);
	for (let n = 1; n <= numRuns; n += 1) {
		const draft = { id: `redaction-${n}`, kind: 'journal:redact' as const, subject: `row:${n}`, payload: {} };
		writer.redact({ ...draft, payload: { fields: ['reason', 'input'] } }, n, ['reason', 'input']);
	}
	writer.close();
	expect(verifyJournal(path)).toMatchObject({ rows: numRuns * 2, bad: null, redacted: numRuns });
	const bytes = readFileSync(path, 'latin1');
	expect(bytes).not.toMatch(/because \d|make \d/);
});

test('a field that was removed without a row about it is found', () => {
	const path = writeJournal(3);
	const sealed = openDatabase(path, { readonly: true });
	const { body } = sealed.prepare<[], { body: string }>('SELECT body FROM journal_payload WHERE n = 2').get() ?? {
		body: '{}',
	};
	sealed.close();
	const { decision, input } = JSON.parse(body);
	tamper(path, (sqlite) =>
		sqlite.prepare('UPDATE journal_payload SET body = ? WHERE n = 2').run(JSON.stringify({ decision, input })),
	);
	expect(verifyJournal(path).bad?.n).toBe(2);
});

test('agents-observe#17: rows of a former version get their places in the chain when the journal is opened', () => {
	const path = writeJournal(6);
	tamper(path, (sqlite) => {
		sqlite.exec('UPDATE journal SET payload_hash = NULL, signer = NULL, hash = NULL, signature = NULL');
		sqlite.exec(`UPDATE journal_payload SET sealed = 0, body = '{"reason":"of old"}'`);
	});
	expect(verifyJournal(path).bad?.n).toBe(1);
	openJournalWriter(path).close();
	expect(verifyJournal(path)).toMatchObject({ rows: 6, bad: null });
});

/** A home with a journal of three rows, and the command run in it. */
function homeWith(config: unknown) {
	const path = writeJournal(3);
	const home = dirname(path);
	writeFileSync(join(home, 'config.json'), JSON.stringify(config));
	const run = async (...args: string[]) => {
		const [out, err]: [string[], string[]] = [[], []];
		const code = await dispatch(['audit', ...args], {
			env: { OVERTONE_HOME: home },
			cwd: home,
			print: (line) => void out.push(line),
			say: (line) => void err.push(line),
		});
		return { code, out, err };
	};
	return { path, home, run };
}

test('the head goes to a git note and a second host, and verify asks them', async () => {
	const kept: string[] = [];
	// A stand-in for the second host, on loopback.
	const host = await startService(({ body }) => {
		if (body !== '') kept.push(body);
		return { body: kept.join('') };
	});
	const repository = mkdtempSync(join(tmpdir(), 'sbx-anchor-'));
	execFileSync('git', ['init', '-q', repository]);
	const anchors = { note: { kind: 'git', repository }, host: { kind: 'host', url: host.url } };
	const { path, run } = homeWith({ audit: { anchors } });
	expect((await run('verify')).out[0]).toMatch(/^NOT ANCHORED: 3 rows/);
	expect(await run('anchor')).toMatchObject({
		code: 0,
		out: [expect.stringMatching(/^Row 3 is anchored \((?:a git note|host) .*\)\.$/)],
	});
	expect((await run('verify')).out[0]).toMatch(/^ANCHORED at row 3 \(.*\); no row is later$/);
	expect(kept).toHaveLength(1);

	const forged = writeJournal(3);
	copyFileSync(forged, path);
	const { code, out } = await run('verify');
	expect(code).toBe(1);
	expect(out[0]).toMatch(/^BROKEN at row 3: the journal was rewritten up to here/);
	await host.stop();
});

test('R779 a time stamp of the head is checked when it comes, kept, and checked again without the authority', async () => {
	const authority = await createStandInAuthority();
	let faults: Parameters<typeof authority.answer>[1] = { hash: new Uint8Array(32).buffer };
	const service = await startService(async ({ bytes }) => ({
		body: await authority.answer(new Uint8Array(bytes), faults),
	}));
	const certificate = join(mkdtempSync(join(tmpdir(), 'sbx-tsa-')), 'tsa.pem');
	writeFileSync(certificate, authority.pem);
	const { path, home, run } = homeWith({
		audit: { anchors: { clock: { kind: 'rfc3161', url: service.url, certificate } } },
	});
	const refused = await run('anchor');
	expect([refused.code, refused.out]).toEqual([1, ['Not anchored.']]);
	expect(refused.err.join()).toContain('it stamped something else');
	faults = {};
	expect(await run('anchor')).toMatchObject({ code: 0, out: [expect.stringContaining('a time stamp of 127.0.0.1')] });
	expect(service.got[0]?.headers['content-type']).toBe('application/timestamp-query');
	await service.stop();

	const held = await run('verify');
	expect(held.out[0]).toMatch(/^ANCHORED at row 3 \(a time stamp of 127\.0\.0\.1:\d+, .*\); no row is later$/);
	expect(held.err.join()).toContain('tried with a stand-in');
	const kept = readFileSync(join(home, 'stamps.jsonl'), 'utf8');
	writeFileSync(join(home, 'stamps.jsonl'), kept.replace(/"n":3/, '"n":2'));
	expect((await run('verify')).out[0]).toMatch(/^BROKEN at row 2/);
	writeFileSync(join(home, 'stamps.jsonl'), `${kept.replace(/"hash":"[^"]+/, `"hash":"${'0'.repeat(64)}`)}odd\n`);
	const spoilt = await run('verify');
	expect([spoilt.code, spoilt.err.join()]).toEqual([1, expect.stringContaining('proves nothing')]);
	writeFileSync(join(home, 'stamps.jsonl'), kept);
	copyFileSync(writeJournal(3), path);
	expect((await run('verify')).out[0]).toMatch(/^BROKEN at row 3: the journal was rewritten up to here/);
});

test('R779 an authority is asked no more often than configured, but at once when a person asks', async () => {
	const home = mkdtempSync(join(tmpdir(), 'sbx-audit-'));
	const now = Date.parse('2026-11-22T10:00:00.000Z');
	const put: number[] = [];
	const clock: Anchor = {
		place: 'clock',
		everyMs: 3_600_000,
		storeHead: async ({ n }) => void put.push(n),
		list: async () => [],
	};
	const schedulerAt = (n: number, at: number) =>
		createAnchorScheduler({
			home,
			anchors: [clock],
			head: () => ({ n, hash: 'h' }),
			now: () => at,
			log: createLog(() => undefined),
		});
	const runAt = async (
		n: number,
		at: number,
		act: (scheduler: AnchorScheduler) => void = (scheduler) => scheduler.start(),
	) => {
		const scheduler = schedulerAt(n, at);
		act(scheduler);
		await scheduler.stop();
	};
	await runAt(1, now);
	await runAt(2, now + 3_599_000);
	expect(put).toEqual([1]);
	await runAt(2, now + 3_599_000, (scheduler) => void scheduler.place());
	await runAt(3, now + 7_199_000);
	expect(put).toEqual([1, 2, 3]);
});

test('R779 a time stamp authority without its certificate is left out, and reported', async () => {
	const clock = { kind: 'rfc3161', url: 'http://127.0.0.1:9/', certificate: '/nowhere/tsa.pem' };
	const { run } = homeWith({ audit: { anchors: { clock } } });
	const { out, err } = await run('verify');
	expect(out[0]).toMatch(/^NOT ANCHORED/);
	expect(err.join()).toContain('audit.anchors.clock: /nowhere/tsa.pem holds no certificate');
});

test('an unreachable anchor is reported, and harms nothing', async () => {
	const { run } = homeWith({
		audit: { anchors: { host: { kind: 'host', url: 'http://127.0.0.1:9/' }, odd: { kind: 'x' } } },
	});
	const { code, out, err } = await run('verify');
	expect(code).toBe(0);
	expect(out[0]).toMatch(/^NOT ANCHORED/);
	expect(err.join()).toContain('does not answer');
	expect(err.join()).toContain('audit.anchors.odd');
	expect((await run('anchor')).code).toBe(1);
});

test('export gives every row, and no cell is a formula', async () => {
	const { path, run } = homeWith({});
	const writer = openJournalWriter(path);
	writer.append({ id: 'f', kind: 'setting:change', subject: '=1+1', payload: { reason: 'a "b",\n c' } });
	writer.close();
	const json = (await run('export')).out.map((line) => JSON.parse(line));
	expect(json.map(({ n }) => n)).toEqual([1, 2, 3, 4]);
	expect(json[0]).toMatchObject({ kind: 'approval:resolve', payload: { reason: 'because 1' }, redacted: [] });
	const csv = (await run('export', '--format', 'csv')).out;
	expect(csv[0]).toBe('n,ts,kind,subject,sessionId,payload,redacted,hash,signature');
	expect(csv[4]).toContain("'=1+1");
});

test('the command redacts fields and reports it', async () => {
	const { run } = homeWith({});
	expect((await run('redact', '2', '--fields', 'input', '--reason', 'customer data')).code).toBe(0);
	expect((await run('redact', '2', '--fields', 'input', '--reason', 'again')).code).toBe(1);
	expect((await run('redact', '2')).code).toBe(2);
	// R1027
	const absent = await run('redact', '999', '--fields', 'input', '--reason', 'customer data');
	expect(absent.err.join()).toContain('There is no row 999 with any of these fields');
	const { out, err } = await run('verify');
	expect(out[0]).toMatch(/^NOT ANCHORED: 4 rows/);
	expect(err.join()).toContain('removed from 1 row;');
	expect((await run('verify', '--json')).out[0]).toContain('"redacted":1');
});
