import type { Row } from '../contract/sessions/read-model/row.ts';
import { cutText, visibleString } from '../text/visible-text.ts';
import { archiveFigures, noteFigures, stageFigures } from './archive-figures.ts';
import { type ArchiveStory, actorName, decisionOf, outcomeName, rowName, type SessionStory } from './archive-story.ts';

/** Most bytes of a page. */
const MAX_BYTES = 4_800_000;
const DOCUMENT_BYTES = 60_000;
const MAX_DOCUMENTS = 10;
const MAX_NOTES = 50;
/** Bytes of a row beside its text, and the least for its text. */
const ROW_MARKUP = 150;
const MIN_TEXT = 90;
const MAX_TEXT = 1200;

const classes: Record<Row['tone'], string> = { plain: '', run: '', ok: 'o', wait: 'w', warn: 'w', err: 'e' };

/**
 * An archive as one page that opens offline and is readable without script, in pieces to be written one after another. It loads
 * nothing, and its own policy forbids whatever an agent's text might ask for. `styleHash` is the SHA-256 of `htmlStyle` in
 * base64. Rows share a limited size: if there are many, their texts are shortened and the last are left out, which the page says.
 */
export function* archiveHtml(story: ArchiveStory, styleHash: string): Generator<string> {
	const { manifest, sessions, documents } = story;
	yield headOf(story, styleHash);
	const texts = documents.slice(0, MAX_DOCUMENTS);
	for (const { name, text } of texts)
		yield `<details><summary>${htmlText(name)}</summary><pre>${fitHtmlText(text, DOCUMENT_BYTES)}</pre></details>\n`;
	const shown = sessions.map(({ rows }) => rows.filter((row) => row.shown));
	const count = shown.reduce((sum, rows) => sum + rows.length, 0);
	const room = MAX_BYTES - 100_000 - texts.length * (DOCUMENT_BYTES + 500) - manifest.sessions.length * 500;
	const perRow = Math.max(MIN_TEXT, Math.min(MAX_TEXT, Math.floor(room / Math.max(1, count)) - ROW_MARKUP));
	const share = Math.min(1, room / (count * (perRow + ROW_MARKUP)));
	for (const [nth, session] of sessions.entries()) yield* sessionHtml(session, shown[nth] ?? [], perRow, share);
	yield '</body></html>\n';
}

function headOf(story: ArchiveStory, styleHash: string): string {
	const { manifest, sessions, redacted, missing } = story;
	const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'`;
	const figures = archiveFigures(story).map(([name, value]) => row([name, value], 'th'));
	const stages = stageFigures(sessions).map(({ stage, results, time }) => row([stage, results, time], 'td'));
	const notes = noteFigures(sessions).slice(0, MAX_NOTES);
	const note = (text: string) => `<p class="note">${htmlText(text)}</p>\n`;
	return [
		'<!doctype html><html lang="en"><head><meta charset="utf-8">',
		`<meta http-equiv="content-security-policy" content="${policy}">`,
		'<meta name="referrer" content="no-referrer"><meta name="viewport" content="width=device-width">',
		`<title>${fitHtmlText(manifest.feature, 300)}</title><style>${htmlStyle}</style></head><body>\n`,
		`<h1>${fitHtmlText(manifest.feature, 300)}</h1>\n`,
		...(redacted ? [note('What was said is left out: texts are their lengths and salted digests.')] : []),
		...(missing === undefined ? [] : [note(`Not everything is here: ${missing}`)]),
		`<table>${figures.join('')}</table>\n`,
		...(stages.length > 0 ? [`<h2>Stages</h2><table>${stages.join('')}</table>\n`] : []),
		...(notes.length > 0 ? [`<h2>Notes</h2><table>${notes.map((cells) => row(cells, 'td')).join('')}</table>\n`] : []),
	].join('');
}

function row([name = '', ...cells]: readonly string[], first: 'td' | 'th'): string {
	const rest = cells.map((cell) => `<td>${fitHtmlText(cell, 300)}</td>`).join('');
	return `<tr><${first}>${fitHtmlText(name, 300)}</${first}>${rest}</tr>`;
}

