import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { adapterOf } from '#hooks-bridge/agents/adapter-of.ts';
import { respond } from '#hooks-bridge/engine/respond.ts';
import type { GrantBody } from '#lib/contract/approvals/grants.ts';
import {
	createServiceHome,
	decisionIn,
	deniedCall,
	hookHeaders,
	operator,
	type ServiceRig,
	startService,
} from '../../testing/service-rig.ts';
import type { JournalStore } from '../../timeline/store/journal-store.ts';
import { demandDecided } from './grant-subject.ts';

const rigs: ServiceRig[] = [];
async function openRig(options: Parameters<typeof startService>[0] = {}): Promise<ServiceRig> {
	const rig = await startService({ forcedHoldSeconds: 0, ...options });
	rigs.push(rig);
	return rig;
}
afterEach(async () => {
	await Promise.all(rigs.splice(0).map((rig) => rig.stop()));
});

let calls = 0;
/** One denied-by-the-plan call through the door; a fresh id and another prompt each time, as a retry has. */
async function attempt(rig: ServiceRig, extra: Record<string, unknown> = {}) {
	const id = `toolu_${calls++}`;
	const input = { subagent_type: 'architect', description: 'Design it', prompt: `try ${calls}` };
	const answer = await rig.post(deniedCall(rig.project, id, { tool_input: input, ...extra }));
	return { id, ...decisionIn(answer.body) };
}
async function grant(rig: ServiceRig, toolUseId: string, terms: Partial<GrantBody> = {}, sessionId = 's1') {
	const subject = await rig.denied({ sessionId, toolUseId });
	return rig.grants.create(subject, { scope: 'once', reason: 'we need it', ...terms }, operator);
}
const eventsOf = (rig: ServiceRig, type: string, sessionId?: string) =>
	rig.timeline(sessionId).filter((event) => event.type === type);

test('R600 R603 R604 a denial that nobody held is overridden once: exactly the next try runs, and says by whom and why', async () => {
	const rig = await openRig();
	const first = await attempt(rig);
	expect(first.decision).toBe('deny');
	const made = await grant(rig, first.id);
	expect(made).toMatchObject({
		state: 'active',
		scope: 'once',
		tool: 'Task',
		title: 'Design it',
		uses: 0,
		by: operator,
	});
	expect(made.covers).toMatchObject([
		{ gate: 'routing-plan', rule: 'routing.agent-in-plan', words: expect.stringContaining('plan plan-1 of project /') },
	]);
	expect(Date.parse(made.expires) - Date.parse(made.createdAt)).toBeCloseTo(3_600_000, -3);

	const second = await attempt(rig);
	expect(second).toMatchObject({
		decision: 'allow',
		reason: 'Allowed by a grant of an operator in Signalbox: "we need it"',
	});
	expect(eventsOf(rig, 'grant:use')).toMatchObject([
		{ grantId: made.id, toolUseId: second.id, reason: 'we need it', by: operator },
	]);
	expect(eventsOf(rig, 'agent:delegate')).toMatchObject([{ toolUseId: second.id }]);
	expect(rig.timeline().findIndex(({ type }) => type === 'grant:use')).toBeLessThan(
		rig.timeline().findIndex(({ type }) => type === 'agent:delegate'),
	);
	expect((await attempt(rig)).decision).toBe('deny');
	expect(rig.grants.list('used', 10)).toMatchObject([{ id: made.id, uses: 1, lastUse: { toolUseId: second.id } }]);
	expect(rig.grants.list('active', 10)).toEqual([]);
});

test('R603 of ten retries at once exactly one gets a grant for one', async () => {
	const rig = await openRig();
	await grant(rig, (await attempt(rig)).id);
	const tries = await Promise.all(Array.from({ length: 10 }, () => attempt(rig)));
	expect(tries.filter(({ decision }) => decision === 'allow')).toHaveLength(1);
	expect(eventsOf(rig, 'grant:use')).toHaveLength(1);
});

test('R601 a grant for the session serves it again and again, and no other session, agent or plan', async () => {
	const rig = await openRig();
	await grant(rig, (await attempt(rig)).id, { scope: 'session' });
	expect((await attempt(rig)).decision).toBe('allow');
	expect((await attempt(rig, { tool_name: 'Agent' })).decision).toBe('allow');
	expect((await attempt(rig, { session_id: 's2' })).decision).toBe('deny');
	expect((await attempt(rig, { tool_input: { subagent_type: 'tester', prompt: 'x' } })).decision).toBe('deny');
	const path = join(rig.project, '.vibe-engine/routing-state.json');
	const plan = JSON.parse(readFileSync(path, 'utf8'));
	writeFileSync(path, JSON.stringify({ ...plan, planId: 'plan-2' }));
	expect((await attempt(rig)).decision).toBe('deny');
});

