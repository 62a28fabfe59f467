import { expect, it } from 'vitest';
import { readTelemetrySettings } from './telemetry-settings.ts';

it('R1835 nothing is sent until an endpoint is set; what does not fit is named without its value', () => {
	expect(readTelemetrySettings({}, {})).toEqual({ settings: null, problems: [] });
	expect(readTelemetrySettings({ 'telemetry.endpoint': 'http://127.0.0.1:4318/' }, {}).settings).toEqual({
		endpoint: 'http://127.0.0.1:4318',
		headers: {},
		content: false,
	});
	for (const telemetry of [
		7,
		'http://x',
		{ endpoint: 'file:///etc/passwd' },
		{ endpoint: 'http://x', content: 'yes' },
	]) {
		const { settings, problems } = readTelemetrySettings({ telemetry }, {});
		expect(settings).toBeNull();
		expect(problems.join()).toMatch(/^telemetry/);
		expect(problems.join()).not.toContain('passwd');
	}
});

it('R1835 headers come from the variable that is named, and nothing is sent while it is missing', () => {
	const telemetry = { endpoint: 'https://collector.example', headersEnv: 'COLLECTOR' };
	expect(readTelemetrySettings({ telemetry }, {})).toEqual({
		settings: null,
		problems: ['telemetry.headersEnv: COLLECTOR is not set; nothing is sent'],
	});
	const { settings } = readTelemetrySettings({ telemetry }, { COLLECTOR: 'authorization=Basic a=b, x-team=shop' });
	expect(settings?.headers).toEqual({ authorization: 'Basic a=b', 'x-team': 'shop' });
});
