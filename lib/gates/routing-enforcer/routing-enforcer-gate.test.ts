import { expect, test } from 'vitest';
import { enforcerFingerprint, targetOf } from './routing-enforcer-gate.ts';

const facts = { project: '/p', planId: 'route-1', tool: 'Bash' };

test('R601 a command is known again by its exact text, one that leaves the sandbox by nothing', () => {
	const known = enforcerFingerprint({ ...facts, target: targetOf({ command: 'make all' }) });
	expect(known?.words).toContain('make all');
	expect(enforcerFingerprint({ ...facts, target: targetOf({ command: 'make  all' }) })?.key).not.toBe(known?.key);
	const leaving = targetOf({ command: 'make all', dangerouslyDisableSandbox: true });
	expect(enforcerFingerprint({ ...facts, target: leaving })).toBeNull();
	expect(targetOf({ command: 'x'.repeat(2001) })).toBeNull();
});
