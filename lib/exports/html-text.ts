import { cutText, visibleString } from '../text/visible-text.ts';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

/** Agent text as text of a page: nothing in it is mark-up, and what would act unseen is named. */
export function htmlText(text: string): string {
	return visibleString(text).replaceAll(/[&<>"']/g, (mark) => ENTITIES[mark] ?? '');
}

/** The same in at most so many bytes of UTF-8, with an ellipsis where it was cut. */
export function fitHtmlText(text: string, most: number): string {
	// No character of the escaped text comes from less than one of the plain text.
	let cut = cutText(text, most).text;
	let html = htmlText(cut);
	for (let bytes = bytesOf(html); bytes > most - 3 && cut !== ''; bytes = bytesOf(html)) {
		cut = cutText(cut, Math.min(cut.length - 1, Math.floor((cut.length * (most - 3)) / bytes))).text;
		html = htmlText(cut);
	}
	return cut.length === text.length ? html : `${html}…`;
}
