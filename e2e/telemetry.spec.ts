import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from './fixtures.ts';

interface SentSpan {
	traceId: string;
	spanId: string;
	parentSpanId?: string;
	name: string;
	attributes: { key: string; value: Record<string, unknown> }[];
	status: { code: number };
}

/** A stand-in for a collector: OTLP over HTTP in JSON, as the exporters of OpenTelemetry send it. */
async function startCollector() {
	const bodies: { path: string; token: string | undefined; text: string }[] = [];
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const { 'x-token': token } = request.headers;
			bodies.push({ path: request.url ?? '', token: String(token), text: Buffer.concat(chunks).toString() });
			response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const parts = (path: string) => bodies.filter((body) => body.path === path).map(({ text }) => JSON.parse(text));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		bodies,
		spans: (): SentSpan[] =>
			parts('/v1/traces').flatMap(({ resourceSpans }) =>
				resourceSpans.flatMap((one: { scopeSpans: { spans: SentSpan[] }[] }) =>
					one.scopeSpans.flatMap(({ spans }) => spans),
				),
			),
		close: () => server.close(),
	};
}

test('R1835 R1836 a session is one trace in a collector: its calls, the denial and its rule, no text of the agent', async ({
	ownServer,
	project,
	hook,
}) => {
	const collector = await startCollector();
	const server = await ownServer({ COLLECTOR_HEADERS: 'x-token=hunter2' });
	const { dir } = await project({ name: 'traced', server });
	writeFileSync(join(dir, '.overtone/config.json'), JSON.stringify({ commands: { exclude: ['rm'] } }));
	const telemetry = { endpoint: collector.url, headersEnv: 'COLLECTOR_HEADERS' };
	writeFileSync(join(server.home, 'config.json'), JSON.stringify({ telemetry }));
	await server.stop();
	await server.start();

	const runHook = (name: string, fields: object = {}) =>
		hook({ session_id: 'traced', cwd: dir, hook_event_name: name, ...fields }, { server }).ended;
	const call = (id: string, command: string) => ({ tool_name: 'Bash', tool_use_id: id, tool_input: { command } });
	await runHook('SessionStart', { source: 'startup' });
	await runHook('UserPromptSubmit', { prompt: 'the secret prompt' });
	await runHook('PreToolUse', call('toolu_ls', 'ls secret-folder'));
	await runHook('PostToolUse', { ...call('toolu_ls', 'ls secret-folder'), tool_response: { stdout: 'secret-file' } });
	await runHook('PreToolUse', call('toolu_rm', 'rm -rf secret-folder'));
	await runHook('Stop');
	await runHook('SessionEnd', { reason: 'prompt_input_exit' });

	await expect
		.poll(() =>
			collector
				.spans()
				.map(({ name }) => name)
				.sort(),
		)
		.toEqual(['execute_tool Bash', 'execute_tool Bash', 'invoke_agent main']);
	const spans = collector.spans();
	expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
	const root = spans.find(({ name }) => name === 'invoke_agent main');
	expect(root?.parentSpanId).toBeFalsy();
	for (const span of spans.filter((each) => each !== root)) expect(span.parentSpanId).toBe(root?.spanId);
	const attributeTexts = spans.map(({ attributes }) => JSON.stringify(attributes));
	const denied = attributeTexts.find((attributes) => attributes.includes('toolu_rm'));
	expect(denied).toContain('{"key":"signalbox.outcome","value":{"stringValue":"stopped"}}');
	expect(denied).toContain('command');
	expect(attributeTexts.find((attributes) => attributes.includes('toolu_ls'))).toContain('"stringValue":"ran"');

	await server.stop();
	const metrics = collector.bodies.filter(({ path }) => path === '/v1/metrics').map(({ text }) => text);
	for (const name of ['signalbox.events', 'signalbox.denials', 'signalbox.tail.lag', 'signalbox.gate.duration'])
		expect(metrics.join(), name).toContain(`"${name}"`);
	expect(collector.bodies.every(({ token }) => token === 'hunter2')).toBe(true);
	expect(collector.bodies.map(({ text }) => text).join()).not.toContain('secret');
	collector.close();
});
