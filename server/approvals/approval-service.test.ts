import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { soakCounts, soakRuns } from '#soak/rig/soak-runs.ts';
import {
	decisionIn,
	deniedCall,
	hookHeaders,
	operator,
	type ServiceRig,
	startService,
} from '../testing/service-rig.ts';
import type { JournalStore } from '../timeline/store/journal-store.ts';
import type { Presence } from './presence.ts';

const rigs: ServiceRig[] = [];
async function openRig(options?: Parameters<typeof startService>[0]): Promise<ServiceRig> {
	const rig = await startService(options);
	rigs.push(rig);
	return rig;
}
afterEach(async () => {
	await Promise.all(rigs.splice(0).map((rig) => rig.stop()));
});

/** A hook that waits with the real hook.sh; resolves when its ticket is polled. */
async function waitingHook(rig: ServiceRig, call: unknown, environment?: Record<string, string>) {
	const polled = rig.next<string>('waiting');
	const hook = rig.hook(call, environment);
	return { ...hook, id: await polled };
}

const ends = (rig: ServiceRig, id: string) =>
	rig.timeline().filter((event) => event.approvalId === id && event.type !== 'approval:request');

test('a person approves: the hook prints allow with who and why', async () => {
	const rig = await openRig();
	const { id, printed } = await waitingHook(rig, deniedCall(rig.project, 'toolu_1'));
	expect(rig.service.list('waiting', 10)).toMatchObject([
		{ id, tool: 'Task', title: 'Design it', toolUseId: 'toolu_1' },
	]);
	const record = await rig.service.decide(id, { decision: 'approve', reason: 'we need a design' }, operator);
	expect(record).toMatchObject({ state: 'approved', reason: 'we need a design', by: operator });
	const { stdout, code } = await printed;
	expect(code).toBe(0);
	expect(decisionIn(stdout)).toEqual({
		decision: 'allow',
		reason: expect.stringMatching(/operator.*we need a design/),
	});
	expect(rig.timeline().map((event) => event.type)).toEqual(
		expect.arrayContaining(['gate:verdict', 'approval:request', 'approval:resolve', 'agent:delegate']),
	);
});

test('a person denies: the hook prints the denial with the person’s words', async () => {
	const rig = await openRig();
	const { id, printed } = await waitingHook(rig, deniedCall(rig.project, 'toolu_1'));
	await rig.service.decide(id, { decision: 'deny', reason: 'ask the developer' }, operator);
	expect(decisionIn((await printed).stdout)).toEqual({
		decision: 'deny',
		reason: expect.stringContaining('ask the developer'),
	});
	expect(rig.timeline().some((event) => event.type === 'agent:delegate')).toBe(false);
});

test('R90 DashClaw: nobody decides in time: the kept denial is printed and a late decision is refused', async () => {
	const rig = await openRig();
	const { id, printed } = await waitingHook(rig, deniedCall(rig.project, 'toolu_1'));
	await rig.advance(50_000);
	expect(decisionIn((await printed).stdout).decision).toBe('deny');
	expect(ends(rig, id).map((event) => event.type)).toEqual(['approval:expire']);
	await expect(rig.service.decide(id, { decision: 'approve' }, operator)).rejects.toMatchObject({ status: 410 });
});

test('R85 DashClaw: a second decision gets 409, an unknown approval 404, an answer to no question 400', async () => {
	const rig = await openRig();
	const { id, printed } = await waitingHook(rig, deniedCall(rig.project, 'toolu_1'));
	await expect(rig.service.decide(id, { decision: 'answer' }, operator)).rejects.toMatchObject({ status: 400 });
	await rig.service.decide(id, { decision: 'deny' }, operator);
	await expect(rig.service.decide(id, { decision: 'approve' }, operator)).rejects.toMatchObject({ status: 409 });
	await expect(rig.service.decide('no-such-id', { decision: 'deny' }, operator)).rejects.toMatchObject({ status: 404 });
	await printed;
});

test('R88 A2: of two people deciding at once exactly one wins', async () => {
	const rig = await openRig();
	const { numRuns } = soakRuns('A2', 10, 1000);
	let approved = 0;
	for (let n = 0; n < numRuns; n += 1) {
		const opened = await rig.post(deniedCall(rig.project, `toolu_${n}`), hookHeaders(`run-${n}`));
		expect(opened.status).toBe(303);
		const location = opened.location ?? '';
		const id = location.replace('/tickets/', '');
		const polled = rig.poll(location);
		// Each of them is first every other time.
		const both = n % 2 === 0 ? (['approve', 'deny'] as const) : (['deny', 'approve'] as const);
		const tries = await Promise.allSettled(both.map((decision) => rig.service.decide(id, { decision }, operator)));
		expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
		const [lost] = tries.filter((result) => result.status === 'rejected');
		expect(lost?.reason).toMatchObject({ status: 409 });
		const won = rig.service.get(id)?.state;
		expect(decisionIn((await polled).body).decision).toBe(won === 'approved' ? 'allow' : 'deny');
		expect(ends(rig, id)).toHaveLength(1);
		if (won === 'approved') approved += 1;
	}
	soakCounts('A2', { approved, denied: numRuns - approved });
}, 3_600_000);