function* sessionHtml({ view }: SessionStory, rows: readonly Row[], perRow: number, share: number): Generator<string> {
	const kept = share >= 1 ? rows : rows.slice(0, Math.floor(rows.length * share));
	const cwd = view.project === undefined ? '' : ` <i>${fitHtmlText(view.project, 200)}</i>`;
	yield `<h2>Session ${htmlText(view.sessionId)}${cwd}</h2>\n<ol>\n`;
	for (const one of kept) yield rowHtml(one, view, perRow);
	yield '</ol>\n';
	if (kept.length < rows.length)
		yield `<p class="note">${rows.length - kept.length} more lines are left out to keep this page small; the whole is in the .signalbox.gz export.</p>\n`;
}

function rowHtml(one: Row, view: SessionStory['view'], room: number): string {
	const who = actorName(view, one.agentId);
	const words = one.call ? decisionOf(one.call) : '';
	const name = fitHtmlText(rowName(one), Math.max(30, room / 8));
	const outcome = one.call ? ` <u>${outcomeName(one.call)}</u>` : one.unverified ? ' <u>unverified</u>' : '';
	const actor = who === '' ? '' : ` <i>${fitHtmlText(who, Math.max(20, room / 12))}</i>`;
	const title = fitHtmlText(one.title, words === '' ? room * 0.75 : room * 0.4);
	const verdict = words === '' ? '' : `<br><i>${fitHtmlText(words, room * 0.35)}</i>`;
	const tone = classes[one.tone];
	return `<li${tone === '' ? '' : ` class=${tone}`}><time>${htmlText(one.at.slice(0, 19).replace('T', ' '))}</time> <b>${name}</b>${actor} ${title}${outcome}${verdict}</li>\n`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

/** Agent text as plain text of a page: no mark-up, and invisible characters are named. */
export function htmlText(text: string): string {
	return visibleString(text).replaceAll(/[&<>"']/g, (mark) => ENTITIES[mark] ?? '');
}

/** `htmlText` in at most `most` bytes of UTF-8, with an ellipsis if cut. */
export function fitHtmlText(text: string, most: number): string {
	// Escaping never shortens a text, so its plain text is at most as long.
	let cut = cutText(text, most).text;
	let html = htmlText(cut);
	for (let bytes = bytesOf(html); bytes > most - 3 && cut !== ''; bytes = bytesOf(html)) {
		cut = cutText(cut, Math.min(cut.length - 1, Math.floor((cut.length * (most - 3)) / bytes))).text;
		html = htmlText(cut);
	}
	return cut.length === text.length ? html : `${html}…`;
}

/** The whole style of an exported page: it loads nothing. */
export const htmlStyle = [
	':root{color-scheme:light dark;--err:#b3261e;--warn:#8a5a00;--ok:#1b6e3c;--muted:#666}',
	'@media(prefers-color-scheme:dark){:root{--err:#ff8a80;--warn:#e8b45a;--ok:#7bd49a;--muted:#999}}',
	'body{font:14px/1.45 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere}',
	'h1{font-size:1.4rem;margin:0}h2{font-size:1.1rem;margin:2rem 0 .5rem}',
	'table{border-collapse:collapse}td,th{text-align:left;padding:.15rem .8rem .15rem 0;vertical-align:top}',
	'pre{white-space:pre-wrap;font:12px/1.4 ui-monospace,monospace}summary{cursor:pointer;font-weight:600}',
	'ol{list-style:none;padding:0;margin:0}li{border-top:1px solid #8883;padding:.2rem 0}',
	'time,i{color:var(--muted);font-style:normal}.e b,.e u{color:var(--err)}.w b,.w u{color:var(--warn)}.o u{color:var(--ok)}',
	'u{text-decoration:none}.note{border-left:3px solid var(--warn);padding-left:.6rem}',
].join('');
