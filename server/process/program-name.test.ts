import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findPackageRoot } from './package-root.ts';
import { openName, programName, withHome } from './program-name.ts';

const root = findPackageRoot();

test('without a link the program is named by its place, short in its own folder', () => {
	const empty = mkdtempSync(join(tmpdir(), 'sb-path-'));
	expect(programName(empty)).toBe(`node ${root}/dist/signalbox.js`);
	expect(programName(empty, root)).toBe('node dist/signalbox.js');
	expect(programName(empty, '/')).toBe(`node ${root.slice(1)}/dist/signalbox.js`);
	expect(programName(empty, empty)).toBe(`node ${root}/dist/signalbox.js`);
});

test('another program of that name on PATH is not ours', () => {
	const folder = mkdtempSync(join(tmpdir(), 'sb-path-'));
	writeFileSync(join(folder, 'signalbox'), '#!/bin/sh\n');
	expect(programName(`${folder}:relative`, root)).toBe('node dist/signalbox.js');
});

test('where the package is linked it is `signalbox`', () => {
	const folder = mkdtempSync(join(tmpdir(), 'sb-path-'));
	const program = join(folder, "it's signalbox.js");
	writeFileSync(program, '');
	expect(programName(folder, '/', program)).toBe(`node '${program.slice(1).replace("'", "'\\''")}'`);
	symlinkSync(program, join(folder, 'signalbox'));
	expect(programName(`/nowhere:${folder}`, '/', program)).toBe('signalbox');
});

test('what npx runs is named as npx runs it again, and not by the folder that npx alone has on PATH', () => {
	const cache = join(mkdtempSync(join(tmpdir(), 'sb-path-')), '_npx/1f');
	const program = join(cache, 'node_modules/signalbox/dist/signalbox.js');
	const links = join(cache, 'node_modules/.bin');
	for (const folder of [join(program, '..'), links]) mkdirSync(folder, { recursive: true });
	writeFileSync(program, '');
	symlinkSync(program, join(links, 'signalbox'));
	const askedFor = (spec: string) =>
		writeFileSync(join(cache, 'package.json'), JSON.stringify({ dependencies: { signalbox: spec } }));
	askedFor('^0.2.0');
	expect(programName(links, undefined, program)).toBe('npx signalbox');
	askedFor('file:../../signalbox-0.2.0.tgz');
	expect(programName(links, undefined, program)).toBe(`npx file:${join(cache, '../../signalbox-0.2.0.tgz')}`);
	const own = join(cache, '../../bin');
	mkdirSync(own);
	symlinkSync(program, join(own, 'signalbox'));
	expect(programName(`${links}:${own}`, undefined, program)).toBe('signalbox');
});

test('who is not signed in sees the command, but not where the program lies', () => {
	const env = { HOME: '/home/me' };
	const where = ', in the folder of Signalbox';
	expect(openName('/nowhere', '/home/me/.overtone', env)).toEqual({ name: 'node dist/signalbox.js', where });
	const elsewhere = openName('/nowhere', '/tmp/trial', env);
	expect(elsewhere.where).toBe(", in the folder of Signalbox, with this server's OVERTONE_HOME");
});

test('a line to be copied names the home where that is not the usual one', () => {
	const env = { HOME: '/home/me' };
	expect(withHome('signalbox', '/home/me/.overtone', env)).toBe('signalbox');
	expect(withHome('signalbox', '/home/me/.overtone', { ...env, OVERTONE_HOME: '/home/me/.overtone' })).toBe(
		'signalbox',
	);
	expect(withHome('signalbox', '/tmp/trial', env)).toBe('OVERTONE_HOME=/tmp/trial signalbox');
	expect(withHome('node x.js', "/tmp/it's", env)).toBe("OVERTONE_HOME='/tmp/it'\\''s' node x.js");
});
