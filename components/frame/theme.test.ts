import { expect, test } from 'vitest';
import { readTheme } from './theme.ts';

test('an unknown theme is the one of the system', () => {
	expect([readTheme('dark'), readTheme('"><script>'), readTheme(undefined)]).toEqual(['dark', 'system', 'system']);
});
