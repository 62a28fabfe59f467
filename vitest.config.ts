import { defineConfig } from 'vitest/config';

export default defineConfig({
	test: {
		environment: 'node',
		include: ['**/*.test.ts', '**/*.test.tsx'],
		exclude: ['**/node_modules/**', '.next/**', 'dist/**'],
		setupFiles: ['./scripts/fail-on-console-error.ts'],
	},
});
