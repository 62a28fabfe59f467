import { expect, test } from 'vitest';
import { isAt } from './places.ts';
import { ariaKeys, type Shortcut, shortcuts } from './shortcuts.ts';
import { readTheme } from './theme.ts';

const all: Shortcut[] = Object.values(shortcuts);

test('R220 no two shortcuts share a key, and each says what it does', () => {
	const keys = all.flatMap((shortcut) => shortcut.keys);
	expect(new Set(keys).size).toBe(keys.length);
	expect(all.every(({ label, show }) => label !== '' && show.length > 0)).toBe(true);
	expect(ariaKeys(shortcuts.next)).toBe('j ArrowDown');
});

test('R221 an unknown theme is the one of the system', () => {
	expect([readTheme('dark'), readTheme('"><script>'), readTheme(undefined)]).toEqual(['dark', 'system', 'system']);
});

test('R220 a session belongs to the sessions page', () => {
	expect([isAt('/', '/'), isAt('/', '/sessions/x'), isAt('/', '/approvals'), isAt('/approvals', '/approvals')]).toEqual(
		[...[true, true, false, true]],
	);
});
