import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
	test: {
		environment: 'node',
		include: ['**/*.test.ts', '**/*.test.tsx'],
		exclude: ['**/node_modules/**', '.next/**', 'dist/**'],
		// Real servers, disks and processes on a machine that may be busy: a slow test is no broken one.
		testTimeout: 120_000,
		hookTimeout: 120_000,
		// More than cores: these tests wait for disks and processes, and with one more a third of two cores was idle.
		maxWorkers: availableParallelism() + 3,
		setupFiles: ['./scripts/fail-on-console-error.ts', './scripts/keep-prototypes.ts'],
	},
});
