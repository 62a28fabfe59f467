import { expect, test } from 'vitest';
import { readAuditSettings } from '../audit/audit-settings.ts';
import { readNotifySettings } from '../notify/notify-settings.ts';
import { readTelemetrySettings } from '../telemetry/telemetry-settings.ts';
import { readPrices } from '../usage/usage-settings.ts';

test.each([
	[{ notify: { quite: { from: '22:00', to: '07:00' } } }, 'notify.quite is no setting; did you mean notify.quiet?'],
	[{ 'telemetry.endpiont': 'x' }, 'telemetry.endpiont is no setting; did you mean telemetry.endpoint?'],
	[{ audit: { anchor: {} } }, 'audit.anchor is no setting; did you mean audit.anchors?'],
	[{ usage: { price: {} } }, 'usage.price is no setting; did you mean usage.prices?'],
	[
		{ usage: { prices: { m: { input: 1, output: 1, cacheReed: 1 } } } },
		'usage.prices.m.cacheReed is no setting; did you mean usage.prices.m.cacheRead?',
	],
	[{ telemetry: { 'x\u001b[0m': 1 } }, 'telemetry.x is no setting; it is ignored'],
])('R2380 a misspelt key of a section is named with the one that was meant: %j', (config, problem) => {
	const problems = [
		...readNotifySettings(config, {}).problems,
		...readTelemetrySettings(config, {}).problems,
		...readAuditSettings(config).problems,
		...readPrices(config).problems,
	];
	expect(problems).toEqual([problem]);
});
