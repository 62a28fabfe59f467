import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dispatch } from '../../cli/dispatch.ts';
import { builtChild } from '../../testing/built-child.ts';
import { type FeaturesRig, openFeatures } from '../../testing/features-rig.ts';
import { readSeen } from '../../timeline/store/journal-files.ts';
import { backupPaths, readBackup } from './backup-file.ts';
import { writeBackup } from './write-backup.ts';

let rig: FeaturesRig;
let backups: string;
beforeEach(async () => {
	rig = await openFeatures();
	backups = mkdtempSync(join(tmpdir(), 'sbx-backup-'));
});
afterEach(async () => {
	await rig.close();
	rig.remove();
	rmSync(backups, { recursive: true });
});

async function run(home: string, ...words: string[]) {
	const out: string[] = [];
	const err: string[] = [];
	const terminal = {
		...{ env: { OVERTONE_HOME: home }, cwd: backups },
		...{ print: (line: string) => void out.push(line), say: (line: string) => void err.push(line) },
	};
	return { code: await dispatch(['archive', ...words], terminal), out: out.join('\n'), err: err.join('\n') };
}

/** A home with sessions, large values, a config, and a journal that somebody writes to. */
async function fill(): Promise<void> {
	for (const session of ['s1', 's2']) {
		rig.say(session, 'session:start', { cwd: rig.project });
		rig.writeFile(`h/sessions/${session}/blobs/${'a'.repeat(64)}`, 'large'.repeat(1000));
	}
	writeFileSync(join(rig.home, 'config.json'), '{}', { mode: 0o600 });
	symlinkSync('/etc/passwd', join(rig.home, 'sessions/s1/link'));
	await decide(1);
	await rig.whenSettled();
}
const decide = (n: number) =>
	rig.journal.append({ id: `row-${n}`, kind: 'setting:change', subject: 'x', payload: { n } });

test('R1663 a home is copied while others write: every file as far as it had come, the journal last, and all of it checked', async () => {
	await fill();
	// Written a moment after a row: a copy before that moment would lack it.
	await vi.waitFor(() => expect(existsSync(join(rig.home, 'journal.seen'))).toBe(true), { timeout: 30_000 });
	let going = true;
	const writing = (async () => {
		for (let n = 2; going; n += 1) {
			rig.say('s1', 'prompt:submit', { prompt: `${n}`, source: 'user' });
			await decide(n);
		}
	})();
	const target = join(backups, 'one.backup');
	const written = await run(rig.home, 'backup', target);
	going = false;
	await writing;
	expect(written).toMatchObject({ code: 0, out: target });
	expect(statSync(target).mode & 0o777).toBe(0o600);
	expect(readdirSync(backups)).toEqual(['one.backup']);
	const home = join(backups, 'home');
	expect(await run(home, 'restore', target)).toMatchObject({ code: 0, out: home });
	const restored = [...backupPaths(home)];
	expect(restored).toEqual([...backupPaths(rig.home)]);
	expect(restored).not.toContain('sessions/s1/link');
	// The note of the newest row is replaced each second; `audit verify` below holds the copy's against the copied journal.
	expect(readSeen(join(home, 'journal.db'))).not.toBeNull();
	for (const path of restored.filter((file) => file !== 'journal.seen')) {
		const copy = readFileSync(join(home, path));
		expect(readFileSync(join(rig.home, path)).subarray(0, copy.length).equals(copy)).toBe(true);
	}
	// The journal has every decision of a person that a timeline has.
	expect(
		await dispatch(['audit', 'verify'], {
			env: { OVERTONE_HOME: home },
			cwd: backups,
			print: () => undefined,
			say: () => undefined,
		}),
	).toBe(0);
	expect((await run(rig.home, 'backup', target)).code).toBe(1);
	expect((await run(rig.home, 'backup', join(rig.home, 'x'))).code).toBe(2);
	expect((await run(rig.home, 'backup', backups)).out).toMatch(/signalbox-.*\.backup$/);
});

