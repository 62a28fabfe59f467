/** The reader's choice; `system` follows the browser. */
export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export const THEME_COOKIE = 'signalbox-theme';

/** The theme in a cookie's value; anything else means `system`. */
export const readTheme = (value: string | undefined): Theme => themes.find((theme) => theme === value) ?? 'system';

const YEAR_SECONDS = 31_536_000;

/** Keeps a reader's choice where the server reads it, so that the first paint is right without a script. */
export function keepChoice(cookie: string, value: string): void {
	// biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in some browsers and on plain http.
	document.cookie = `${cookie}=${value}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Strict`;
}
