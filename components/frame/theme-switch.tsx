'use client';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { ChoiceMenu } from '../ui/menu.tsx';
import { THEME_COOKIE, type Theme, themes } from './theme.ts';

const labels: Record<Theme, string> = { system: 'System', light: 'Light', dark: 'Dark' };
const YEAR_SECONDS = 31_536_000;

/** Chooses light, dark or what the system says. */
export function ThemeSwitch({ initial }: { initial: Theme }) {
	const [theme, setTheme] = useState(initial);
	function choose(next: Theme) {
		setTheme(next);
		document.documentElement.dataset.theme = next;
		// biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in some browsers and on plain http.
		document.cookie = `${THEME_COOKIE}=${next}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Strict`;
	}
	return (
		<ChoiceMenu
			label="Theme"
			value={theme}
			onChoose={choose}
			choices={themes.map((value) => ({ value, label: labels[value] }))}
			trigger={
				<Button kind="quiet" size="icon" aria-label={`Theme: ${labels[theme]}`}>
					<span aria-hidden>◐</span>
				</Button>
			}
		/>
	);
}
