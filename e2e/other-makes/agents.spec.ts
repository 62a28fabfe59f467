import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '#e2e/fixtures.ts';
import type { RunningServer } from '#e2e/rig/running-server.ts';
import { agentRow } from '#lib/agents/agent-table.ts';
import type { ServerStatus } from '#lib/contract/health/status.ts';
import { realClients } from './real-clients.ts';
import { programOf, runClient } from './run-client.ts';

interface Summary {
	sessionId: string;
	agent: string;
	project?: string;
	counts: Record<string, number>;
	usage?: { answers: number; inputTokens: number };
}

type Api = (
	path: string,
	token: string,
	options?: { server?: RunningServer; data?: object },
) => Promise<{ json(): Promise<unknown>; status(): number }>;

/** Looks the session of a project up, again and again. */
function findSession(api: Api, token: string, project: string, server: RunningServer) {
	return async (): Promise<Summary | undefined> => {
		const { sessions } = (await (await api('/api/sessions', token, { server })).json()) as { sessions: Summary[] };
		return sessions.find((session) => session.project === project);
	};
}

for (const client of realClients) {
	const name = `${client.title} ${client.version}`;

	test(`R1337 ${name}: the session is recorded and shown, a denial holds, and the model reads why`, async ({
		server,
		api,
		token,
		operatorPage,
	}) => {
		test.setTimeout(240_000);
		const program = await programOf(client);
		const script = [client.runs('echo hello > said.txt; cat said.txt'), client.runs('touch ran.txt')];
		const config = '{"commands": {"exclude": ["touch"]}}';
		const viewer = await token('viewer');
		const exported = async () => ((await (await api('/api/status', viewer)).json()) as ServerStatus).telemetry;
		const before = await exported();
		const { shop, model, ended, close } = await runClient(client, { home: server.home, config, script, program });
		try {
			const { code, said } = await ended;
			expect(code, said).toBe(0);
			expect(readFileSync(join(shop.dir, 'said.txt'), 'utf8')).toBe('hello\n');
			expect(existsSync(join(shop.dir, 'ran.txt')), 'the denied command did not run').toBe(false);
			expect(model.read).toHaveLength(2);
			expect(model.read[0]).toContain('hello');
			expect(model.read[1]).toContain('touch is not allowed here');

			const session = findSession(api, viewer, `${client.name}-shop`, server);
			await expect
				.poll(async () => (await session())?.counts)
				.toMatchObject({ calls: 2, denials: 1, deniedButRan: 0, alarms: 0 });
			const found = await session();
			expect(found?.agent).toBe(client.name);
			// R1937: each answer counts once, whoever told of it, and what the client exports came.
			await expect.poll(async () => (await session())?.usage?.answers).toBe(script.length + 1);
			if (client.exports) {
				const eventsOf = async (type: string) => {
					const path = `/api/sessions/${found?.sessionId}/events?limit=500`;
					const { events } = (await (await api(path, viewer)).json()) as {
						events: { type: string; source?: string }[];
					};
					return events.filter((event) => event.type === type);
				};
				const answers = async () => {
					const isExported = ({ source }: { source?: string }) => source === 'telemetry';
					const byTelemetry = (await eventsOf('model:usage')).filter(isExported).length;
					return byTelemetry + (await exported()).inTranscript - before.inTranscript;
				};
				await expect.poll(answers).toBeGreaterThanOrEqual(script.length + 1);
				// Of a call that a hook denied not every client says who decided.
				if (client.exports.decisions) {
					await expect.poll(async () => (await eventsOf('permission:decide')).length).toBeGreaterThan(0);
				}
			}
			const page = await operatorPage(`/sessions/${found?.sessionId}`);
			const rows = page.getByRole('list', { name: 'Story' }).getByRole('button');
			await expect(rows.filter({ hasText: 'cat said.txt' })).toContainText('ran');
			await expect(rows.filter({ hasText: 'touch ran.txt' })).toContainText(/denied/i);
		} finally {
			await close();
		}
	});

	test(`R1340 ${name}: a denied call waits for a person, and runs as it is approved, also with another input`, {
		tag: '@full',
	}, async ({ ownServer, api, token }) => {
		test.setTimeout(240_000);
		const program = await programOf(client);
		const server = await ownServer({ SIGNALBOX_HOLD_SECONDS: '40' });
		const operator = await token('operator', server);
		const config = '{"commands": {"exclude": ["touch"]}, "gates": {"commandPolicy": {"hold": true}}}';
		const script = [client.runs('touch ran.txt'), client.runs('touch other.txt')];
		const { shop, model, ended, close } = await runClient(client, { home: server.home, config, script, program });
		try {
			const waiting = async () => {
				const answer = await api('/api/approvals?state=waiting', operator, { server });
				return ((await answer.json()) as { approvals: { id: string; input: object }[] }).approvals;
			};
			const nextApproval = async (last?: string) => {
				const ids = async () => (await waiting()).map(({ id }) => id).filter((id) => id !== last);
				await expect.poll(async () => (await ids()).length, { timeout: 90_000 }).toBe(1);
				return (await waiting())[0] ?? { id: '', input: {} };
			};
			const decide = async (id: string, data: object) =>
				(await api(`/api/approvals/${id}`, operator, { server, data: { decision: 'approve', ...data } })).status();
			const first = await nextApproval();
			expect(await decide(first.id, {})).toBe(200);
			const second = await nextApproval(first.id);
			const other = JSON.stringify(second.input).replace('touch other.txt', 'mkdir other');
			// What the client would not do is not decided either.
			const isEdited = (await decide(second.id, { updatedInput: JSON.parse(other) as object })) === 200;
			expect(isEdited).toBe(agentRow(client.name).can.edit);
			if (!isEdited) expect(await decide(second.id, {})).toBe(200);
			const { code, said } = await ended;
			expect(code, said).toBe(0);
			expect(existsSync(join(shop.dir, 'ran.txt')), 'the approved command ran').toBe(true);
			expect([existsSync(join(shop.dir, 'other')), existsSync(join(shop.dir, 'other.txt'))]).toEqual([
				isEdited,
				!isEdited,
			]);
			expect(model.read.join()).not.toContain('not allowed here');
			const session = findSession(api, operator, `${client.name}-shop`, server);
			await expect
				.poll(async () => (await session())?.counts)
				.toMatchObject({ calls: 2, overrides: 2, deniedButRan: 0, alarms: 0 });
		} finally {
			await close();
		}
	});
}
