import type { Page } from '@playwright/test';
import { expect } from '../fixtures.ts';

/** What a browser did that text must never make it do. */
export interface Watch {
	/** Fails when anything acted, is other than plain text, acts unseen, or is wider than the window. */
	expectInert(where: string): Promise<void>;
	/** The texts of agents on the page, each chip read back as the character that it stands for. */
	readTexts(): Promise<string[]>;
}

// The functions below run in the page: they know nothing of what is around them here.

/** Elements that only foreign markup would have made, and attributes that load, go or run. */
function findForeign(): string[] {
	const never = 'iframe,object,embed,portal,base,meta,link,img,form[action],video,audio,template,marquee,math';
	const acting = /^(?:on.*|src|srcset|srcdoc|data|action|formaction|xlink:href|poster|ping|background)$/i;
	const ours = /^[/#?](?:[^/\\]|$)/;
	const attributesOf = (element: Element) =>
		Array.from(element.attributes, ({ name, value }) => ({ element, name, value }));
	const body = [...document.body.querySelectorAll(':not(script)')];
	return [
		...('pwned' in window ? ['a script ran'] : []),
		...Array.from(document.body.querySelectorAll(never), ({ localName }) => `there is <${localName}>`),
		...body
			.flatMap(attributesOf)
			.filter(({ name, value }) => (name === 'href' ? !ours.test(value) : acting.test(name)))
			.map(({ element, name, value }) => `<${element.localName} ${name}=${value.slice(0, 80)}>`),
	].slice(0, 9);
}

/** Characters that would act without being seen, in what is shown or read out. */
function findUnseen(): string[] {
	const acts =
		/(?![\n\t])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u;
	const spokenAttributes = ['title', 'aria-label', 'aria-valuetext', 'aria-description', 'alt', 'placeholder', 'label'];
	const texts: [string, string][] = [['the title of the window', document.title]];
	for (const element of document.body.querySelectorAll(':not(script)')) {
		for (const name of spokenAttributes) texts.push([`${element.localName} ${name}`, element.getAttribute(name) ?? '']);
		for (const { nodeType, nodeValue } of element.childNodes) {
			if (nodeType === Node.TEXT_NODE) texts.push([element.localName, nodeValue ?? '']);
		}
	}
	return texts
		.filter(([, text]) => acts.test(text))
		.slice(0, 9)
		.map(([source, text]) => `${source}: ${JSON.stringify(text.slice(0, 120))}`);
}

/** Whether a person would have to scroll sideways. */
function findWide(): string[] {
	return [document.documentElement, ...document.querySelectorAll('main')]
		.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
		.map((element) => `${element.localName} is ${element.scrollWidth} px wide, not ${element.clientWidth}`);
}

function readAgentTexts(): string[] {
	const walk = (node: Node): string => {
		if (!(node instanceof HTMLElement)) return node.nodeValue ?? '';
		const point = node.title === '' ? null : /(?:^| )U\+([0-9A-F]+)$/.exec(node.textContent ?? '');
		return point?.[1]
			? String.fromCodePoint(Number.parseInt(point[1], 16))
			: Array.from(node.childNodes, walk).join('');
	};
	return Array.from(document.querySelectorAll('bdi'), walk);
}

/** Watches a page from now on. Requests, new windows and dialogs are reported at the next check. */
export function watchPage(page: Page, url: string): Watch {
	const done: string[] = [];
	const host = new URL(url).host;
	page.context().on('request', (request) => {
		const to = new URL(request.url());
		if (to.host !== host || to.pathname.startsWith('/leak')) done.push(`a request to ${request.url().slice(0, 200)}`);
	});
	page.on('dialog', (dialog) => {
		done.push(`a dialog: ${dialog.message()}`);
		void dialog.dismiss();
	});
	page.on('popup', (popup) => void done.push(`a window: ${popup.url()}`));
	page.on('download', (download) => void done.push(`a download: ${download.url()}`));
	page.on('framenavigated', (frame) => {
		if (new URL(frame.url()).host !== host) done.push(`a way to ${frame.url()}`);
	});
	return {
		async expectInert(where) {
			const found = [findForeign, findUnseen, findWide].map((find) => page.evaluate(find));
			expect([...done, ...(await Promise.all(found)).flat()], where).toEqual([]);
		},
		readTexts: () => page.evaluate(readAgentTexts),
	};
}
