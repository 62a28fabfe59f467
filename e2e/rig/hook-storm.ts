import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type HookEnd, runFallback, runHook } from './hook-process.ts';
import { type RunningServer, startServer } from './running-server.ts';
import { signalbox } from './signalbox-command.ts';
import { type StormHook, stormHooks } from './storm-hooks.ts';
import { seededRandom } from './storm-random.ts';

/** So many hooks run beside each other. */
export const HOOKS_AT_ONCE = 16;
/** Most hooks go to one session, in which a workflow runs; another one has a workflow too. */
const SESSIONS = ['storm-main', 'storm-main', 'storm-main', 'storm-second', 'storm-plain'] as const;
const WITH_WORKFLOW = ['storm-main', 'storm-second'] as const;

/** A hook that has ended, by which way it came, and what it printed. */
export interface StormRun extends StormHook {
	way: 'door' | 'offline';
	end: HookEnd;
}

/** What a storm has left; the server runs. */
export interface Storm {
	server: RunningServer;
	project: string;
	runs: readonly StormRun[];
	/** How often the server was killed with SIGKILL and started again. */
	kills: number;
	dispose(): Promise<void>;
}

/**
 * 16 hooks at a time, each a process, for some seconds: hook.sh through the door and hook.cjs without a server, mixed,
 * against sessions with and without a running workflow, while the server, if asked, is killed
 * and started again.
 */
export async function runHookStorm(options: { seconds: number; seed: number; kills: boolean }): Promise<Storm> {
	const random = seededRandom(options.seed);
	const server = await startServer({ SIGNALBOX_HOLD_SECONDS: '0', OVERTONE_NO_DASHBOARD: '1' });
	const project = join(server.home, 'shop');
	mkdirSync(join(project, '.vibe-engine'), { recursive: true });
	for (const sessionId of WITH_WORKFLOW) {
		await signalbox(server.home, ['workflow', 'start', 'standard', '--session', sessionId], project);
	}
	const runs: StormRun[] = [];
	const until = Date.now() + options.seconds * 1000;
	let serial = 0;

	async function run(hook: StormHook): Promise<HookEnd> {
		const way = random.below(3) === 0 ? 'offline' : 'door';
		const { sessionId, input } = hook;
		const env = { CLAUDE_CODE_SESSION_ID: sessionId };
		const end = await (way === 'door' ? runHook(server.home, input, { env }).ended : runFallback(server.home, input));
		runs.push({ ...hook, way, end });
		return end;
	}

	async function work(): Promise<void> {
		while (Date.now() < until) {
			serial += 1;
			for (const hook of stormHooks(random.pick(SESSIONS), project, serial, random)) {
				const end = await run(hook);
				if (hook.decides && end.stdout.includes('"deny"')) break;
			}
		}
	}

	let kills = 0;
	async function killServer(): Promise<void> {
		while (Date.now() < until) {
			await new Promise((resolve) => setTimeout(resolve, 500 + random.below(1500)));
			await server.kill();
			kills += 1;
			await new Promise((resolve) => setTimeout(resolve, random.below(500)));
			await server.start();
		}
	}

	await Promise.all([options.kills && killServer(), ...Array.from({ length: HOOKS_AT_ONCE }, work)]);
	return { server, project, runs, kills, dispose: () => server.dispose() };
}
