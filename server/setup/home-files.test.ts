import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isHomeFile } from '../cli/uninstall.ts';
import { findPackageRoot } from '../process/package-root.ts';

test('everything that the documents list in a home is known as our own, and nothing else is', () => {
	const guide = readFileSync(join(findPackageRoot(), 'docs/guide/files.md'), 'utf8');
	const [table = ''] = /\| Path in the home[\s\S]*?\n\n/.exec(guide) ?? [];
	const names = [...table.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, cell = '']) =>
		[...cell.matchAll(/`([^`/]+)[^`]*`/g)].map(([, name = '']) =>
			name.replace('DATE', '2026-01-01').replace('PORT', '7780'),
		),
	);
	expect(names.length).toBeGreaterThan(30);
	expect(names.filter((name) => !isHomeFile(name))).toEqual([]);
	expect(['index.db-wal', 'journal.db-shm'].every(isHomeFile)).toBe(true);
	expect(['notes.txt', '.ssh', 'my.db', 'Documents'].some(isHomeFile)).toBe(false);
});
