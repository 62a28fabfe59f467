'use client';
import { useState } from 'react';
import type { Plain } from '#lib/messages/say.ts';
import { useSay } from '../language/use-say.ts';
import { Button } from '../ui/button.tsx';
import { keepChoice } from './keep-choice.ts';
import { THEME_COOKIE, type Theme } from './theme.ts';

const looks: Record<Theme, { label: Plain; glyph: string; next: Theme }> = {
	system: { label: 'Theme: as the system', glyph: '◐', next: 'light' },
	light: { label: 'Theme: light', glyph: '○', next: 'dark' },
	dark: { label: 'Theme: dark', glyph: '●', next: 'system' },
};

/** Goes round from the system's theme to light to dark. */
export function ThemeSwitch({ initial }: { initial: Theme }) {
	const say = useSay();
	const [theme, setTheme] = useState(initial);
	const { label, glyph, next } = looks[theme];
	function change() {
		setTheme(next);
		document.documentElement.dataset.theme = next;
		keepChoice(THEME_COOKIE, next);
	}
	return (
		<Button kind="quiet" size="icon" aria-label={say(label)} title={say(label)} onClick={change}>
			<span aria-hidden>{glyph}</span>
		</Button>
	);
}
