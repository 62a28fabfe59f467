import { expect, test } from 'vitest';
import { isAt } from './places.ts';

test('R220 a session belongs to the sessions page', () => {
	expect([isAt('/', '/'), isAt('/', '/sessions/x'), isAt('/', '/approvals'), isAt('/approvals', '/approvals')]).toEqual(
		[...[true, true, false, true]],
	);
});
