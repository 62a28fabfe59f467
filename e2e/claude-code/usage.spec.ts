import { CURRENT_CLIENT, OLDEST_CLIENT } from '#e2e/claude-code/install-client.ts';
import { call, delegate, replyText } from '#e2e/claude-code/script.ts';
import { expect, test } from '#e2e/fixtures.ts';
import { signalbox } from '#e2e/rig/signalbox-command.ts';
import type { ServerStatus } from '#lib/contract/health/status.ts';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';

for (const version of [CURRENT_CLIENT, OLDEST_CLIENT]) {
	test(`Claude Code ${version}: what a session and its sub-agent took is read from its transcripts, to the client's own sum, and counted once where it exports the same`, async ({
		operatorPage,
		project,
		server,
		token,
		api,
	}) => {
		const name = `priced-shop-${version.replaceAll('.', '-')}`;
		const shop = await project({ name, agents: ['developer'] });
		await signalbox(server.home, ['init', '--telemetry', '--agent', 'claude-code', '--project', shop.dir], shop.dir, {
			HOME: shop.home,
		});
		const reader = await token('viewer');
		const exported = async () => ((await (await api('/api/status', reader)).json()) as ServerStatus).telemetry;
		const before = await exported();
		const agent = await shop.agent({
			version,
			script: {
				main: [
					call('Bash', { command: 'echo one' }, 'I look.'),
					{ blocks: [delegate('developer', 'Build the cart.', { background: false })] },
					replyText('Built.'),
				],
				developer: [call('Bash', { command: 'echo two' }), replyText('Done.')],
			},
		});
		const end = await agent.ended;
		expect(end).toMatchObject({ exitCode: 0, result: 'Built.' });
		const result = end.messages.find(({ type }) => type === 'result') as unknown as { total_cost_usd: number };
		const sessionId = String(end.messages.find(({ session_id: id }) => id)?.session_id);

		const usage = async (): Promise<SessionView['usage']> => {
			const answer = (await (await api(`/api/sessions/${sessionId}`, reader)).json()) as { session: SessionView };
			return answer.session.usage;
		};
		await expect.poll(async () => (await usage())?.total.answers).toBe(5);
		// The client exports the same answers, and beside them who let its calls run.
		await expect.poll(async () => (await exported()).inTranscript - before.inTranscript).toBeGreaterThanOrEqual(5);
		const story = await api(`/api/sessions/${sessionId}/events?limit=500`, reader);
		const { events } = (await story.json()) as { events: { type: string; source?: string; decision?: string }[] };
		const decisions = events.filter(({ type }) => type === 'permission:decide').map(({ decision }) => decision);
		expect(decisions).toEqual(['accept', 'accept', 'accept']);
		expect(events.filter(({ type, source }) => type === 'model:usage' && source === 'telemetry')).toEqual([]);
		const { total, agents } = (await usage()) ?? { agents: [] };
		expect(total?.costUsd).toBeCloseTo(result.total_cost_usd, 9);
		expect(total).toMatchObject({ inputTokens: 500, outputTokens: 100, unpriced: 0 });
		expect(agents.map(({ name: id, answers }) => [id === '' ? 'main' : 'developer', answers])).toEqual(
			expect.arrayContaining([
				['main', 3],
				['developer', 2],
			]),
		);

		const page = await operatorPage(`/sessions/${sessionId}?tab=overview`);
		const overview = page.getByRole('region', { name: 'Overview' });
		await expect(overview.getByRole('list', { name: 'By agent' })).toContainText('developer');
		await expect(overview.getByRole('listitem').filter({ hasText: 'developer' })).toContainText('240 tokens');
		await expect(page.locator('header').getByText('600')).toBeVisible();
	});
}
