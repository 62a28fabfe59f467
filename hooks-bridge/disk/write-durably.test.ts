import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { appendDurably, createDurably, writeDurably } from './write-durably.ts';

/** What was asked of the disk, in its order. */
const diskCalls = vi.hoisted((): string[] => []);
vi.mock('node:fs', async (original) => {
	const fs = await original<typeof import('node:fs')>();
	const nameOf = (fd: number) => basename(readlinkSync(`/proc/self/fd/${fd}`)).replace(/\.[0-9a-f-]{36}$/, ' draft');
	const noting =
		<A extends unknown[]>(word: (...args: A) => string, call: (...args: A) => void) =>
		(...args: A) => {
			diskCalls.push(word(...args));
			call(...args);
		};
	return {
		...fs,
		fsyncSync: noting((fd: number) => `sync ${nameOf(fd)}`, fs.fsyncSync),
		renameSync: noting((_: string, to: string) => `name ${basename(to)}`, fs.renameSync),
		linkSync: noting((_: string, to: string) => `name ${basename(to)}`, fs.linkSync),
	};
});

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'durably-'));
	diskCalls.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);

it.each([
	['replaced', writeDurably],
	['made', createDurably],
])('a file that is %s has its name only once its content is on the disk, and then keeps it', (_, write) => {
	write(at('key'), 'secret', 0o640);
	expect(diskCalls).toEqual(['sync key draft', 'name key', `sync ${basename(folder)}`]);
	expect([readFileSync(at('key'), 'utf8'), statSync(at('key')).mode & 0o777]).toEqual(['secret', 0o640]);
	expect(readdirSync(folder)).toEqual(['key']);
});

it('an addition to a file is on the disk when the call returns', () => {
	appendDurably(at('stamps.jsonl'), 'one\n');
	appendDurably(at('stamps.jsonl'), 'two\n');
	const once = ['sync stamps.jsonl', `sync ${basename(folder)}`];
	expect(diskCalls).toEqual([...once, ...once]);
	expect(readFileSync(at('stamps.jsonl'), 'utf8')).toBe('one\ntwo\n');
});

it('R1181 a file is made once, and again only where a power cut has left it blank', () => {
	expect([createDurably(at('key'), 'first'), createDurably(at('key'), 'second')]).toEqual([true, false]);
	expect(readFileSync(at('key'), 'utf8')).toBe('first');
	for (const blank of ['', '\0'.repeat(119), '\n']) {
		writeFileSync(at('key'), blank);
		expect(createDurably(at('key'), 'third')).toBe(true);
		expect(readFileSync(at('key'), 'utf8')).toBe('third');
	}
	expect(readdirSync(folder)).toEqual(['key']);
});

it('a refusal of the disk leaves nothing behind', () => {
	expect(() => writeDurably(at('no/key'), 'secret')).toThrow(/ENOENT/);
	expect(readdirSync(folder)).toEqual([]);
});