test('R87 the question is durable and recorded before the hook learns of its ticket', async () => {
	const rig = await openRig();
	const { location, body } = await rig.post(deniedCall(rig.project, 'toolu_1'), hookHeaders('run-1'));
	const id = (location ?? '').replace('/tickets/', '');
	expect(rig.journal.bySubject(id).map((row) => row.kind)).toEqual(['approval:request']);
	expect(rig.timeline().at(-1)).toMatchObject({ id, type: 'approval:request', toolUseId: 'toolu_1', sessionId: 's1' });
	expect(decisionIn(body).decision).toBe('deny');
});

test('R88 the decision is in the journal before the hook gets it', async () => {
	let letGo = () => {};
	const gate = new Promise<void>((resolve) => {
		letGo = resolve;
	});
	const wrapJournal = (journal: JournalStore): JournalStore => ({
		...journal,
		append: async (draft, unless) => {
			if (draft.kind === 'approval:resolve') await gate;
			return journal.append(draft, unless);
		},
	});
	const rig = await openRig({ wrapJournal });
	const opened = await rig.post(deniedCall(rig.project, 'toolu_1'), hookHeaders('run-1'));
	const id = (opened.location ?? '').replace('/tickets/', '');
	let answered = false;
	const polled = rig.poll(opened.location ?? '').then((answer) => {
		answered = true;
		return answer;
	});
	const deciding = rig.service.decide(id, { decision: 'approve' }, operator);
	expect((await rig.poll('/tickets/unknown')).status).toBe(404);
	expect(answered).toBe(false);
	expect(rig.told.some((event) => event.type === 'agent:delegate')).toBe(false);
	letGo();
	await deciding;
	expect((await polled).status).toBe(200);
});

test('what cannot be written down does not happen: no ticket, no release', async () => {
	let broken: string | null = 'approval:request';
	const wrapJournal = (journal: JournalStore): JournalStore => ({
		...journal,
		append: async (draft, unless) => {
			if (draft.kind === broken) throw new Error('the disk is full');
			return journal.append(draft, unless);
		},
	});
	const rig = await openRig({ wrapJournal });
	const refused = await rig.post(deniedCall(rig.project, 'toolu_1'), hookHeaders('run-1'));
	expect(refused.status).toBe(200);
	expect(decisionIn(refused.body).decision).toBe('deny');

	broken = 'approval:resolve';
	const { id, printed } = await waitingHook(rig, deniedCall(rig.project, 'toolu_2'));
	await expect(rig.service.decide(id, { decision: 'approve' }, operator)).rejects.toThrow('disk is full');
	expect(rig.service.get(id)?.state).toBe('waiting');
	expect(rig.told.some((event) => event.type === 'agent:delegate')).toBe(false);
	broken = null;
	await rig.service.decide(id, { decision: 'deny' }, operator);
	expect(decisionIn((await printed).stdout).decision).toBe('deny');
});

test('a second run of the same call joins the ticket and prints the same answer, during and minutes after', async () => {
	const rig = await openRig();
	const call = deniedCall(rig.project, 'toolu_1');
	const first = await waitingHook(rig, call);
	const second = await waitingHook(rig, call);
	expect(second.id).toBe(first.id);
	await rig.service.decide(first.id, { decision: 'approve' }, operator);
	const [one, two] = await Promise.all([first.printed, second.printed]);
	expect(decisionIn(one.stdout).decision).toBe('allow');
	expect(two.stdout).toBe(one.stdout);
	await rig.advance(9 * 60_000);
	const third = await rig.hook(call).printed;
	expect(third.stdout).toBe(one.stdout);
	expect(rig.told.filter((event) => event.type === 'agent:delegate')).toHaveLength(1);
});

test('R92 a killed client abandons the ticket, and a decision is then too late', async () => {
	const rig = await openRig();
	const client = spawn('sleep', ['600']);
	const { id, printed } = await waitingHook(rig, deniedCall(rig.project, 'toolu_1'), { CLAUDE_PID: `${client.pid}` });
	await rig.service.sweep();
	expect(rig.service.get(id)?.state).toBe('waiting');
	client.kill('SIGKILL');
	await once(client, 'close');
	await rig.service.sweep();
	expect(decisionIn((await printed).stdout).decision).toBe('deny');
	expect(ends(rig, id)).toMatchObject([{ type: 'approval:abandon', reason: 'the agent is gone' }]);
	await expect(rig.service.decide(id, { decision: 'approve' }, operator)).rejects.toMatchObject({ status: 410 });
});

