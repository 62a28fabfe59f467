/** The reader's choice; `system` follows the browser. */
export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** Cookie that holds the choice, so that the first paint is right without a script. */
export const THEME_COOKIE = 'signalbox-theme';

/** The theme in a cookie's value; anything else means `system`. */
export function readTheme(value: string | undefined): Theme {
	return themes.find((theme) => theme === value) ?? 'system';
}
