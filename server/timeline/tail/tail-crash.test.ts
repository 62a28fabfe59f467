import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { builtChild } from '../../testing/built-child.ts';
import { asLine, createTimelineRig, samplePrompt } from '../../testing/timeline-rig.ts';

test('R58 a server killed in the middle resumes with nothing lost and nothing doubled', {
	timeout: 60_000,
}, async () => {
	const program = await builtChild('tail-child');
	const rig = createTimelineRig();
	let written = 0;
	const write = () => {
		written += 1;
		rig.append('s1', asLine(samplePrompt('s1', written)));
	};
	for (let killed = 0; killed < 3; killed += 1) {
		const child = spawn(process.execPath, [program, rig.home], { stdio: ['ignore', 'pipe', 'inherit'] });
		let seen = 0;
		for await (const line of createInterface(child.stdout)) {
			for (let n = 0; n < 40; n += 1) write();
			if (line !== 'ready') seen += 1;
			if (seen === 5 + killed) child.kill('SIGKILL');
			if (seen > 5 + killed) break;
		}
		if (child.exitCode === null && child.signalCode === null) {
			child.kill('SIGKILL');
			await once(child, 'exit');
		}
	}
	const run = await rig.start();
	await run.tail.whenRead();
	expect(run.events('s1').map((event) => event.id)).toEqual(Array.from({ length: written }, (_, n) => `e${n + 1}`));
	const view = run.tail.viewOf('s1');
	await run.stop();
	rmSync(join(rig.home, 'index.db'));
	const rebuilt = await rig.start();
	await rebuilt.tail.whenRead();
	expect(view).toEqual(rebuilt.tail.viewOf('s1'));
	await rebuilt.stop();
});

const WRITERS = 8;
const LINES_EACH = 100;

test('8 processes that append at once leave every line intact', { timeout: 60_000 }, async () => {
	const rig = createTimelineRig();
	rig.append('s1', '');
	const run = await rig.start();
	const sample = JSON.stringify(samplePrompt('s1', 1));
	const program = `
		const { appendFileSync } = require('node:fs');
		const [file, writer] = process.argv.slice(1);
		for (let n = 0; n < ${LINES_EACH}; n += 1) {
			const line = { ...${sample}, id: 'w' + writer + '-' + n, prompt: 'x'.repeat(200 + (n * 7919 * writer) % 60000) };
			appendFileSync(file, '\\n' + JSON.stringify(line) + '\\n');
		}
	`;
	await Promise.all(
		Array.from({ length: WRITERS }, (_, writer) =>
			once(spawn(process.execPath, ['-e', program, rig.file('s1'), String(writer + 1)], { stdio: 'inherit' }), 'exit'),
		),
	);
	await run.tail.whenRead();
	const events = run.events('s1');
	expect(events.filter((event) => event.type === 'system:gap')).toEqual([]);
	expect(new Set(events.map((event) => event.id)).size).toBe(WRITERS * LINES_EACH);
	expect(events.map((event) => event.seq)).toEqual(events.map((_, n) => n + 1));
	await run.stop();
});