test('R601 a grant for the project serves all its sessions and does not leak to another project', async () => {
	const rig = await openRig();
	await grant(rig, (await attempt(rig)).id, { scope: 'project' });
	expect((await attempt(rig, { session_id: 's2' })).decision).toBe('allow');
	const other = createServiceHome(join(rig.home, 'elsewhere')).project;
	expect((await attempt(rig, { cwd: other })).decision).toBe('deny');
	expect((await attempt(rig, { cwd: other, session_id: 's3' })).decision).toBe('deny');
});

test('a call that is also denied by something else uses up no grant', async () => {
	let isRepeated = false;
	const rig = await openRig({
		release: (held) =>
			isRepeated
				? {
						output: adapterOf().print(held.decision, held.hook),
						repeatedDenial: { gate: 'other', rule: 'other.rule', reason: 'new' },
					}
				: { output: { allowed: true } },
	});
	const made = await grant(rig, (await attempt(rig)).id);
	const covers = made.covers.map((cover) => ({ ...cover, gate: 'stage-guard' }));
	const other = await rig.denied({ sessionId: 's1', toolUseId: made.toolUseId });
	await rig.grants.create({ ...other, covers }, { scope: 'session', reason: 'another gate' }, operator);
	isRepeated = true;
	expect((await attempt(rig)).decision).toBe('deny');
	expect(eventsOf(rig, 'grant:use')).toEqual([]);
	isRepeated = false;
	expect((await rig.post(deniedCall(rig.project, 'toolu_last'))).body).toBe('{"allowed":true}');
});

test('R605 a grant ends by revoking, of two who revoke one wins, and by its time on either clock', async () => {
	const rig = await openRig();
	const { id } = await attempt(rig);
	const one = await grant(rig, id, { scope: 'session' });
	const ends = await Promise.allSettled([
		rig.grants.revoke(one.id, { reason: 'no more' }, operator),
		rig.grants.revoke(one.id, {}, operator),
	]);
	expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
	await expect(rig.grants.revoke(one.id, {}, operator)).rejects.toMatchObject({ code: 'grant/ended' });
	await expect(rig.grants.revoke('no-such-grant', {}, operator)).rejects.toMatchObject({ code: 'grant/not-found' });
	expect((await attempt(rig)).decision).toBe('deny');

	const two = await grant(rig, id, { scope: 'session', expiresInSeconds: 60 });
	await rig.advance(59_000);
	expect((await attempt(rig)).decision).toBe('allow');
	await rig.advance(1_500);
	expect((await attempt(rig)).decision).toBe('deny');
	expect(rig.grants.list('expired', 10)).toMatchObject([{ id: two.id }]);
	expect(eventsOf(rig, 'grant:expire')).toHaveLength(1);
	expect(rig.grants.list(undefined, 10).map(({ state }) => state)).toEqual(['expired', 'revoked']);
});

test('R605 a clock that is set back prolongs no grant', async () => {
	const rig = await openRig();
	await grant(rig, (await attempt(rig)).id, { expiresInSeconds: 60 });
	rig.setClockBack(3_600_000);
	await rig.advance(61_000);
	expect((await attempt(rig)).decision).toBe('deny');
});

test('R603 R605 what is active is found again after a restart; what lapsed meanwhile is ended', async () => {
	const before = await openRig();
	const { id } = await attempt(before);
	await grant(before, id, { scope: 'session' });
	const gone = await grant(before, id, { scope: 'project', expiresInSeconds: 60 });
	await before.stop();
	rigs.splice(0);
	const after = await openRig({ home: before.home, skewMs: 120_000 });
	expect(after.grants.list('active', 10)).toMatchObject([{ scope: 'session' }]);
	expect(after.grants.list('expired', 10)).toMatchObject([{ id: gone.id }]);
	expect((await attempt(after)).decision).toBe('allow');
});

test('R604 a grant whose use cannot be written is not used: the call stays denied', async () => {
	let fails = false;
	const wrapJournal = (journal: JournalStore): JournalStore => ({
		...journal,
		append: (draft, unless) =>
			fails && draft.kind === 'grant:use' ? Promise.reject(new Error('disk full')) : journal.append(draft, unless),
	});
	const rig = await openRig({ wrapJournal });
	await grant(rig, (await attempt(rig)).id);
	fails = true;
	expect((await attempt(rig)).decision).toBe('deny');
	expect(eventsOf(rig, 'agent:delegate')).toEqual([]);
	expect(rig.logged.join()).toContain('the use of a grant could not be written');
	fails = false;
	expect((await attempt(rig)).decision).toBe('allow');
});

