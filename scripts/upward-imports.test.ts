import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { floorTable } from './floor-table.ts';
import { upwardImports } from './upward-imports.ts';

const ROOT = join(import.meta.dirname, '..');

test.each(Object.entries(floorTable))('R1350 in %s every import runs down', (tree, rooms) => {
	expect(upwardImports(ROOT, tree, rooms)).toEqual([]);
});

test('R1350 an upward import is reported with the way that is open, and so is a folder without a floor', () => {
	const root = mkdtempSync(join(tmpdir(), 'floors-'));
	for (const [path, text] of [
		['lib/time/clock.ts', "import { view } from '../session/view.ts';\nimport type { A } from '#lib/session/a.ts';\n"],
		['lib/time/clock.test.ts', "import { view } from '../session/view.ts';\n"],
		['lib/session/view.ts', "import { clock } from '../time/clock.ts';\n"],
		['lib/attic/old.ts', ''],
	] as const) {
		mkdirSync(dirname(join(root, path)), { recursive: true });
		writeFileSync(join(root, path), text);
	}
	const rooms = [
		['time', 'times'],
		['session', 'views'],
		['fleet', 'many'],
	] as const;
	expect(upwardImports(root, 'lib', rooms)).toEqual([
		'lib/attic has no floor: add it to scripts/floor-table.ts.',
		'lib/fleet is in scripts/floor-table.ts and not on disk: take it out there.',
		...['lib/session/view.ts', 'lib/session/a.ts'].map(
			(target) =>
				`lib/time/clock.ts imports ${target}: lib/time stands below lib/session, so only session may import time. Move what both need down, or hand it in as an argument.`,
		),
	]);
});
