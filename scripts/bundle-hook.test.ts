import { expect, test } from 'vitest';
import { bundleHook, refuse } from './bundle-hook.mjs';

test('the parser of the shell is in the file for commands alone, and a module that brings it elsewhere is named', async () => {
	expect((await bundleHook()).map(({ name }) => name)).toContain('hook-commands.cjs');
	const imports = [{ path: 'node_modules/unbash/dist/index.js' }];
	expect(() => refuse('unbash', { 'lib/gates/new-gate.ts': { imports } }, 'is for COMMAND_CUTS')).toThrow(
		/unbash.*COMMAND_CUTS.*lib\/gates\/new-gate\.ts/,
	);
	expect(() => refuse('unbash', { 'lib/gates/new-gate.ts': { imports: [] } }, '')).not.toThrow();
});