test('R92 a decision in the second after the client died is refused', async () => {
	const rig = await openRig();
	const client = spawn('sleep', ['600']);
	const { id, printed } = await waitingHook(rig, deniedCall(rig.project, 'toolu_1'), { CLAUDE_PID: `${client.pid}` });
	client.kill('SIGKILL');
	await once(client, 'close');
	await expect(rig.service.decide(id, { decision: 'approve' }, operator)).rejects.toMatchObject({ status: 410 });
	expect(decisionIn((await printed).stdout).decision).toBe('deny');
});

test('R92 a hook that does not come back within five seconds abandons its ticket, one that does keeps it', async () => {
	const rig = await openRig();
	const { location = '' } = await rig.post(deniedCall(rig.project, 'toolu_1'), hookHeaders('run-1'));
	const id = location.replace('/tickets/', '');
	await rig.advance(4000);
	const polled = rig.poll(location);
	await rig.next('waiting');
	await rig.advance(10_000);
	expect(rig.service.get(id)?.state).toBe('waiting');
	await rig.service.decide(id, { decision: 'deny' }, operator);
	expect((await polled).status).toBe(200);

	const gone = await rig.post(deniedCall(rig.project, 'toolu_2'), hookHeaders('run-2'));
	await rig.advance(5001);
	expect((await rig.poll(gone.location ?? '')).status).toBe(410);
});

test('a server that stops abandons what waits, and the hook prints its denial', async () => {
	const rig = await startService();
	const { id, printed } = await waitingHook(rig, deniedCall(rig.project, 'toolu_1'));
	await rig.service.stop();
	expect(decisionIn((await printed).stdout).decision).toBe('deny');
	expect(ends(rig, id)).toMatchObject([{ type: 'approval:abandon', reason: 'the server stopped' }]);
	await rig.stop();
});

test('closing the door ends every poll, whichever part stops first', async () => {
	const rig = await startService();
	const { printed } = await waitingHook(rig, deniedCall(rig.project, 'toolu_1'));
	await rig.door.close();
	expect(decisionIn((await printed).stdout).decision).toBe('deny');
	await rig.stop();
});

test('rows that a dead server did not publish are recorded at the next start, once, under the row’s id', async () => {
	const rig = await startService();
	const id = 'left-over-1';
	const payload = {
		approvalId: id,
		tool: 'Task',
		input: {},
		inputDigest: 'd',
		denials: [],
		deadline: '2026-01-01T00:00:00.000Z',
	};
	await rig.journal.append({ id, kind: 'approval:request', subject: id, sessionId: 's1', payload });
	await rig.stop();
	const next = await openRig({ home: rig.home });
	expect(next.timeline().filter((event) => event.id === id)).toHaveLength(1);
	expect(ends(next, id)).toMatchObject([{ type: 'approval:abandon', reason: 'the server restarted' }]);
	expect(next.journal.unpublished(10)).toEqual([]);
	await expect(next.service.decide(id, { decision: 'approve' }, operator)).rejects.toMatchObject({ status: 410 });
});

test('if a gate denies again at release, the call stays denied, and the journal records it', async () => {
	const repeatedDenial = { gate: 'other', rule: 'other.rule', reason: 'the plan has changed' };
	const output = {
		hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'the plan has changed' },
	};
	const rig = await openRig({ release: () => ({ output, repeatedDenial }) });
	const { id, printed } = await waitingHook(rig, deniedCall(rig.project, 'toolu_1'));
	await rig.service.decide(id, { decision: 'approve' }, operator);
	expect(JSON.parse((await printed).stdout)).toEqual(output);
	expect(rig.journal.byKind(['approval:resolve'], { limit: 1 })[0]?.payload.standing).toEqual(repeatedDenial);
	expect(ends(rig, id)).toMatchObject([{ type: 'approval:resolve', standing: repeatedDenial }]);
});

test('a decision that could not be written to the timeline is recorded as soon as it can be', async () => {
	const rig = await openRig();
	const { id, printed } = await waitingHook(rig, deniedCall(rig.project, 'toolu_1'));
	const { append } = rig.ports;
	rig.ports.append = () => {
		throw new Error('the disk is full');
	};
	await rig.service.decide(id, { decision: 'deny' }, operator);
	expect(decisionIn((await printed).stdout).decision).toBe('deny');
	expect(ends(rig, id)).toEqual([]);
	rig.ports.append = append;
	await rig.stop();
	rigs.length = 0;
	const next = await openRig({ home: rig.home });
	expect(ends(next, id)).toMatchObject([{ type: 'approval:resolve', decision: 'deny' }]);
});

