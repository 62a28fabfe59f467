import { expect, test } from 'vitest';
import type { HubSession } from '../../timeline/store/hub-store.ts';
import { createAcknowledged } from './edge-connection.ts';

test('what is acknowledged while the database is asked, or cannot be, is looked for at the next look', async () => {
	let stored = 3;
	let expected = 3;
	let isAway = false;
	let meanwhile = (): void => undefined;
	const acknowledged = createAcknowledged(async ({ edge, sessionId }) => {
		meanwhile();
		if (isAway) throw new Error('The database is away.');
		return { edge, sessionId, offset: stored } as HubSession;
	});
	const lost = async () =>
		(await acknowledged.lost(1, () => expected)).map(({ sessionId, offset }) => [sessionId, offset]);
	acknowledged.add('s1');
	meanwhile = () => {
		expected = 6;
		acknowledged.add('s1');
	};
	expect(await lost()).toEqual([]);
	meanwhile = () => undefined;
	isAway = true;
	await expect(lost()).rejects.toThrow('away');
	isAway = false;
	expect(await lost()).toEqual([['s1', 3]]);
	stored = 0;
	expect(await lost(), 'it was said once').toEqual([]);
});