test('a second run of a granted call prints the same answer and uses nothing more', async () => {
	const rig = await openRig();
	await grant(rig, (await attempt(rig)).id);
	const call = deniedCall(rig.project, 'toolu_twice');
	const run = async (name: string) => {
		const { location = '', body } = await rig.post(call, hookHeaders(name));
		return [decisionIn(body).decision, decisionIn((await rig.poll(location)).body).decision];
	};
	// The denial is kept while the use is written.
	expect(await Promise.all([run('run-1'), run('run-2')])).toEqual(Array(2).fill(['deny', 'allow']));
	expect(await run('run-1')).toEqual(['deny', 'allow']);
	expect(eventsOf(rig, 'grant:use')).toHaveLength(1);
});

test('R600 an expired question is overridden afterwards; the next try is not asked again', async () => {
	const rig = await openRig({ forcedHoldSeconds: null });
	const polled = rig.next<string>('waiting');
	const { printed } = rig.hook(deniedCall(rig.project, 'toolu_held'));
	const approvalId = await polled;
	expect(() => demandDecided({ approvalId }, { approval: rig.service.get })).toThrow(
		expect.objectContaining({ code: 'grant/waiting' }),
	);
	await rig.advance(130_000);
	expect(decisionIn((await printed).stdout).decision).toBe('deny');
	await rig.grants.create(await rig.denied({ approvalId }), { scope: 'once', reason: 'late, but yes' }, operator);
	const { stdout } = await rig.hook(deniedCall(rig.project, 'toolu_retry')).printed;
	expect(decisionIn(stdout).decision).toBe('allow');
	expect(eventsOf(rig, 'approval:request')).toHaveLength(1);
});

test('R600 a gate that keeps its denials from people can still be overridden afterwards', async () => {
	const rig = await openRig({ forcedHoldSeconds: 60 });
	writeFileSync(join(rig.home, 'config.json'), JSON.stringify({ gates: { routing: { hold: false } } }));
	const { id, decision } = await attempt(rig);
	expect(decision).toBe('deny');
	await grant(rig, id);
	expect((await attempt(rig)).decision).toBe('allow');
});

test('without a server no grant is used', async () => {
	const rig = await openRig();
	await grant(rig, (await attempt(rig)).id, { scope: 'project' });
	const fallback = respond(deniedCall(rig.project, 'toolu_offline'), { requestId: 'r', profile: 'open' }, rig.ports);
	expect(decisionIn(JSON.stringify(fallback.output)).decision).toBe('deny');
	expect(eventsOf(rig, 'grant:use')).toEqual([]);
});

test('the agent reads of the retry in the reason, and only from a server', async () => {
	const rig = await openRig();
	expect((await attempt(rig)).reason).toBe('Agent mismatch: architect not in expected [developer]');
	writeFileSync(join(rig.home, 'config.json'), JSON.stringify({ gates: { routing: { onMismatch: 'deny' } } }));
	expect((await attempt(rig)).reason).toBe(
		'Agent mismatch: architect not in expected [developer]. If the call is needed, tell your user: a person can allow a retry of it in Signalbox.',
	);
	const fallback = respond(deniedCall(rig.project, 'toolu_offline'), { requestId: 'r', profile: 'open' }, rig.ports);
	expect(decisionIn(JSON.stringify(fallback.output)).reason).toBe(
		'Agent mismatch: architect not in expected [developer]',
	);
});

test('R805 a home that only observes asks nobody, uses no grant, and offers no retry', async () => {
	const rig = await openRig({ forcedHoldSeconds: 60 });
	const held = rig.post(deniedCall(rig.project, 'toolu_first'), hookHeaders('run-first'));
	expect((await held).status).toBe(303);
	const config = join(rig.home, 'config.json');
	writeFileSync(config, '{"approvals":{"observe":true}}');
	const first = await attempt(rig);
	expect(first.decision).toBe('deny');
	await grant(rig, first.id, { scope: 'session' });
	const observed = await rig.post(deniedCall(rig.project, 'toolu_second'), hookHeaders('run-second'));
	expect(observed.status).toBe(200);
	expect(decisionIn(observed.body).decision).toBe('deny');
	expect(observed.body).not.toContain('a person can allow');
	expect(rig.grants.list('active', 10)).toMatchObject([{ uses: 0 }]);
	writeFileSync(config, '{}');
	expect((await attempt(rig)).decision).toBe('allow');
	// A project tightens: what it does not want to be asked is not asked, whatever the person's file says.
	mkdirSync(join(rig.project, '.overtone'), { recursive: true });
	writeFileSync(join(rig.project, '.overtone/config.json'), '{"approvals.observe":true}');
	expect((await attempt(rig)).decision).toBe('deny');
});
