/*
 * `npm run soak attack`: what a program of the same user can do to let its own denied call run, or to have a call run that
 * nobody judged, tried for real against a built server. What needs a decision is tried at the tiers T0, T1 and T2
 * (docs/threat-model.md), the rest at T1. `--only WORDS` tries the ways whose names hold them. Prints a table, with the time until
 * an open page showed it, and counts; exits with 1 when a result is not the expected one.
 */
import { parseArgs } from 'node:util';
import { runHook } from '#e2e/rig/hook-process.ts';
import { agentCall } from '#e2e/rig/routing.ts';
import { ATTACKS } from './rig/attacks.ts';
import { EVASIONS } from './rig/evasions.ts';
import { type Attack, decide, isApproved, openSoakFixture, TIERS, type Tier } from './rig/soak-fixture.ts';
import { openPage, TAMPERINGS } from './rig/tampering.ts';

const { values } = parseArgs({ strict: false, options: { only: { type: 'string' } } });
const only = typeof values.only === 'string' ? values.only : '';

/** The second part: what changes files or processes. */
const TAMPERED: readonly Attack[] = TAMPERINGS.map(({ what, run, worksAt, shows }) => ({
	what,
	run: async (world, id) => (await run(world, async () => decide(world, id, await world.token('operator')))) && 'runs',
	worksAt,
	shows,
}));

const WAYS: { way: Attack; tiers: readonly Tier[] }[] = [
	...[...ATTACKS, ...TAMPERED].map((way) => ({ way, tiers: TIERS })),
	...EVASIONS.map((way) => ({ way, tiers: ['T1'] as const })),
];
const table: Record<string, Partial<Record<Tier, string>>> = {};
const wrong: string[] = [];
const counts = { tried: 0, stopped: 0, works: 0, shown: 0 };
for (const tier of TIERS) {
	for (const { way, tiers } of WAYS) {
		const { what, run, worksAt, trace, shows } = way;
		if (!tiers.includes(tier) || !what.includes(only)) continue;
		const world = await openSoakFixture(tier);
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
			// A person's own first click is none of the attacker's.
			const ran = got !== 'stopped' && (got === 'granted' || got === 'runs' || (await isApproved(world)));
			const shown = shows === undefined ? undefined : await page.shown(shows, began);
			page.close();
			hook.kill();
			const says = ran ? 'works' : 'stopped';
			const sight =
				shown === undefined ? '' : shown === null ? ', NOT SHOWN' : `, shown after ${(shown / 1000).toFixed(1)} s`;
			const result = `${ran && trace ? `works (${trace})` : says}${sight}`;
			table[what] = { ...table[what], [tier]: result };
			counts.tried += 1;
			counts[says] += 1;
			if (shown !== undefined && shown !== null) counts.shown += 1;
			console.error(`${tier}: ${what}: ${result}`);
			if (shown === null) wrong.push(`${tier}: ${what}: not shown within 5 s`);
			if (ran !== worksAt.includes(tier)) wrong.push(`${tier}: ${what}: ${says}`);
		} finally {
			await world.server.dispose();
		}
	}
}
console.log('| tried | T0 | T1 | T2 |\n|---|---|---|---|');
for (const [what, results] of Object.entries(table)) {
	console.log(`| ${what} | ${TIERS.map((tier) => results[tier] ?? '').join(' | ')} |`);
}
console.log(`tried ${counts.tried}, stopped ${counts.stopped}, works ${counts.works}, shown ${counts.shown}`);
for (const each of wrong) console.error(`NOT AS EXPECTED: ${each}`);
if (wrong.length > 0) process.exitCode = 1;
