/** The user's choice; `system` follows the browser. */
export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export const THEME_COOKIE = 'signalbox-theme';

/** Parses the cookie; anything unknown means `system`. */
export const readTheme = (value: string | undefined): Theme => themes.find((theme) => theme === value) ?? 'system';

const YEAR_SECONDS = 31_536_000;

/** Stores a choice in a cookie, so that the server can render the first paint without a script. */
export function keepChoice(cookie: string, value: string): void {
	// biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in some browsers and on plain http.
	document.cookie = `${cookie}=${value}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Strict`;
}
