import { expect, test } from 'vitest';
import { type HoldRule, holdMs } from './ticket.ts';

const rule: HoldRule = {
	settingSeconds: 120,
	forcedSeconds: null,
	operatorPresent: true,
	timeoutSeconds: 150,
	polls: true,
};

test.each<[string, Partial<HoldRule>, number | null]>([
	['the setting, where the hook has the time', {}, 120_000],
	['ten seconds less than the hook has', { timeoutSeconds: 60 }, 50_000],
	['nothing when the hook has too little', { timeoutSeconds: 10 }, null],
	['nothing without a number of the hook', { timeoutSeconds: undefined }, null],
	['nothing without an operator', { operatorPresent: false }, null],
	['nothing when the setting says never', { settingSeconds: 0 }, null],
	['the forced time, also without an operator', { forcedSeconds: 30, operatorPresent: false }, 30_000],
	['never when forced to 0', { forcedSeconds: 0 }, null],
	['the forced time, within what the hook has', { forcedSeconds: 600 }, 140_000],
	['nothing for a caller that cannot poll', { polls: false, timeoutSeconds: undefined }, null],
	[
		'the forced time for a caller that waits itself',
		{ polls: false, timeoutSeconds: undefined, forcedSeconds: 5 },
		5000,
	],
	['nothing for a hook without a number, even when forced', { timeoutSeconds: undefined, forcedSeconds: 5 }, null],
])('R84 a denial is held for %s', (_name, change, expected) => {
	expect(holdMs({ ...rule, ...change })).toBe(expected);
});
