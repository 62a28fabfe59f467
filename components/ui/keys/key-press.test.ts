import { expect, test } from 'vitest';
import { places, shortcuts } from './shortcuts.ts';
import { isPressOf, type KeyPress, keyOf } from './use-shortcut.ts';

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
	...{ key, code: '', shiftKey: false, ctrlKey: false, altKey: false, metaKey: false, timeStamp: 0 },
	...more,
});

test('a key is the one that is printed on it, on every keyboard', () => {
	expect(keyOf(press('a', { code: 'KeyQ' }))).toBe('a');
	expect(keyOf(press('q', { code: 'KeyA' }))).toBe('q');
	expect(keyOf(press('A', { code: 'KeyA' }))).toBe('a');
	expect(keyOf(press('A', { code: 'KeyA', shiftKey: true }))).toBeNull();
	expect(keyOf(press('ф', { code: 'KeyA' }))).toBe('a');
	expect(keyOf(press('х', { code: 'BracketLeft' }))).toBe('[');
	expect(keyOf(press('?', { shiftKey: true }))).toBe('?');
	expect(keyOf(press('[', { ctrlKey: true, altKey: true, getModifierState: (name) => name === 'AltGraph' }))).toBe('[');
	expect(keyOf(press('a', { ctrlKey: true }))).toBeNull();
	expect(keyOf(press('a', { metaKey: true }))).toBeNull();
	expect(keyOf(press('ArrowDown'))).toBe('arrowdown');
});

test('the blank is a key of its own, but not with Ctrl', () => {
	expect(keyOf(press(' ', { code: 'Space' }))).toBe('space');
	expect(isPressOf(shortcuts.play, press(' '), press('g'))).toBe(true);
	expect(isPressOf(shortcuts.play, press(' ', { ctrlKey: true }), null)).toBe(false);
	expect(isPressOf(shortcuts.faster, press('>', { shiftKey: true }), null)).toBe(true);
});

test('the last key of a sequence does what the sequence does, and nothing else', () => {
	const toApprovals = places[1]?.shortcut ?? shortcuts.help;
	const g = press('g');
	const a = press('a', { timeStamp: 900 });
	expect(isPressOf(toApprovals, a, g)).toBe(true);
	expect(isPressOf(shortcuts.approve, a, g)).toBe(false);
	const late = press('a', { timeStamp: 1100 });
	expect(isPressOf(toApprovals, late, g)).toBe(false);
	expect(isPressOf(shortcuts.approve, late, g)).toBe(true);
	expect(isPressOf(shortcuts.remember, g, null)).toBe(true);
	expect(isPressOf(shortcuts.next, press('ArrowDown'), g)).toBe(true);
});
