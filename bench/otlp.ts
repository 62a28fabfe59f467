/*
 * `npm run bench otlp`: how much telemetry a second the server takes, what a record costs it, and what it does to the hooks
 * that come meanwhile: the same paced hooks with 6,000 records a second beside them and without, in turns.
 */
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { type RunningServer, startServer } from '#e2e/rig/running-server.ts';
import { bashCall } from './rig/bash-call.ts';
import { cpuMs } from './rig/process-usage.ts';
import { median } from './rig/quantile.ts';
import { begin, ms, perSecond, report, times } from './rig/report.ts';
import { createPoster, HOOKS_MS, hooksP99, paced } from './rig/steady-load.ts';

const ROUNDS = 5;
/** What exporters send at once. */
const BATCH = 512;
const BATCHES = 60;
const PACE = 6000;
const SESSION = 'bench-otlp';

const recorded = JSON.parse(
	readFileSync(join(import.meta.dirname, '../e2e/fixtures/otlp/claude-code-logs.jsonl'), 'utf8'),
);
const [group] = recorded.resourceLogs;
const samples: { attributes: { key: string; value: unknown }[] }[] = group.scopeLogs[0].logRecords;

/** A body of what Claude Code exports, as of a session of ours, each record another one. */
function batch(n: number): Buffer {
	const logRecords = Array.from({ length: BATCH }, (_, at) => {
		const sample = samples[at % samples.length] ?? { attributes: [] };
		const own: Record<string, unknown> = {
			'session.id': { stringValue: SESSION },
			'event.sequence': { intValue: n * BATCH + at },
		};
		const attributes = sample.attributes.map(({ key, value }) => ({ key, value: own[key] ?? value }));
		return { ...sample, attributes };
	});
	return Buffer.from(JSON.stringify({ resourceLogs: [{ ...group, scopeLogs: [{ logRecords }] }] }));
}

let sent = 0;
const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });

function exportBatch({ port }: RunningServer, token: string): Promise<void> {
	const body = batch(sent);
	sent += 1;
	const headers = {
		'content-type': 'application/json',
		authorization: `Bearer ${token}`,
		'content-length': body.length,
	};
	return new Promise((resolve, reject) => {
		const request = http.request({ port, agent, path: '/v1/logs', method: 'POST', headers }, (response) => {
			if (response.statusCode !== 200) reject(new Error(`telemetry was answered with ${response.statusCode}`));
			response.resume().on('end', () => resolve());
		});
		request.on('error', reject).end(body);
	});
}

const server = await startServer();
try {
	begin(`telemetry in, ${BATCH} records a request`);
	const poster = createPoster(server.socketPath);
	await poster.post(bashCall(SESSION, 'toolu_first'));
	poster.close();
	const token = readFileSync(join(server.home, 'telemetry-token'), 'utf8').trim();
	for (let n = 0; n < 5; n += 1) await exportBatch(server, token);

	const began = performance.now();
	const before = cpuMs(server.pid());
	for (let n = 0; n < BATCHES; n += 1) await exportBatch(server, token);
	const records = BATCHES * BATCH;
	report('records taken and told', perSecond((records / (performance.now() - began)) * 1000), '> 5,000/s');
	report(
		'server processor time for each record',
		`${(((cpuMs(server.pid()) - before) / records) * 1000).toFixed(1)} µs`,
	);

	const ratios: number[] = [];
	const alone: number[] = [];
	for (let nth = 0; nth < ROUNDS; nth += 1) {
		const quiet = () => hooksP99(server, 2 * nth);
		const beside = async () => {
			const count = Math.ceil((HOOKS_MS * PACE) / BATCH / 1000);
			const exporting = paced(count, (BATCH / PACE) * 1000, () => exportBatch(server, token));
			const p99 = await hooksP99(server, 2 * nth + 1);
			await exporting;
			return p99;
		};
		const [first, second] = nth % 2 === 0 ? [quiet, beside] : [beside, quiet];
		const [one, other] = [await first(), await second()];
		const [without, withThem] = nth % 2 === 0 ? [one, other] : [other, one];
		alone.push(without);
		ratios.push(withThem / without);
	}
	report('p99 of a hook without telemetry', ms(median(alone)));
	report(`the same beside ${PACE} records a second`, times(median(ratios)), '< 1.10 x');
} finally {
	agent.destroy();
	await server.dispose();
}
