/** In this order: the browsers that are built on another name it too. */
const BROWSERS = [
	['Edg', 'Edge'],
	['OPR', 'Opera'],
	['SamsungBrowser', 'Samsung Internet'],
	['Firefox', 'Firefox'],
	['FxiOS', 'Firefox'],
	['CriOS', 'Chrome'],
	['HeadlessChrome', 'headless Chrome'],
	['Chrome', 'Chrome'],
	['Safari', 'Safari'],
] as const;
const SYSTEMS = [
	['iPhone', 'iPhone'],
	['iPad', 'iPad'],
	['Android', 'Android'],
	['Windows', 'Windows'],
	['Mac OS X', 'macOS'],
	['CrOS', 'ChromeOS'],
	['Linux', 'Linux'],
] as const;

/**
 * A `user-agent` header in words that tell a person's own browsers apart, as `Firefox on Android`; undefined for one
 * that names no browser. It is what the browser says, and no proof of anything.
 */
export function browserName(userAgent: string | undefined): string | undefined {
	const found = (names: typeof BROWSERS | typeof SYSTEMS) => names.find(([mark]) => userAgent?.includes(mark))?.[1];
	const browser = found(BROWSERS);
	const system = found(SYSTEMS);
	return browser && system ? `${browser} on ${system}` : browser;
}
