import { expect, test } from 'vitest';
import { allShortcuts, ariaKeys, shortcuts } from './shortcuts.ts';

test('no two shortcuts share a key, and each says what it does', () => {
	const all = allShortcuts();
	const keys = all.flatMap((shortcut) => shortcut.keys);
	expect(new Set(keys).size).toBe(keys.length);
	expect(all.every(({ label, show }) => label.length > 0 && show.length > 0)).toBe(true);
	expect(ariaKeys(shortcuts.next)).toBe('j ArrowDown');
});
