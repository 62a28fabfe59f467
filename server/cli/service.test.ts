import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createInitRig, putFile } from '../testing/init-rig.ts';

test('service install writes one file and says how to start it; remove takes it back, and never another one', async () => {
	const rig = createInitRig();
	const env = { XDG_CONFIG_HOME: join(rig.root, 'config'), PATH: '/bin' };
	const path = join(rig.root, 'config/systemd/user/signalbox.service');
	putFile(join(rig.root, 'dist/signalbox.js'), '');
	expect(await rig.run(['service', 'install', '--print'], env)).toBe(0);
	expect(existsSync(path)).toBe(false);
	expect(await rig.run(['service', 'install'], env)).toBe(0);
	expect(rig.out.at(-1)).toContain('enable --now signalbox');
	const written = readFileSync(path, 'utf8');
	expect(await rig.run(['service', 'install'], env)).toBe(0);
	writeFileSync(path, `${written}# mine\n`);
	for (const word of ['install', 'remove']) expect(await rig.run(['service', word], env)).toBe(1);
	expect(readFileSync(path, 'utf8')).toBe(`${written}# mine\n`);
	writeFileSync(path, written);
	expect(await rig.run(['service', 'remove'], { ...env, OVERTONE_HOME: join(rig.root, 'other') })).toBe(1);
	const wants = join(rig.root, 'config/systemd/user/default.target.wants');
	mkdirSync(wants);
	symlinkSync(path, join(wants, 'signalbox.service'));
	expect(await rig.run(['service', 'remove'], { ...env, PATH: '/of/another/terminal' })).toBe(0);
	expect(existsSync(path)).toBe(false);
	expect(existsSync(wants)).toBe(false);
	expect(await rig.run(['service', 'remove'], env)).toBe(0);
	expect(await rig.run(['service'], env)).toBe(2);
});

test('service remove leaves no empty folder behind where systemd had none', async () => {
	const rig = createInitRig();
	putFile(join(rig.root, 'dist/signalbox.js'), '');
	expect(await rig.run(['service', 'install'])).toBe(0);
	expect(existsSync(join(rig.root, '.config/systemd/user/signalbox.service'))).toBe(true);
	expect(await rig.run(['service', 'remove'])).toBe(0);
	expect(existsSync(join(rig.root, '.config'))).toBe(false);
});

test('service install says that a server of this home runs already: the service would end at once', async () => {
	const rig = createInitRig();
	putFile(join(rig.root, 'dist/signalbox.js'), '');
	const home = join(rig.root, '.overtone');
	putFile(join(home, 'server.lock.json'), '{"pid":4711,"url":"http://x.signalbox.localhost:7777"}');
	const door = createServer((socket) => socket.end());
	await new Promise<void>((resolve) => door.listen(join(home, 'bridge.sock'), resolve));
	onTestFinished(() => void door.close());
	expect(await rig.run(['service', 'install'])).toBe(0);
	expect(rig.err.join('\n')).toMatch(/already runs.*`kill 4711`/);
});
