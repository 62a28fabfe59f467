/** Text in which each half surrogate is U+FFFD: what an address, a database and UTF-8 make of it anyway. */
export function wellFormed(text: string): string {
	return text.replaceAll(/\p{Surrogate}/gu, '\ufffd');
}

/** Any text as one part of an address. `encodeURIComponent` alone throws at half a surrogate, and takes the page with it. */
export function addressPart(text: string): string {
	return encodeURIComponent(wellFormed(text));
}
