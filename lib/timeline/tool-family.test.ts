import { expect, test } from 'vitest';
import { toolFamily } from './lanes.ts';

test.each([
	['Bash', 'run'],
	['Edit', 'edit'],
	['Agent', 'agent'],
	['Read', 'read'],
	['read_file', 'read'],
	['mcp__shop__total', 'other'],
	['constructor', 'other'],
] as const)('the tool %s is one that %s', (tool, family) => {
	expect(toolFamily(tool)).toBe(family);
});