test('R1664 a backup that was changed or cut, or names a place outside, restores nothing; a home that holds something stays', async () => {
	await fill();
	const target = join(backups, 'one.backup');
	await writeBackup(rig.home, target, 0);
	const bytes = readFileSync(target);
	const changed = join(backups, 'changed');
	await fc.assert(
		fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, mask) => {
			writeFileSync(changed, bytes.with(at, (bytes[at] ?? 0) ^ mask));
			await expect(readBackup(changed)).rejects.toMatchObject({ code: 'request/invalid' });
		}),
		{ numRuns: 200 },
	);
	const home = join(backups, 'home');
	const head = '{"signalbox":"backup","version":1,"createdAt":"x"}\n';
	for (const wrong of [
		bytes.subarray(0, -3),
		Buffer.concat([bytes, Buffer.from('x')]),
		Buffer.from('{"signalbox":"backup","version":9,"createdAt":"x"}\n'),
		...['../x', '/etc/x', 'sessions/../../x', 'server.lock', 'sessions//x', 'a\0b', 'bin/hook.sh'].map((path) =>
			Buffer.from(`${head}${JSON.stringify({ path, bytes: 1 })}\nx\n{}\n`),
		),
		Buffer.from(`${head}{"path":"sessions/x","bytes":1e15}\nx`),
		Buffer.alloc(100_000),
	]) {
		writeFileSync(changed, wrong);
		expect(await run(home, 'restore', changed)).toMatchObject({
			code: 1,
			err: expect.stringContaining('Nothing was restored'),
		});
		expect(readdirSync(backups).sort()).toEqual(['changed', 'one.backup']);
	}
	mkdirSync(home);
	writeFileSync(join(home, 'mine'), 'mine');
	expect(await run(home, 'restore', target)).toMatchObject({ code: 1, err: expect.stringContaining('--replace') });
	expect(readdirSync(home)).toEqual(['mine']);
	const replaced = await run(home, 'restore', target, '--replace');
	const aside = /previous home is now (.*)\.$/.exec(replaced.err)?.[1] ?? '';
	expect(readFileSync(join(aside, 'mine'), 'utf8')).toBe('mine');
	expect(existsSync(join(home, 'sessions/s1/timeline.jsonl'))).toBe(true);
	expect(await run(home, 'restore', join(backups, 'none'))).toMatchObject({ code: 2 });
});

test('a backup that contains a file twice, or as a file and a folder, restores nothing and names it', async () => {
	const target = join(backups, 'one.backup');
	const home = join(backups, 'home');
	const restore = async (...paths: string[]) => {
		writeFileSync(target, backupOf(paths));
		expect(await readBackup(target)).toMatchObject({ files: paths.length });
		const { code, err } = await run(home, 'restore', target);
		expect(code).toBe(1);
		expect(readdirSync(backups)).toEqual(['one.backup']);
		return err;
	};
	const twice = (path: string) => `The backup is wrong at ${path}: it stands twice. Nothing was restored.`;
	expect(await restore('sessions/x', 'config.json', 'sessions/x')).toContain(twice('sessions/x'));
	expect(await restore('sessions/x/y', 'sessions/x')).toContain(twice('sessions/x'));
	expect(await restore('sessions/x', 'sessions/x/y')).toContain(twice('sessions/x/y'));
	const long = `sessions/${'x'.repeat(300)}`;
	expect(await restore(long)).toContain(`The backup is wrong at ${long}: its name is too long. Nothing was restored.`);
});

/** A backup whose digests are right, of files that each hold one letter. */
function backupOf(paths: readonly string[]): string {
	const sealed = JSON.stringify({ sha256: createHash('sha256').update('x').digest('hex') });
	const head = '{"signalbox":"backup","version":1,"createdAt":"x"}\n';
	const entries = paths.map((path) => ({ line: `${JSON.stringify({ path, bytes: 1 })}\n`, seal: `${sealed}\n` }));
	const lines = createHash('sha256').update([head, ...entries.flatMap(({ line, seal }) => [line, seal])].join(''));
	const end = { files: paths.length, bytes: paths.length, sha256: lines.digest('hex') };
	return `${head}${entries.map(({ line, seal }) => `${line}x\n${seal}`).join('')}${JSON.stringify({ end })}\n`;
}

test('a backup that is killed before any change of the disk leaves nothing of its name, or all of it', {
	timeout: 120_000,
}, async () => {
	await fill();
	const program = await builtChild('backup-child');
	const target = join(backups, 'killed.backup');
	const backUp = (n: number) =>
		spawnSync(process.execPath, [program, rig.home, target, String(n)], { encoding: 'utf8' });
	const changes = Number(backUp(0).stdout);
	expect(changes).toBeGreaterThan(20);
	for (const n of [1, 2, 9, changes - 5, changes - 4, changes - 3, changes - 2, changes - 1, changes]) {
		rmSync(target, { force: true });
		// The journal's copy takes a change more or less from run to run: the last ones may come after the end.
		const { signal } = backUp(n);
		if (n <= changes - 3) expect(signal).toBe('SIGKILL');
		if (existsSync(target)) expect((await readBackup(target)).files).toBeGreaterThan(3);
		else expect(signal).toBe('SIGKILL');
	}
	// The next one takes away what the killed ones left.
	rmSync(target, { force: true });
	await writeBackup(rig.home, target, 0);
	expect(readdirSync(backups)).toEqual(['killed.backup']);
});

test('a restore removes the remains of a killed one beside the home, and nothing of a running one', async () => {
	await fill();
	const target = join(backups, 'one.backup');
	await writeBackup(rig.home, target, 0);
	const dead = spawnSync(process.execPath, ['--version']).pid;
	const [left, going, others] = [`home.restore-${dead}-x`, `home.restore-${process.ppid}-x`, `homes.restore-${dead}-x`];
	for (const name of [left, going, others]) {
		mkdirSync(join(backups, name));
		writeFileSync(join(backups, name, 'journal.key'), 'secret');
	}
	expect(await run(join(backups, 'home'), 'restore', target)).toMatchObject({ code: 0 });
	expect(readdirSync(backups).sort()).toEqual(['home', going, others, 'one.backup'].sort());
});
