import { expect, test } from 'vitest';
import { browserName } from './browser-name.ts';

test.each([
	[
		'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
		'Chrome on Linux',
	],
	['Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0', 'Firefox on Android'],
	[
		'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile Safari/604.1',
		'Safari on iPhone',
	],
	[
		'Mozilla/5.0 (Windows NT 10.0; Win64) AppleWebKit/537.36 Chrome/150.0.0.0 Safari/537.36 Edg/150.0',
		'Edge on Windows',
	],
	['curl/8.14.1', undefined],
	['<script>Chrome</script>', 'Chrome'],
	[undefined, undefined],
])('%s is %s', (userAgent, name) => {
	expect(browserName(userAgent)).toBe(name);
});
