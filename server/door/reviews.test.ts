import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { stateFile } from '#hooks-bridge/supervisor/state-store.ts';
import { supervise } from '#hooks-bridge/supervisor/supervise.ts';
import { fakeReviewer } from '#hooks-bridge/testing/fake-reviewer.ts';
import { hookHeaders, operator, type ServiceRig, startService } from '../testing/service-rig.ts';

const rigs: ServiceRig[] = [];
async function openRig(options?: Parameters<typeof startService>[0]): Promise<ServiceRig> {
	const rig = await startService(options);
	rigs.push(rig);
	return rig;
}
afterEach(async () => {
	await Promise.all(rigs.splice(0).map((rig) => rig.stop()));
});

const colour = { questions: [{ question: 'Which colour?', header: 'Colour', options: [{ label: 'Red' }] }] };
const stop = { session_id: 's1', hook_event_name: 'Stop', last_assistant_message: 'Done.' };
const question = {
	session_id: 's1',
	hook_event_name: 'PreToolUse',
	tool_name: 'AskUserQuestion',
	tool_input: colour,
	tool_use_id: 'toolu_9',
};

/** A supervisor's hook in this process, with a stand-in for the reviewer, against the real door. */
function review(
	rig: ServiceRig,
	input: unknown,
	part: Parameters<ReturnType<typeof fakeReviewer>['plays']>[0],
	more = {},
	ports = rig.ports,
) {
	const reviewer = fakeReviewer(rig.home);
	reviewer.plays(part);
	const path = stateFile({ configDir: rig.home, id: 's1' });
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, '{"enabled":true}');
	const run = { requestId: 'run-1', profile: 'supervisor', timeoutSeconds: 600, ...more } as const;
	return supervise({
		text: JSON.stringify(input),
		run,
		ports,
		env: { PATH: process.env.PATH, HOME: rig.home, CCC_CONFIG_DIR: rig.home, CCC_CLAUDE: reviewer.command },
		began: Date.now(),
		others: async () => ({ stdout: '', stderr: '', exitCode: 0 }),
		door: {
			socketPath: rig.socketPath,
			headers: { ...hookHeaders('run-1', 600), 'x-signalbox-profile': 'supervisor' },
		},
	}).then(({ stdout }) => JSON.parse(stdout) as Record<string, unknown>);
}
const says = (allow_stop: boolean, feedback: string) => ({ says: JSON.stringify({ allow_stop, feedback }) });
const eventsOf = (rig: ServiceRig, type: string) => rig.timeline().filter((event) => event.type === type);

test('R432 a person ends a running review either way, and the journal has it', async () => {
	for (const [decision, expected] of [
		['approve', { reason: 'Allowed in Signalbox by an operator: "enough"' }],
		['deny', { decision: 'block', reason: 'Blocked in Signalbox by an operator: enough' }],
	] as const) {
		const rig = await openRig({ presence: () => 'nobody' });
		const polled = rig.next<string>('waiting');
		const printed = review(rig, stop, { hangs: true });
		const id = await polled;
		expect(rig.service.list('waiting', 10)).toMatchObject([
			{
				id,
				tool: 'Stop',
				title: 'Done.',
				denials: [],
				review: { event: 'Stop', iteration: 1, max: 20, isOver: false },
			},
		]);
		await rig.service.decide(id, { decision, reason: 'enough' }, operator);
		expect(await printed).toEqual(expected);
		expect(rig.journal.bySubject(id).map(({ kind }) => kind)).toEqual(['approval:request', 'approval:resolve']);
		expect(eventsOf(rig, 'supervisor:verdict')).toMatchObject([{ by: 'person', allow: decision === 'approve' }]);
	}
});

test('a question is answered for the agent; an answer that leaves one open is refused', async () => {
	const rig = await openRig();
	const polled = rig.next<string>('waiting');
	const printed = review(rig, question, { hangs: true });
	const id = await polled;
	const answer = (answers: Record<string, string>) =>
		rig.service.decide(id, { decision: 'answer', updatedInput: { answers } }, operator);
	await expect(answer({ 'Another?': 'Red' })).rejects.toMatchObject({ code: 'request/invalid' });
	expect(await answer({ 'Which colour?': 'Red' })).toMatchObject({ state: 'answered', toolUseId: 'toolu_9' });
	expect(await printed).toEqual({
		hookSpecificOutput: {
			hookEventName: 'PreToolUse',
			permissionDecision: 'allow',
			permissionDecisionReason: 'Answered in Signalbox by an operator',
			updatedInput: { ...colour, answers: { 'Which colour?': 'Red' } },
		},
	});
	expect(eventsOf(rig, 'approval:resolve')).toMatchObject([{ updatedInput: { answers: { 'Which colour?': 'Red' } } }]);
	expect(eventsOf(rig, 'gate:verdict')).toMatchObject([{ gate: 'supervisor', decision: 'pass' }]);
});

