/*
 * `npm run soak self-approval`: what a program of the same user can do to let its own denied call run, tried for real
 * against a built server at the tiers T0, T1 and T2 (docs/threat-model.md). Prints a table, with the time until an open page showed
 * it; exits with 1 when something that must be stopped was not, or was not shown within five seconds.
 */
import { runHook } from '#e2e/rig/hook-process.ts';
import { agentCall } from '#e2e/rig/routing.ts';
import { ATTACKS } from './rig/attacks.ts';
import { openPage, TAMPERINGS } from './rig/tampering.ts';
import { type Attack, decide, isApproved, openWorld } from './rig/world.ts';

/** The second part: what changes files or processes. */
const TAMPERED: readonly Attack[] = TAMPERINGS.map(({ what, run, worksAt, shows }) => ({
	what,
	run: async (world, id) => (await run(world, async () => decide(world, id, await world.token('operator')))) && 'runs',
	worksAt,
	shows,
}));

const table: Record<string, string[]> = {};
const wrong: string[] = [];
for (const tier of ['T0', 'T1', 'T2'] as const) {
	for (const { what, run, worksAt, trace, shows } of [...ATTACKS, ...TAMPERED]) {
		const world = await openWorld(tier);
		try {
			const call = agentCall({ sessionId: 'victim', cwd: world.project, agent: 'architect' });
			const hook = runHook(world.server.home, call, { timeoutSeconds: 130 });
			let id = 'none';
			for (let look = 0; tier !== 'T0' && id === 'none' && look < 200; look += 1) {
				const { json } = await world.send('/api/approvals?state=waiting', {}, world.viewer, 'GET');
				const [first] = (json.approvals ?? []) as { approvalId?: string; id?: string }[];
				id = first?.approvalId ?? first?.id ?? 'none';
			}
			if (tier !== 'T0' && id === 'none') throw new Error('the call does not wait');
			if (tier === 'T0') await hook.ended;
			const page = openPage(world.server, world.viewer);
			await page.connected;
			// The server has seen the session's project, and what it was like.
			if (shows !== undefined) await new Promise((resolve) => setTimeout(resolve, 3500));
			page.forget();
			const began = performance.now();
			const got = await run(world, id);
			const ran = got === 'granted' || got === 'runs' || (await isApproved(world));
			const shown = shows === undefined ? undefined : await page.shown(shows, began);
			page.close();
			hook.kill();
			const says = ran ? 'works' : 'stopped';
			const sight =
				shown === undefined ? '' : shown === null ? ', NOT SHOWN' : `, shown after ${(shown / 1000).toFixed(1)} s`;
			const result = `${ran && trace ? `works (${trace})` : says}${sight}`;
			table[what] = [...(table[what] ?? []), result];
			console.error(`${tier}: ${what}: ${result}`);
			if (shown === null) wrong.push(`${tier}: ${what}: not shown within 5 s`);
			if (ran !== worksAt.includes(tier)) wrong.push(`${tier}: ${what}: ${says}`);
		} finally {
			await world.server.dispose();
		}
	}
}
console.log('| tried | T0 | T1 | T2 |\n|---|---|---|---|');
for (const [what, results] of Object.entries(table)) console.log(`| ${what} | ${results.join(' | ')} |`);
for (const each of wrong) console.error(`NOT AS EXPECTED: ${each}`);
if (wrong.length > 0) process.exitCode = 1;
