import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { soakCounts, soakRuns } from '#soak/rig/soak-runs.ts';
import { builtChild } from '../testing/built-child.ts';
import { verifyJournal } from './verify-journal.ts';

test('G4: a writer that is killed again and again leaves one chain, without a fork, with every row that it acknowledged', async () => {
	const { numRuns, seed } = soakRuns('G4', 2, 100);
	const path = join(mkdtempSync(join(tmpdir(), 'sbx-cuts-')), 'journal.db');
	const program = await builtChild('append-child');
	let committed = 0;
	for (let run = 0; run < numRuns; run += 1) {
		const child = spawn(process.execPath, [program, path, `run-${run}`], {
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		const gone = once(child, 'close');
		let left = 1 + ((seed + run * 7) % 13);
		for await (const line of createInterface(child.stdout)) {
			if (left > 0) committed = Number(line);
			left -= 1;
			if (left === 0) child.kill('SIGKILL');
		}
		await gone;
		const report = verifyJournal(path);
		expect(report.bad).toBeNull();
		expect(report.rows).toBeGreaterThanOrEqual(committed);
	}
	soakCounts('G4', { kills: numRuns, rows: verifyJournal(path).rows });
}, 3_600_000);