test('R432 a review that ends first closes its card; a later decision is refused', async () => {
	const rig = await openRig();
	expect(await review(rig, stop, says(false, 'Run the tests.'))).toEqual({
		decision: 'block',
		reason: 'Run the tests.',
	});
	const [record] = rig.service.list(undefined, 10);
	expect(record).toMatchObject({ state: 'abandoned', reason: 'the review ended: blocked' });
	await expect(rig.service.decide(record?.id ?? '', { decision: 'approve' }, operator)).rejects.toMatchObject({
		code: 'approval/late',
	});
});

test('R432 who decided in the last moment has the say: a closed ticket gives their answer back', async () => {
	const rig = await openRig();
	const headers = hookHeaders('run-7', 600);
	const body = { input: stop, iteration: 1, max: 20, ms: 60_000 };
	const opened = await rig.ask({ path: '/reviews', body: JSON.stringify(body), headers });
	const id = opened.location?.slice('/tickets/'.length) ?? '';
	await rig.service.decide(id, { decision: 'approve' }, operator);
	const closed = await rig.ask({ path: `/reviews/${id}`, body: 'blocked', headers });
	expect([closed.status, JSON.parse(closed.body)]).toEqual([200, { reason: 'Allowed in Signalbox by an operator' }]);
	expect((await rig.ask({ path: '/reviews/none', body: 'blocked', headers })).status).toBe(410);
});

test('R432 only a hook opens a review, and only of what is reviewed', async () => {
	const rig = await openRig();
	const open = async (body: unknown, headers = hookHeaders('run-8')) =>
		(await rig.ask({ path: '/reviews', body: typeof body === 'string' ? body : JSON.stringify(body), headers })).status;
	const body = { input: stop, iteration: 1, max: 20, ms: 60_000 };
	expect(await open(body, {} as ReturnType<typeof hookHeaders>)).toBe(400);
	expect(await open('no JSON')).toBe(400);
	expect(await open({ ...body, ms: -1 })).toBe(400);
	expect(await open({ ...body, input: { ...question, tool_name: 'Bash' } })).toBe(400);
	expect(rig.service.list(undefined, 10)).toEqual([]);
});

test('where the settings say so the reviewer’s denial waits for a person like any other', async () => {
	const rig = await openRig();
	writeFileSync(join(rig.home, 'config.json'), '{"gates":{"supervisor":{"hold":true}}}');
	const first = rig.next<string>('waiting');
	const printed = review(rig, question, says(false, 'Look into the style guide.'));
	await first;
	const id = await rig.next<string>('waiting');
	expect(rig.service.list('waiting', 10)).toMatchObject([
		{
			id,
			denials: [{ gate: 'supervisor', rule: 'supervisor.review', reason: 'Look into the style guide.' }],
			review: { isOver: true },
		},
	]);
	await rig.service.decide(id, { decision: 'approve', reason: 'ask me' }, operator);
	expect(await printed).toMatchObject({ hookSpecificOutput: { permissionDecision: 'allow' } });
	expect(eventsOf(rig, 'gate:verdict')).toMatchObject([{ decision: 'deny', rule: 'supervisor.review' }]);
});

test('a clock that is set back during a review leaves a person no longer than the hook has', async () => {
	const rig = await openRig();
	writeFileSync(join(rig.home, 'config.json'), '{"gates":{"supervisor":{"hold":true}}}');
	let isBack = false;
	const ports = { ...rig.ports, now: () => Date.now() - (isBack ? 3_600_000 : 0) };
	const first = rig.next<string>('waiting');
	const killedAt = Date.now() + 60_000;
	const printed = review(rig, question, says(false, 'Look into the style guide.'), { timeoutSeconds: 60 }, ports);
	await first;
	isBack = true;
	const id = await rig.next<string>('waiting');
	expect(Date.parse(rig.service.get(id)?.deadline ?? '')).toBeLessThan(killedAt);
	await rig.service.decide(id, { decision: 'deny' }, operator);
	await printed;
});
