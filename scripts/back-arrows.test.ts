import { expect, test } from 'vitest';
import { backArrows } from './back-arrows.ts';

/** How many there may be. A number here may only fall: move what both folders need into one that knows neither. */
const most = { components: 0, 'hooks-bridge': 5, lib: 8, server: 4 };

test('R1350 two folders of one room import each other one way only, but for a number that never grows', () => {
	for (const [room, number] of Object.entries(most)) {
		const arrows = backArrows(room);
		expect(arrows.length, `${room} has ${arrows.length}, at most ${number}:\n${arrows.join('\n')}`).toBeLessThanOrEqual(
			number,
		);
	}
});
