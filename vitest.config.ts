import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { APART } from './scripts/apart.ts';
import { LongFirst } from './scripts/long-first.ts';

const ALL = ['**/*.test.ts', '**/*.test.tsx'];
const NOT_OURS = ['**/node_modules/**', '.next/**', 'dist/**'];
/** Without files, network or clock: they need no SQLite driver. */
const PURE = ['lib/**/*.test.ts', 'lib/**/*.test.tsx', 'components/**/*.test.ts', 'components/**/*.test.tsx'];

/** Files that share what they import: loading it anew for each was a sixth of the time. What a file changes it puts back. */
const together = (test: { name: string; include: string[]; exclude: string[]; globalSetup: string[] }) => ({
	extends: true as const,
	test: { ...test, isolate: false },
});

const TEMPORARY = './scripts/temporary-folder.mjs';

export default defineConfig({
	test: {
		environment: 'node',
		// Real servers, disks and processes on a machine that may be busy: a slow test is no broken one.
		testTimeout: 120_000,
		hookTimeout: 120_000,
		// More than cores: these tests wait for disks and processes, and with one more a third of two cores was idle.
		maxWorkers: availableParallelism() + 3,
		setupFiles: ['./scripts/fail-on-console-error.ts', './scripts/keep-prototypes.ts'],
		sequence: { sequencer: LongFirst },
		projects: [
			together({ name: 'pure', include: PURE, exclude: NOT_OURS, globalSetup: [TEMPORARY] }),
			together({
				name: 'unit',
				include: ALL,
				exclude: [...NOT_OURS, ...PURE, ...APART],
				globalSetup: [TEMPORARY, './server/testing/programs-once.ts', './server/hub/testing/postgres-once.ts'],
			}),
			{ extends: true, test: { name: 'apart', include: [...APART], globalSetup: [TEMPORARY] } },
		],
	},
});
