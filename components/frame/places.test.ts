import { expect, test } from 'vitest';
import { isAt } from './places.ts';
import { readTheme } from './theme.ts';

test('R221 an unknown theme is the one of the system', () => {
	expect([readTheme('dark'), readTheme('"><script>'), readTheme(undefined)]).toEqual(['dark', 'system', 'system']);
});

test('R220 a session belongs to the sessions page', () => {
	expect([isAt('/', '/'), isAt('/', '/sessions/x'), isAt('/', '/approvals'), isAt('/approvals', '/approvals')]).toEqual(
		[...[true, true, false, true]],
	);
});
