import {
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
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeFolder } from './write-files.ts';

let root: string;
beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), 'folder-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const codeOf = (path: string): unknown => {
	try {
		makeFolder(path);
		return 'made';
	} catch (error) {
		return error instanceof Error && 'code' in error ? error.code : error;
	}
};

it('creates missing folders, each for its owner only, and leaves existing ones', () => {
	mkdirSync(join(root, 'there'), { mode: 0o755 });
	makeFolder(join(root, 'there/a/b'));
	makeFolder(join(root, 'there/a/b'));
	expect(['there', 'there/a', 'there/a/b'].map((name) => statSync(join(root, name)).mode & 0o777)).toEqual([
		0o755, 0o700, 0o700,
	]);
	symlinkSync(join(root, 'there'), join(root, 'link'));
	makeFolder(join(root, 'link/c'));
	expect(statSync(join(root, 'there/c')).isDirectory()).toBe(true);
});

it('ends with an error if a folder cannot be created', () => {
	writeFileSync(join(root, 'file'), '');
	symlinkSync(join(root, 'nowhere/at/all'), join(root, 'dead'));
	symlinkSync(join(root, 'round'), join(root, 'round'));
	expect(['file', 'file/x/y', 'dead', 'dead/x/y', 'round/x'].map((name) => codeOf(join(root, name)))).toEqual([
		'EEXIST',
		'ENOTDIR',
		'EEXIST',
		'EEXIST',
		'ELOOP',
	]);
	expect(['/proc/x', '/proc/x/y', '/proc/self/x/y'].map(codeOf)).toEqual(['ENOENT', 'ENOENT', 'ENOENT']);
});

it('no code of ours creates folders in a way that may never end', () => {
	const found = ['lib', 'hooks-bridge', 'server'].flatMap((folder) => {
		const parent = join(import.meta.dirname, '../..', folder);
		const sources = readdirSync(parent, { recursive: true }).map((path) => join(parent, String(path)));
		return sources.filter((path) => /\.ts$/.test(path) && !/\.test\.ts$|-rig\.ts$|testing\//.test(path));
	});
	expect(found.length).toBeGreaterThan(300);
	expect(found.filter((path) => /mkdir(?:Sync)?\([^;]*recursive/.test(readFileSync(path, 'utf8')))).toEqual([]);
});
