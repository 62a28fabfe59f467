import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
	test: {
		environment: 'node',
		include: ['**/*.test.ts', '**/*.test.tsx'],
		exclude: ['**/node_modules/**', '.next/**', 'dist/**'],
		// Real servers, disks and processes on a machine that may be busy: a slow test is no broken one.
		testTimeout: 60_000,
		hookTimeout: 60_000,
		// The default leaves one core idle: half of two. These tests wait for disks and processes more than they compute.
		maxWorkers: Math.max(2, availableParallelism() - 1),
		setupFiles: ['./scripts/fail-on-console-error.ts', './scripts/keep-prototypes.ts'],
	},
});
