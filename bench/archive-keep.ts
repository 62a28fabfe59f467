/*
 * `npm run bench archive-keep`: what is done with what was recorded, by CPU time of one core: writing an export of a long timeline
 * and checking it, judging its verdicts again, laying two archives side by side, and copying a home while hooks run beside it,
 * whose times are compared with those of a quiet home, in turns.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runHook } from '#e2e/rig/hook-process.ts';
import { startServer } from '#e2e/rig/running-server.ts';
import { readOrigin } from '#hooks-bridge/features/archive-claim.ts';
import { archiveFeature } from '#hooks-bridge/features/archive-feature.ts';
import { newFeature } from '#hooks-bridge/features/open-feature.ts';
import { createNodePorts } from '#hooks-bridge/node/node-ports.ts';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import { commandPolicy } from '#lib/gates/command-policy/command-policy-gate.ts';
import { rejudgeAll } from '#lib/rejudge/testing/rejudge-all.ts';
import { writeBackup } from '#server/archives/backup/write-backup.ts';
import { createCompareService } from '#server/archives/compare/compare-service.ts';
import { syncArchive } from '#server/archives/features/archive-sync.ts';
import { exportArchive } from '#server/archives/features/export-archive.ts';
import { verifyExport } from '#server/archives/features/verify-export.ts';
import { bashCall } from './rig/bash-call.ts';
import { quantile } from './rig/quantile.ts';
import { begin, ms, perSecond, report, times } from './rig/report.ts';

const TIMELINE_MB = 64;
const HOME_MB = 256;
const VERDICTS = 100_000;
const COMPARED = 10_000;
const HOOKS = 60;
const MB = 1024 * 1024;

const cpuMs = () => {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
};
const rate = (bytes: number, cpu: number) => `${Math.round(bytes / MB / (cpu / 1000))} MB/s`;

const folder = mkdtempSync(join(tmpdir(), 'sbx-bench-keep-'));
const home = join(folder, 'home');
const project = join(folder, 'project');
const ports = { home, now: Date.now, append: createNodePorts({ home }).append };
const proofOf = () => ({ kind: 'unknown', redacted: [] }) as const;

/** Calls and their results, of which every so-and-so-many-th was denied, as one archived feature. Gives its id. */
async function archiveOf(name: string, deniedEvery: number): Promise<string> {
	newFeature(project, name, ports, { sessionId: name });
	const first = Date.now();
	const events = Array.from({ length: COMPARED }, (_, at) => {
		const call = { toolUseId: `t${at >> 1}`, tool: 'Bash', sessionId: name, category: 'tool', label: 'x' };
		const denied = {
			gate: 'command-policy',
			decision: 'deny',
			rule: 'command.excluded',
			reason: 'excluded',
			facts: {},
		};
		const what =
			at % 2 === 0
				? { type: 'tool:call', input: { command: `npm test -- src/cart-${at % 977}.test.ts` } }
				: at % deniedEvery === 1
					? { type: 'gate:verdict', hook: 'PreToolUse', ...denied }
					: { type: 'tool:result', response: { stdout: 'ok '.repeat(20) }, durationMs: 900 };
		return `\n${JSON.stringify({ id: `${name}-${at}`, ts: new Date(first + at * 10).toISOString(), ...call, ...what })}\n`;
	});
	writeFileSync(join(home, `sessions/${name}/timeline.jsonl`), events.join(''), { flag: 'a' });
	const archived = archiveFeature(project, name, ports);
	if (!archived.ok) throw new Error(archived.detail);
	await syncArchive(archived.id, { home, proofOf });
	return archived.id;
}

