import { expect, test } from 'vitest';
import { english } from '../messages/say.ts';
import { reportWords } from './machine-reports.ts';

test('a machine reports if it was seen in the last ten minutes; one that never connected does not', () => {
	const now = Date.parse('2026-01-01T12:00:00.000Z');
	const ago = (minutes: number) => ({ seenAt: new Date(now - minutes * 60_000).toISOString() });
	expect(reportWords([ago(1), ago(9), ago(11), { seenAt: null }], now, english)).toBe(
		'2 of 4 machines reported in the last 10 minutes',
	);
});