test('without the hook’s headers there is no ticket, unless the server is configured to hold', async () => {
	const rig = await openRig();
	expect((await rig.post(deniedCall(rig.project, 'toolu_1'))).status).toBe(200);

	const forced = await openRig({ forcedHoldSeconds: 60, presence: () => 'nobody' });
	const polled = forced.next<string>('waiting');
	const answer = forced.post(deniedCall(forced.project, 'toolu_1'));
	await forced.service.decide(await polled, { decision: 'approve' }, operator);
	const { status, body } = await answer;
	expect(status).toBe(200);
	expect(decisionIn(body).decision).toBe('allow');
});

test('R84 nobody to ask: the denial is final at once', async () => {
	const absent = await openRig({ presence: () => 'nobody' });
	expect((await absent.post(deniedCall(absent.project, 'toolu_1'), hookHeaders('run-1'))).status).toBe(200);
	const never = await openRig({ forcedHoldSeconds: 0 });
	expect((await never.post(deniedCall(never.project, 'toolu_1'), hookHeaders('run-1'))).status).toBe(200);
	const short = await openRig();
	expect((await short.post(deniedCall(short.project, 'toolu_1'), hookHeaders('run-1', 10))).status).toBe(200);
});

test('asked while a page reloads: it waits until the operator is given up, or to its deadline once one is back', async () => {
	let presence: Presence = 'awaited';
	const rig = await openRig({ presence: () => presence });
	const openTicket = async (id: string) => {
		const { status, location = '', body } = await rig.post(deniedCall(rig.project, id), hookHeaders(id));
		expect(status).toBe(303);
		expect(decisionIn(body).decision).toBe('deny');
		const polled = rig.next('waiting');
		const answer = rig.poll(location);
		await polled;
		return answer;
	};
	const first = openTicket('toolu_1');
	await rig.next('waiting');
	await rig.advance(5000);
	expect(rig.service.list('waiting', 1)).toHaveLength(1);
	presence = 'nobody';
	await rig.advance(1);
	expect((await first).status).not.toBe(200);
	expect(rig.timeline().at(-1)).toMatchObject({ type: 'approval:abandon', reason: 'nobody was there to ask' });

	presence = 'awaited';
	const second = openTicket('toolu_2');
	await rig.next('waiting');
	presence = 'here';
	await rig.advance(1);
	presence = 'nobody';
	await rig.advance(1);
	const [waiting] = rig.service.list('waiting', 1);
	await rig.service.decide(waiting?.id ?? '', { decision: 'approve' }, operator);
	expect((await second).status).toBe(200);
});

test('those that asked the same question are found, without it and without others, newest first', async () => {
	const rig = await openRig();
	const other = deniedCall(rig.project, 'toolu_3', {
		tool_input: { subagent_type: 'documenter', description: 'Write it', prompt: 'Write it.' },
	});
	const denied: string[] = [];
	for (const call of [deniedCall(rig.project, 'toolu_1'), deniedCall(rig.project, 'toolu_2'), other]) {
		const { id, printed } = await waitingHook(rig, call);
		denied.push(id);
		await rig.service.decide(id, { decision: denied.length === 1 ? 'approve' : 'deny' }, operator);
		await printed;
	}
	const last = await waitingHook(rig, deniedCall(rig.project, 'toolu_4'));
	const question = rig.service.get(last.id);
	if (!question) throw new Error('The question is not in the journal.');
	const similar = (...rest: [state: 'approved' | undefined, limit: number]) =>
		rig.service.similar(question, ...rest).map(({ id }) => id);
	expect(similar(undefined, 10)).toEqual([denied[1], denied[0]]);
	expect(similar(undefined, 1)).toEqual([denied[1]]);
	expect(similar('approved', 10)).toEqual([denied[0]]);
	await rig.service.decide(last.id, { decision: 'deny' }, operator);
	await last.printed;
});

test('R24 a held input too large for a line is kept whole in a blob', async () => {
	const rig = await openRig();
	const prompt = 'x'.repeat(200_000);
	const call = deniedCall(rig.project, 'toolu_1', {
		tool_input: { subagent_type: 'architect', description: 'Big', prompt },
	});
	const { status } = await rig.post(call, hookHeaders('run-1'));
	expect(status).toBe(303);
	expect(rig.timeline().at(-1)).toMatchObject({
		type: 'approval:request',
		input: { description: 'Big', prompt: { bytes: 200_000 } },
	});
	expect(rig.service.list('waiting', 1)).toMatchObject([{ title: 'Big' }]);
});
