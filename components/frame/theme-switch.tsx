'use client';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { THEME_COOKIE, type Theme } from './theme.ts';

const looks: Record<Theme, { label: string; glyph: string; next: Theme }> = {
	system: { label: 'as the system', glyph: '◐', next: 'light' },
	light: { label: 'light', glyph: '○', next: 'dark' },
	dark: { label: 'dark', glyph: '●', next: 'system' },
};
const YEAR_SECONDS = 31_536_000;

/** Goes round from the system's theme to light to dark. */
export function ThemeSwitch({ initial }: { initial: Theme }) {
	const [theme, setTheme] = useState(initial);
	const { label, glyph, next } = looks[theme];
	function change() {
		setTheme(next);
		document.documentElement.dataset.theme = next;
		// biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in some browsers and on plain http.
		document.cookie = `${THEME_COOKIE}=${next}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Strict`;
	}
	return (
		<Button kind="quiet" size="icon" aria-label={`Theme: ${label}`} title={`Theme: ${label}`} onClick={change}>
			<span aria-hidden>{glyph}</span>
		</Button>
	);
}
