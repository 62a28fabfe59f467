import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { archiveFeature } from '../features/archive-feature.ts';
import { createNodePorts } from '../node/node-ports.ts';

/*
 * Archives a feature and is killed before its n-th change of the disk, for the tests of what a crash leaves.
 * Arguments: project, feature, state root, clock (ms), n.
 */
const [project = '', feature = '', home = '', clock = '0', deadline = '0'] = process.argv.slice(2);
let changes = 0;

function dieBefore<Args extends unknown[], T>(change: (...args: Args) => T): (...args: Args) => T {
	return (...args) => {
		changes += 1;
		if (changes === Number(deadline)) process.kill(process.pid, 'SIGKILL');
		return change(...args);
	};
}

const now = () => Number(clock);
const ports = createNodePorts({ home, now });
Object.assign(fs, {
	mkdirSync: dieBefore(fs.mkdirSync),
	writeFileSync: dieBefore(fs.writeFileSync),
	renameSync: dieBefore(fs.renameSync),
	writeSync: dieBefore(fs.writeSync),
});
syncBuiltinESMExports();
const outcome = archiveFeature(project, feature, { home, now, append: (id, events) => ports.append(id, events) });
process.stdout.write(outcome.ok ? outcome.folder : outcome.code);
