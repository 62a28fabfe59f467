import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isSameUnit, launchdAgent, systemdUnit } from './service-unit.ts';

const facts = {
	node: '/opt/no de/100%/node',
	program: '/opt/$HOME/signalbox.js',
	home: '/home/me/ä "b"',
	searchPath: '/bin',
};

test('a unit of systemd names odd paths so that systemd reads them as they are', () => {
	const unit = systemdUnit(facts);
	expect(unit).toContain('ExecStart="/opt/no de/100%%/node" "/opt/$$HOME/signalbox.js" start\n');
	expect(unit).toContain('Environment="OVERTONE_HOME=/home/me/ä \\"b\\"" "PATH=/bin"\n');
	const folder = mkdtempSync(join(tmpdir(), 'sbx-unit-'));
	const path = join(folder, 'signalbox.service');
	writeFileSync(path, systemdUnit({ ...facts, node: process.execPath }));
	// Where systemd is, it reads the unit itself.
	const { error, stderr, status } = spawnSync('systemd-analyze', ['--user', 'verify', path], { encoding: 'utf8' });
	if (error === undefined && status !== null) expect(stderr).not.toContain('signalbox.service:');
	rmSync(folder, { recursive: true });
});

test('an agent of launchd is well-formed XML', () => {
	const agent = launchdAgent({ ...facts, program: '/opt/<a&b>/signalbox.js' });
	expect(agent).toContain('<string>/opt/&lt;a&amp;b&gt;/signalbox.js</string>');
	expect(agent.match(/<dict>/g)).toHaveLength(agent.match(/<\/dict>/g)?.length ?? 0);
});

test('a unit is known again after another Node, program and PATH wrote it, and not with another home', () => {
	const later = { ...facts, node: '/usr/bin/node', program: '/usr/lib/signalbox.js', searchPath: '/usr/bin' };
	for (const unit of [systemdUnit, launchdAgent]) {
		expect(unit(later)).not.toBe(unit(facts));
		expect(isSameUnit(unit(later), unit(facts))).toBe(true);
		expect(isSameUnit(unit({ ...facts, home: '/home/you' }), unit(facts))).toBe(false);
		expect(isSameUnit(`${unit(facts)}# mine\n`, unit(facts))).toBe(false);
	}
});
