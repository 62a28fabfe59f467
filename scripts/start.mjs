/*
 * `npm start`: from a fresh clone to a running server. Arguments are handed on (`npm start -- --port 7001`).
 */
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensurePackages, exitWithAdvice, ROOT } from './requirements.mjs';

try {
	ensurePackages();
} catch (error) {
	exitWithAdvice(error);
}

const build = spawnSync(process.execPath, [join(ROOT, 'scripts/build.mjs')], {
	stdio: ['ignore', 'inherit', 'inherit'],
	env: { ...process.env, SIGNALBOX_BUILD_ONCE: '1' },
});
if (build.status !== 0) process.exit(build.status ?? 1);

const server = spawn(
	process.execPath,
	['--enable-source-maps', join(ROOT, 'dist/signalbox.js'), 'start', ...process.argv.slice(2)],
	{ stdio: 'inherit', env: { ...process.env, NODE_ENV: 'production' } },
);

// The server decides when it has stopped; this process lives exactly as long.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => server.kill(signal));
server.on('exit', (code, signal) => {
	if (signal === null) process.exit(code ?? 1);
	process.removeAllListeners(signal);
	process.kill(process.pid, signal);
});
