const YEAR_SECONDS = 31_536_000;

/** Keeps a reader's choice where the server reads it, so that the first paint is right without a script. */
export function keepChoice(cookie: string, value: string): void {
	// biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in some browsers and on plain http.
	document.cookie = `${cookie}=${value}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Strict`;
}