begin('archive-keep');
try {
	mkdirSync(join(home, 'sessions/long'), { recursive: true });
	mkdirSync(join(project, '.git'), { recursive: true });
	newFeature(project, 'cart', ports, { sessionId: 'long' });
	const line = (at: number) =>
		`\n${JSON.stringify({ id: `e${at}`, ts: new Date(at * 1000).toISOString(), type: 'tool:call', category: 'tool', label: 'x', sessionId: 'long', toolUseId: `t${at}`, tool: 'Bash', input: { command: `echo ${Math.sin(at)} ${'words of an agent '.repeat(20)}` } })}\n`;
	const lines: string[] = [];
	for (let at = 0, size = 0; size < TIMELINE_MB * MB; at += 1) size += lines[lines.push(line(at)) - 1]?.length ?? 0;
	writeFileSync(join(home, 'sessions/long/timeline.jsonl'), lines.join(''), { flag: 'a' });
	const made = archiveFeature(project, 'cart', ports);
	const id = made.ok ? made.id : '';
	const manifest = await syncArchive(id, { home, proofOf });
	const origin = readOrigin(home, id);
	if (!manifest || !origin) throw new Error('nothing was archived');
	const target = join(folder, 'out.signalbox.gz');
	let before = cpuMs();
	await exportArchive(target, { origin, manifest, redacted: false }, { home, proofOf });
	report(`export of a ${TIMELINE_MB} MB timeline`, rate(TIMELINE_MB * MB, cpuMs() - before), '> 50 MB/s');
	before = cpuMs();
	const { ok } = await verifyExport(target);
	report(`check of it${ok ? '' : ' FAILED'}`, rate(TIMELINE_MB * MB, cpuMs() - before), '> 50 MB/s');

	if (typeof commandPolicy.judgedBy === 'string') throw new Error('the policy judges by itself');
	const { judge } = commandPolicy.judgedBy;
	const events = Array.from({ length: VERDICTS }, (_, at) => {
		const verdict = judge({ project: '/p', cwd: '/p', line: `npm run step-${at % 500}`, exclude: ['rm'] });
		const same = {
			id: `v${at}`,
			ts: new Date(at).toISOString(),
			category: 'gate',
			label: '',
			sessionId: 's',
			seq: at + 1,
		};
		return { ...same, type: 'gate:verdict', toolUseId: `t${at}`, hook: 'PreToolUse', durationMs: 0, ...verdict };
	}) as unknown as IndexedEvent[];
	before = cpuMs();
	const { judged } = rejudgeAll(events, { enabled: new Map(), values: { 'commands.exclude': ['rm', 'git'] } });
	report('verdicts judged again', perSecond(judged / ((cpuMs() - before) / 1000)), '> 100,000/s');

	const runs = [await archiveOf('first', 50), await archiveOf('second', 40)];
	const service = createCompareService({ home, proofOf, now: Date.now });
	before = cpuMs();
	const [one = '', other = ''] = runs;
	const { differences } = await service.compare(one, other);
	if (differences.length === 0) throw new Error('nothing was compared');
	report(`two archives of ${COMPARED.toLocaleString('en')} events laid side by side`, ms(cpuMs() - before));

	const server = await startServer();
	try {
		mkdirSync(join(server.home, 'sessions/large/blobs'), { recursive: true });
		for (let at = 0; at < HOME_MB / 8; at += 1) {
			writeFileSync(
				join(server.home, `sessions/large/blobs/${String(at).padStart(64, '0')}`),
				Buffer.alloc(8 * MB, at),
			);
		}
		before = cpuMs();
		const from = performance.now();
		const { bytes } = await writeBackup(server.home, join(folder, 'one.backup'), Date.now());
		const took = performance.now() - from;
		report(`backup of a ${Math.round(bytes / MB)} MB home, by the clock`, rate(bytes, took), '> 100 MB/s');
		report('the same by CPU time', rate(bytes, cpuMs() - before));
		const quiet: number[] = [];
		const busy: number[] = [];
		const program = join(import.meta.dirname, '../dist/signalbox.js');
		const hook = async (into: number[], at: number) => {
			const began = performance.now();
			await runHook(server.home, JSON.parse(bashCall('hooks', `t${into.length}-${at}`))).ended;
			into.push(performance.now() - began);
		};
		for (let at = 0; at < HOOKS; ) {
			for (const end = at + 10; at < end; at += 1) await hook(quiet, at);
			const copy = join(folder, `${at}.backup`);
			const child = spawn(process.execPath, [program, 'archive', 'backup', copy], {
				env: { ...process.env, OVERTONE_HOME: server.home },
				stdio: 'ignore',
			});
			while (child.exitCode === null) await hook(busy, at);
			rmSync(copy, { force: true });
		}
		const ratio = quantile(busy, 0.99) / quantile(quiet, 0.99);
		report(`hooks' p99 during backups (${busy.length}) beside quiet ones (${quiet.length})`, times(ratio), '< 1.5 x');
	} finally {
		await server.stop();
	}
	report('the export', `${Math.round(statSync(target).size / MB)} MB`);
} finally {
	rmSync(folder, { recursive: true, force: true });
}
