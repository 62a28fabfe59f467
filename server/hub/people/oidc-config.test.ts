import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readOidcConfig } from './oidc.ts';

let home: string;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), 'signalbox-oidc-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const fitting = { name: 'Example Org', issuer: 'https://login.example.org', clientId: 'signalbox' };
const write = (value: unknown, name = 'oidc.json') => writeFileSync(join(home, name), JSON.stringify(value));

test('the provider is read from the file of the home or the one that is named, its secret from the environment or a file of its own', () => {
	expect(readOidcConfig(home, {})).toBeUndefined();
	write({ ...fitting, secretFile: join(home, 'secret') });
	writeFileSync(join(home, 'secret'), 'of the file\n');
	expect(readOidcConfig(home, {})).toMatchObject({
		...fitting,
		secret: 'of the file',
		groupsClaim: 'groups',
		roles: [],
	});
	expect(readOidcConfig(home, { SIGNALBOX_OIDC_SECRET: 'of the environment' })?.secret).toBe('of the environment');
	write({ ...fitting, issuer: 'http://127.0.0.1:4000' }, 'other.json');
	const other = readOidcConfig(home, { SIGNALBOX_OIDC: join(home, 'other.json') });
	expect([other?.issuer, other?.secret]).toEqual(['http://127.0.0.1:4000', undefined]);
	expect(() => readOidcConfig(home, { SIGNALBOX_OIDC: join(home, 'none.json') })).toThrow(/none\.json cannot be read/);
});

test('a file that does not fit is refused with its path and the field', () => {
	const refused: [value: unknown, told: RegExp][] = [
		['no object', /expected object/],
		[{ ...fitting, issuer: 'http://login.example.org' }, /must be https[\s\S]*issuer/],
		[{ ...fitting, clientSecret: 'in the clear' }, /clientSecret/],
		[{ ...fitting, roles: [{ group: 'dev', role: 'root' }] }, /roles\[0\]\.role/],
		[{ ...fitting, roles: [{ group: 'dev', role: 'viewer', project: 'shop' }] }, /a project is one of a team/],
		[{ ...fitting, roles: [{ group: 'dev', role: 'auditor', team: 'shop' }] }, /an auditor is one of everything/],
	];
	for (const [value, problem] of refused) {
		write(value);
		expect(() => readOidcConfig(home, {})).toThrow(problem);
		expect(() => readOidcConfig(home, {})).toThrow(join(home, 'oidc.json'));
	}
});
