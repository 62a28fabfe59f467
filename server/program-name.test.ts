import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findPackageRoot } from './package-root.ts';
import { programName } from './program-name.ts';

const root = findPackageRoot();

test('R817 without a link the program is named by its place, short in its own folder', () => {
	const empty = mkdtempSync(join(tmpdir(), 'sb-path-'));
	expect(programName(empty)).toBe(`node ${root}/dist/signalbox.js`);
	expect(programName(empty, root)).toBe('node dist/signalbox.js');
	expect(programName(empty, '/')).toBe(`node ${root.slice(1)}/dist/signalbox.js`);
	expect(programName(empty, empty)).toBe(`node ${root}/dist/signalbox.js`);
});

test('R817 another program of that name on PATH is not ours', () => {
	const folder = mkdtempSync(join(tmpdir(), 'sb-path-'));
	writeFileSync(join(folder, 'signalbox'), '#!/bin/sh\n');
	expect(programName(`${folder}:relative`, root)).toBe('node dist/signalbox.js');
});

test('R817 where the package is linked it is `signalbox`', () => {
	const folder = mkdtempSync(join(tmpdir(), 'sb-path-'));
	const program = join(folder, "it's signalbox.js");
	writeFileSync(program, '');
	expect(programName(folder, '/', program)).toBe(`node '${program.slice(1).replace("'", "'\\''")}'`);
	symlinkSync(program, join(folder, 'signalbox'));
	expect(programName(`/nowhere:${folder}`, '/', program)).toBe('signalbox');
});
