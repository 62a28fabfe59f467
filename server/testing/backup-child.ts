import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { writeBackup } from '../archives/backup/write-backup.ts';

/*
 * Backs up a home and is killed before its n-th change of the disk, for the test of what that leaves.
 * Arguments: home, target, n.
 */
const [home = '', target = '', deadline = '0'] = process.argv.slice(2);
let changes = 0;

function dieBefore<Args extends unknown[], T>(change: (...args: Args) => T): (...args: Args) => T {
	return (...args) => {
		changes += 1;
		if (changes === Number(deadline)) process.kill(process.pid, 'SIGKILL');
		return change(...args);
	};
}

Object.assign(fs, {
	writeSync: dieBefore(fs.writeSync),
	fsyncSync: dieBefore(fs.fsyncSync),
	linkSync: dieBefore(fs.linkSync),
	rmSync: dieBefore(fs.rmSync),
});
syncBuiltinESMExports();
await writeBackup(home, target, 0);
process.stdout.write(String(changes));
