/** Ordered: browsers also name those that they are based on. */
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

/** `Firefox on Android`; what the browser says, unverified. */
export function browserName(userAgent: string | undefined): string | undefined {
	const found = (names: typeof BROWSERS | typeof SYSTEMS) => names.find(([mark]) => userAgent?.includes(mark))?.[1];
	const browser = found(BROWSERS);
	const system = found(SYSTEMS);
	return browser && system ? `${browser} on ${system}` : browser;
}
