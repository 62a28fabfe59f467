import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openJournalSigner } from './journal-signer.ts';

let home: string;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), 'signer-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const open = () => openJournalSigner(join(home, 'journal.db'));

test('R680 the key is made once and kept', () => {
	expect(open().name).toBe(open().name);
});

test.each([
	['empty', ''],
	['full of zeros', '\0'.repeat(119)],
])('R1181 a key that a power cut has left %s is made again, and kept from then on', (_, blank) => {
	writeFileSync(join(home, 'journal.key'), blank);
	const { name } = open();
	expect(open().name).toBe(name);
});

test.each([
	['a pipe, which would be waited for', (path: string) => void execFileSync('mkfifo', [path]), 'is no file'],
	['a folder', (path: string) => void mkdirSync(path), 'is no file'],
	['no key', (path: string) => writeFileSync(path, 'garbage'), 'holds no key'],
])('R680 in the place of the key is %s: reported with what to do, and left alone', (_, put, problem) => {
	put(join(home, 'journal.key'));
	expect(open).toThrow(problem);
	expect(open).toThrow('move it away');
});
