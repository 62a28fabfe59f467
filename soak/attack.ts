/*
 * `npm run soak attack`: what a program of the same user can do to let its own denied call run, or to have a call run that
 * nobody judged, tried for real against a built server. What needs a decision is tried at the tiers T0, T1 and T2
 * (docs/threat-model.md), the rest at T1. `--only WORDS` tries the ways whose names hold them. Prints a table, with the time until
 * an open page showed it, and counts; exits with 1 when a result is not the expected one, or one was not measured.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { runHook } from '#e2e/rig/hook-process.ts';
import { agentCall } from '#e2e/rig/routing.ts';
import { ATTACKS } from './rig/attacks.ts';
import { EVASIONS } from './rig/evasions.ts';
import { OUTSIDE } from './rig/outside.ts';
import {
	type Attack,
	decide,
	isApproved,
	openSoakFixture,
	type SoakFixture,
	TIERS,
	type Tier,
} from './rig/soak-fixture.ts';
import { openPage, TAMPERINGS } from './rig/tampering.ts';

const { values } = parseArgs({ strict: false, options: { only: { type: 'string' } } });
const only = typeof values.only === 'string' ? values.only : '';

/** The second part: what changes files or processes. */
const TAMPERED: readonly Attack[] = TAMPERINGS.map(({ what, run, worksAt, shows }) => ({
	what,
	run: async (fixture, id) =>
		(await run(fixture, async () => decide(fixture, id, await fixture.token('operator')))) && 'runs',
	worksAt,
	shows,
}));

const WAYS: { way: Attack; tiers: readonly Tier[] }[] = [
	...[...ATTACKS, ...TAMPERED].map((way) => ({ way, tiers: TIERS })),
	...OUTSIDE.map((way) => ({ way, tiers: ['T1'] as const })),
	...EVASIONS.map((way) => ({ way, tiers: ['T1'] as const })),
];
/** On a machine that is busy a call takes a while to wait. */
const CALL_WAITS_MS = 60_000;

/** The id of the first call that waits; null where none does in time. */
async function waitingCall(fixture: SoakFixture): Promise<string | null> {
	for (const until = Date.now() + CALL_WAITS_MS; Date.now() < until; await wait(50)) {
		const { json } = await fixture.send('/api/approvals?state=waiting', {}, fixture.viewer, 'GET');
		const [first] = (json.approvals ?? []) as { approvalId?: string; id?: string }[];
		const id = first?.approvalId ?? first?.id;
		if (id !== undefined) return id;
	}
	return null;
}

const table: Record<string, Partial<Record<Tier, string>>> = {};
const wrong: string[] = [];
const counts = { tried: 0, stopped: 0, works: 0, shown: 0, 'not measured': 0 };
for (const tier of TIERS) {
	for (const { way, tiers } of WAYS) {
		const { what, run, worksAt, trace, shows } = way;
		if (!tiers.includes(tier) || !what.includes(only)) continue;
		const fixture = await openSoakFixture(tier);
		try {
			const call = agentCall({ sessionId: 'victim', cwd: fixture.project, agent: 'architect' });
			const hook = runHook(fixture.server.home, call, { timeoutSeconds: 130 });
			const id = tier === 'T0' ? 'none' : await waitingCall(fixture);
			if (id === null) {
				counts['not measured'] += 1;
				table[what] = { ...table[what], [tier]: 'not measured' };
				console.error(`${tier}: ${what}: NOT MEASURED, its call did not wait within ${CALL_WAITS_MS / 1000} s`);
				hook.kill();
				continue;
			}
			if (tier === 'T0') await hook.ended;
			const page = openPage(fixture.server, fixture.viewer);
			await page.connected;
			// The server has seen the session's project, and what it was like.
			if (shows !== undefined) await new Promise((resolve) => setTimeout(resolve, 3500));
			page.forget();
			const began = performance.now();
			const got = await run(fixture, id);
			// A person's own first click is none of the attacker's.
			const ran = got !== 'stopped' && (got === 'granted' || got === 'runs' || (await isApproved(fixture)));
			const shown = shows === undefined ? undefined : await page.shown(shows, began);
			page.close();
			hook.kill();
			const says = ran ? 'works' : 'stopped';
			const visibility =
				shown === undefined ? '' : shown === null ? ', NOT SHOWN' : `, shown after ${(shown / 1000).toFixed(1)} s`;
			const result = `${ran && trace ? `works (${trace})` : says}${visibility}`;
			table[what] = { ...table[what], [tier]: result };
			counts.tried += 1;
			counts[says] += 1;
			if (shown !== undefined && shown !== null) counts.shown += 1;
			console.error(`${tier}: ${what}: ${result}`);
			if (shown === null) wrong.push(`${tier}: ${what}: not shown within 5 s`);
			if (ran !== worksAt.includes(tier)) wrong.push(`${tier}: ${what}: ${says}`);
		} catch (error) {
			// One that fails keeps no other from being tried.
			counts['not measured'] += 1;
			table[what] = { ...table[what], [tier]: 'not measured' };
			console.error(`${tier}: ${what}: NOT MEASURED, ${error instanceof Error ? error.message : String(error)}`);
		} finally {
			await fixture.server.dispose().catch((error: unknown) => wrong.push(`${tier}: ${what}: ${String(error)}`));
		}
	}
}
console.log('| tried | T0 | T1 | T2 |\n|---|---|---|---|');
for (const [what, results] of Object.entries(table)) {
	console.log(`| ${what} | ${TIERS.map((tier) => results[tier] ?? '').join(' | ')} |`);
}
console.log(
	Object.entries(counts)
		.map(([name, count]) => `${name} ${count}`)
		.join(', '),
);
for (const each of wrong) console.error(`NOT AS EXPECTED: ${each}`);
if (wrong.length > 0 || counts['not measured'] > 0) process.exitCode = 1;
