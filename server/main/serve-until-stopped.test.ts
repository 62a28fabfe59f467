import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { takeInstanceLock } from '../door/instance-lock.ts';
import type { DoorThread } from '../door/start-door-thread.ts';
import { createLog } from '../process/log.ts';
import { packageVersion } from '../process/package-root.ts';
import { serveUntilStopped } from './serve-until-stopped.ts';

/** Never listens: the home is another server's. */
const door = { stop: async () => undefined } as DoorThread;

test('R82 a second start says where the first one runs, how to stop it, and of which version it is', async () => {
	const home = mkdtempSync(join(tmpdir(), 'signalbox-second-'));
	const ownLog = console.log;
	const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
	onTestFinished(() => {
		console.log = ownLog;
		write.mockRestore();
		rmSync(home, { recursive: true });
	});
	const first = takeInstanceLock(join(home, 'server.lock'));
	if (!first.taken) throw new Error('The lock of a new home is taken.');
	first.lock.announce('http://x:1');
	const secondSays = async () => {
		write.mockClear();
		const log = createLog(() => undefined);
		expect(await serveUntilStopped({ OVERTONE_HOME: home, NODE_ENV: 'development' }, door, log)).toBe(0);
		return write.mock.calls.join('');
	};
	const running = `Signalbox already runs at http://x:1 (process ${process.pid}). `;
	const same = await secondSays();
	expect(same).toContain(running);
	expect(same).toContain(`else with \`kill ${process.pid}\`.`);
	expect(same).not.toContain('this is');
	const older = { pid: process.pid, url: 'http://x:1', version: '0.0.1' };
	writeFileSync(join(home, 'server.lock.json'), JSON.stringify(older));
	expect(await secondSays()).toContain(
		`${running}It runs 0.0.1, this is ${packageVersion()}: stop it and start again. `,
	);
	first.lock.release();
});
