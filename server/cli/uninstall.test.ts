import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { takeInstanceLock } from '../door/instance-lock.ts';
import { packageVersion } from '../process/package-root.ts';
import { createInitRig, putFile } from '../testing/init-rig.ts';
import { openDatabase } from '../timeline/store/open-database.ts';

function createUninstallRig() {
	const rig = createInitRig();
	const env = { XDG_CONFIG_HOME: join(rig.root, 'config'), PATH: '/bin' };
	const home = join(rig.root, '.overtone');
	const other = join(rig.root, 'other shop');
	mkdirSync(other);
	putFile(join(rig.root, 'dist/signalbox.js'), '');
	return { ...rig, home, other, run: (...args: string[]) => rig.run(args, env) };
}

test('R2700 uninstall takes hooks and service back byte for byte; the home stays until --yes', async () => {
	const { root, project, other, home, run, err } = createUninstallRig();
	const own = join(other, '.claude/settings.json');
	putFile(own, '{ "model": "x" }');
	for (const dir of [project, other]) expect(await run('init', '--project', dir, '--agent', 'claude-code')).toBe(0);
	expect(await run('service', 'install')).toBe(0);

	expect(await run('uninstall')).toBe(0);
	expect(existsSync(join(project, '.claude'))).toBe(false);
	expect(existsSync(join(project, '.overtone'))).toBe(false);
	expect(readFileSync(own, 'utf8')).toBe('{ "model": "x" }');
	expect(existsSync(join(root, 'config/systemd/user/signalbox.service'))).toBe(false);
	expect(existsSync(join(home, 'bin/hook.sh'))).toBe(true);
	expect(err.join('\n')).toContain('signalbox uninstall --yes');

	expect(await run('uninstall', '--yes')).toBe(0);
	expect(existsSync(home)).toBe(false);
	expect(await run('uninstall', '--yes')).toBe(0);
	expect(existsSync(home)).toBe(false);
});

test('R2700 the home stays while its server runs, and while hooks could not be removed', async () => {
	const { project, home, run, err } = createUninstallRig();
	expect(await run('init', '--agent', 'claude-code')).toBe(0);
	const held = takeInstanceLock(join(home, 'server.lock'));
	expect(await run('uninstall', '--yes')).toBe(1);
	expect(err.join()).toContain(`else with \`kill ${process.pid}\`. Then run \`signalbox uninstall\` again.`);
	if (held.taken) held.lock.release();

	writeFileSync(join(project, '.claude/settings.json'), '{ half');
	expect(await run('uninstall', '--yes')).toBe(1);
	expect(readFileSync(join(project, '.claude/settings.json'), 'utf8')).toBe('{ half');
	expect(existsSync(join(home, 'bin/hook.sh'))).toBe(true);
});

test('R2700 what a person keeps in the home is named and stays', async () => {
	const { home, run, err } = createUninstallRig();
	expect(await run('init', '--agent', 'claude-code')).toBe(0);
	putFile(join(home, 'notes.txt'), 'mine');
	expect(await run('uninstall', '--yes')).toBe(0);
	expect(readFileSync(join(home, 'notes.txt'), 'utf8')).toBe('mine');
	expect(existsSync(join(home, 'bin'))).toBe(false);
	expect(err.join()).toContain('notes.txt');
});

test('R82 status reports a server of another version, and how to stop it', async () => {
	const { home, run, out } = createUninstallRig();
	mkdirSync(home);
	const door = createServer().listen(join(home, 'bridge.sock'));
	onTestFinished(() => void door.close());
	const statusWith = async (version: object) => {
		out.length = 0;
		putFile(join(home, 'server.lock.json'), JSON.stringify({ pid: 41, url: 'http://x:1', ...version }));
		expect(await run('status')).toBe(0);
		return out.join('\n');
	};
	expect(await statusWith({ version: packageVersion() })).not.toContain('this is');
	const other = `this is ${packageVersion()}: stop it and start again. Stop it with Ctrl+C where it was started`;
	expect(await statusWith({ version: '0.0.1' })).toContain(`It runs 0.0.1, ${other}`);
	expect(await statusWith({})).toContain(`It runs an earlier version, ${other}`);
});

test('status names the version, the home, the hooks and the registered projects, and makes nothing', async () => {
	const { project, home, run, out } = createUninstallRig();
	expect(await run('status')).toBe(1);
	expect(existsSync(home)).toBe(false);
	expect(await run('init', '--agent', 'claude-code')).toBe(0);
	out.length = 0;
	expect(await run('status')).toBe(1);
	expect(out.join('\n')).toMatch(/Server +not running[\s\S]*Hooks +of this version/);
	expect(out.join('\n')).toContain(project);
	const index = openDatabase(join(home, 'index.db'));
	index.exec("CREATE TABLE views (json TEXT); INSERT INTO views VALUES ('{}')");
	index.prepare('UPDATE views SET json = ?').run(JSON.stringify({ cwd: project }));
	index.close();
	expect(await run('init', '--remove')).toBe(0);
	out.length = 0;
	expect(await run('status')).toBe(1);
	expect(out.at(-1)).toMatch(/Projects +none/);
});
