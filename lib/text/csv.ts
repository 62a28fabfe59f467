/** RFC 4180. A field that a spreadsheet would run as a formula begins with an apostrophe. */
export function csvText(rows: readonly (readonly string[])[]): string {
	return rows.map((row) => `${row.map(csvField).join(',')}\r\n`).join('');
}

function csvField(text: string): string {
	const safe = /^[=+\-@\t\r]/u.test(text) ? `'${text}` : text;
	return /[",\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
