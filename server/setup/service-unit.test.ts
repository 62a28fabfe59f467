import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { launchdAgent, systemdUnit } from './service-unit.ts';

const facts = {
	node: '/opt/no de/100%/node',
	program: '/opt/$HOME/signalbox.js',
	home: '/home/me/ä "b"',
	searchPath: '/bin',
};

test('R2434 a unit of systemd names odd paths so that systemd reads them as they are', () => {
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

test('R2434 an agent of launchd is well-formed XML', () => {
	const agent = launchdAgent({ ...facts, program: '/opt/<a&b>/signalbox.js' });
	expect(agent).toContain('<string>/opt/&lt;a&amp;b&gt;/signalbox.js</string>');
	expect(agent.match(/<dict>/g)).toHaveLength(agent.match(/<\/dict>/g)?.length ?? 0);
});
