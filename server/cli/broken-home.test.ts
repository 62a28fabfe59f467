import { execFileSync } from 'node:child_process';
import {
	existsSync,
	lchownSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	rmSync,
	symlinkSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { appendToJournal } from '../testing/append-to-journal.ts';
import { canBeOther, NOBODY } from '../testing/other-user.ts';
import { openDatabase } from '../timeline/store/open-database.ts';
import { dispatch } from './dispatch.ts';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'sb-home-'));
	mkdirSync(join(folder, 'shop/.git'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

async function run(home: string, ...args: string[]) {
	const [out, err] = [[] as string[], [] as string[]];
	const code = await dispatch(args, {
		env: { OVERTONE_HOME: home, HOME: folder, PATH: '' },
		cwd: join(folder, 'shop'),
		print: (line) => void out.push(line),
		say: (line) => void err.push(line),
	});
	return { code, out: out.join('\n'), err: err.join('\n') };
}

const WRITERS = [
	['init'],
	['start'],
	['workflow', 'start', 'single'],
	['supervisor', 'on', '--session', 's1'],
	['feature', 'new', 'cart'],
	['sh', 'true'],
	['token', 'create', '--role', 'viewer'],
	['reindex'],
];
const READERS = [
	['open'],
	['status'],
	['uninstall', '--yes'],
	['doctor'],
	['workflow', 'status'],
	['supervisor', 'status'],
	['feature', 'list'],
	['archive', 'verify'],
	['notify', 'test'],
	['audit', 'verify'],
];

test.each([
	['a file', () => writeFileSync(join(folder, 'home'), ''), /home is a file, not a folder/],
	['in the place of a file', () => writeFileSync(join(folder, 'home'), ''), /home is a file, not a folder/, 'x/y'],
	[
		'a dead link',
		() => symlinkSync(join(folder, 'not/there'), join(folder, 'home')),
		/is a link to \S+\/not\/there, which does not exist/,
	],
	[
		'a link in a circle',
		() => symlinkSync(join(folder, 'home'), join(folder, 'home')),
		/a link that leads back to itself/,
	],
] as const)('a home that is %s is named by every command, with what to do, and nothing is done', async (...given) => {
	const [, breakHome, why, below = ''] = given;
	breakHome();
	for (const args of [...WRITERS, ...READERS]) {
		const { code, out, err } = await run(join(folder, 'home', below), ...args);
		expect([args.join(' '), code, out]).toEqual([args.join(' '), 1, '']);
		expect(err).toMatch(/^The home \S+ cannot be used: .+\. Set OVERTONE_HOME to a folder of yours\.$/);
		expect(err).toMatch(why);
	}
	expect(readdirSync(join(folder, 'shop'))).toEqual(['.git']);
});

test('a home that nobody can make is named by what writes there', async () => {
	for (const args of WRITERS) {
		const { code, err } = await run('/proc/x/y', ...args);
		expect([args.join(' '), code, err]).toEqual([
			args.join(' '),
			1,
			'The home /proc/x/y cannot be used: the system does not allow creating /proc/x. Set OVERTONE_HOME to a folder of yours.',
		]);
	}
	expect(readdirSync(join(folder, 'shop'))).toEqual(['.git']);
});

/** A home with a journal of 20 rows, all of them in the file. */
function withJournal(): string {
	const path = join(folder, 'o/journal.db');
	const reason = 'x'.repeat(5000);
	for (let n = 0; n < 20; n += 1) {
		appendToJournal(path, { id: `r${n}`, kind: 'setting:change', subject: 'workflow:s1', payload: { reason } });
	}
	return path;
}

const replaced = (path: string) => {
	for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
	return path;
};

test.each([
	['a folder', (path: string) => mkdirSync(replaced(path)), 'it is no regular file'],
	['a FIFO', (path: string) => execFileSync('mkfifo', [replaced(path)]), 'it is no regular file'],
	['empty', (path: string) => writeFileSync(replaced(path), ''), 'it is empty'],
	['no database', (path: string) => writeFileSync(replaced(path), 'x'.repeat(9000)), 'it is not a database'],
	['cut in the middle', (path: string) => truncateSync(path, 40_960), 'it is damaged \\('],
	[
		'another database',
		(path: string) => void openDatabase(replaced(path)).exec('CREATE TABLE a (b)').close(),
		'it holds no journal',
	],
	['a dead link', (path: string) => symlinkSync('not-there', replaced(path)), '\\S+ is a link to not-there, which'],
] satisfies [string, (path: string) => unknown, string][])(
	'a journal that is %s is named by what reads it, with what to do',
	async (_, spoil, why) => {
		const path = withJournal();
		spoil(path);
		for (const args of [['verify'], ['export'], ['export', '--format', 'csv'], ['anchor']]) {
			const { code, err } = await run(join(folder, 'o'), 'audit', ...args);
			if (args[0] === 'anchor' && err.startsWith('No anchor is configured')) continue;
			expect([args.join(' '), code]).toEqual([args.join(' '), 1]);
			expect(err).toMatch(
				new RegExp(`^The journal ${path} cannot be used: ${why}.*It holds who decided what.* try again\\.$`),
			);
		}
		if (why === 'it is not a database') {
			const { code, err } = await run(join(folder, 'o'), 'token', 'create', '--role', 'viewer');
			expect([code, err]).toEqual([1, expect.stringMatching(/cannot be used: it is not a database.* try again\.$/)]);
		}
		expect((await run(join(folder, 'o'), 'doctor')).out).toMatch(
			new RegExp(`WRONG +journal +it cannot be read: ${why}`),
		);
	},
);

test('a journal without the log of its newest rows says what may be missing', async () => {
	const path = join(folder, 'o/journal.db');
	mkdirSync(join(folder, 'o'));
	const open = openDatabase(path);
	open.pragma('journal_mode = WAL');
	open.exec('CREATE TABLE journal (n)');
	mkdirSync(join(folder, 'copy'));
	execFileSync('cp', [path, join(folder, 'copy/journal.db')]);
	open.close();
	const { code, err } = await run(join(folder, 'copy'), 'audit', 'verify');
	expect(code).toBe(1);
	expect(err).toMatch(/it holds no journal; perhaps it was copied without \S+journal\.db-wal/);
	expect(existsSync(join(folder, 'copy/journal.db'))).toBe(true);
});

test('a journal that a newer program has written is refused by all that use it, and stays as it is', async () => {
	const path = withJournal();
	const newer = openDatabase(path);
	newer.exec("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('later', 9999999999999)");
	newer.close();
	for (const args of [
		['audit', 'verify'],
		['audit', 'export'],
		['token', 'create', '--role', 'viewer'],
	]) {
		const { code, out, err } = await run(join(folder, 'o'), ...args);
		expect([args.join(' '), code, out]).toEqual([args.join(' '), 1, '']);
		expect(err).toMatch(
			/a newer Signalbox has written it\..*: start that one again, or use a copy of the home from before/,
		);
	}
	const after = openDatabase(path, { readonly: true });
	expect(after.prepare('SELECT count(*) FROM journal').pluck().get()).toBe(20);
	after.close();
});

test.each(['./o', 'o', '~/o', '..'])(
	'a home that is no whole path is refused before anything is made: %s',
	async (home) => {
		const before = readdirSync(folder, { recursive: true });
		for (const args of [...WRITERS, ...READERS]) {
			const { code, err } = await run(home, ...args);
			expect([args.join(' '), code]).toEqual([args.join(' '), 1]);
			expect(err).toContain(`The home ${home} cannot be used: it is not an absolute path`);
		}
		expect(readdirSync(folder, { recursive: true })).toEqual(before);
	},
);

test.runIf(canBeOther)(
	'a home of another user, or one that their link leads to, is refused and left as it is',
	async () => {
		const [theirs, link] = [join(folder, 'theirs'), join(folder, 'link')];
		mkdirSync(theirs);
		mkdirSync(join(folder, 'mine'));
		symlinkSync(join(folder, 'mine'), link);
		for (const path of [theirs, link]) lchownSync(path, NOBODY, NOBODY);
		for (const home of [theirs, link]) {
			const { code, err } = await run(home, 'start');
			expect([home, code]).toEqual([home, 1]);
			expect(err).toContain(`The home ${home} cannot be used: it belongs to another user`);
			expect(readdirSync(home)).toEqual([]);
		}
	},
);
