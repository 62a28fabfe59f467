import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { hostilePayloads } from '#e2e/hostile/payloads.ts';
import { readMarkdown } from '#lib/markdown/read-markdown.ts';
import { anyText } from '#lib/text/testing/any-text.ts';
import { Markdown } from './markdown.tsx';

const draw = (text: string) => renderToStaticMarkup(<Markdown>{text}</Markdown>);
const acts = /(?![\n\t])[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\u200b\u2060\ufeff]/u;
/** Elements that would load, run or frame something, and attributes that hold a URL or a script. */
const harms =
	/<(?:script|img|iframe|object|embed|style|link|meta|base|form|input|svg|video|audio)\b|<[^>]*\s(?:on\w+|src|srcset|style|id|name|action)=/i;
const linksOf = (html: string) =>
	Array.from(html.matchAll(/<a [^>]*href="([^"]*)"[^>]*>/g), ([tag, href]) => [href, tag]);

describe('Markdown of agents', () => {
	test('headings, lists, boxes, tables, code and verdicts are drawn; the head of a file is shown unchanged', () => {
		const html = draw(
			'---\nfeature: cart\n---\n# Cart\n- [x] PLAN\n- [ ] DEV *now*\n\n3. third\n\n|a|b|\n|-|-|\n|1|`2`|\n\n```sh\nnpm  test\n```\n<!-- VERDICT: {"result": "REJECT"} -->',
		);
		expect(html).toMatch(/feature: cart.*<h3[^>]*>.*Cart.*<ul.*aria-label="done".*PLAN.*aria-label="open".*<em/s);
		expect(html).toMatch(/<ol[^>]*start="3".*<table.*<td.*2.*npm {2}test.*Verdict: reject/s);
		expect(html).not.toContain('VERDICT');
		expect(html).toContain('As text');
	});

	test('a few words have no second form, and lines are kept where a terminal keeps them', () => {
		expect(draw('Done.\nAll pass.')).not.toMatch(/As text|<br/);
		expect(renderToStaticMarkup(<Markdown keepsLines>{'Done.\nAll pass.'}</Markdown>)).toContain('<br/>');
	});

	test('R1561 HTML is text, and an address of a link is read but leads nowhere', () => {
		const html = draw(
			[
				'<script>alert(1)</script>',
				'<b onclick=alert(1)>bold</b> <img src=x onerror=alert(1)>',
				'[a](javascript:alert(1)) [b](JaVaScRiPt:alert(1)) [c](data:text/html,hi) [d](vbscript:x) [e](file:///etc/passwd)',
				'[f](java&#x0A;script:alert(1)) [g](//evil.example) [h](https://shop.example@evil.example) [i](./design.md)',
			].join('\n\n'),
		);
		expect(html).not.toMatch(harms);
		expect(linksOf(html)).toEqual([]);
		for (const text of ['&lt;script&gt;', 'javascript:alert(1)', 'data:text/html,hi', 'evil.example', './design.md'])
			expect(html).toContain(text);
	});

	test('R1561 a link shows where it would lead, once', () => {
		const html = draw('[bank](https://evil.example/x) <https://shop.example> [m](mailto:a@b.example)');
		expect(linksOf(html)).toEqual([]);
		expect(html.replaceAll(/<[^>]*>/g, '')).toBe(
			'As textbank (https://evil.example/x) https://shop.example m (mailto:a@b.example)',
		);
	});

	test('R1561 a picture is never loaded, not in a link either', () => {
		const html = draw('![cat](https://evil.example/c.png) [![in](https://evil.example/d.png)](https://shop.example)');
		expect(html).not.toMatch(harms);
		expect(html.replaceAll(/<[^>]*>/g, '')).toContain('[picture: cat] (https://evil.example/c.png)');
		expect(linksOf(html)).toEqual([]);
	});

	test('what is too long, too deep or too much is shown as it is, to the letter', () => {
		for (const text of [
			'a'.repeat(2 ** 20),
			`${'> '.repeat(5000)}deep`,
			`${'- '.repeat(5000)}deep`,
			'*a* '.repeat(20_000),
			'|a\n|-\n'.repeat(10_000),
		]) {
			expect(readMarkdown(text)).toBeNull();
			const shown = draw(text)
				.replaceAll(/<[^>]*>/g, '')
				.replaceAll('&gt;', '>');
			expect(shown.endsWith(text)).toBe(true);
		}
	});

	test('no text throws, acts unseen, loads or links anywhere', () => {
		const marks = [
			'*',
			'_',
			'[',
			'](',
			')',
			'!',
			'`',
			'> ',
			'- ',
			'\n',
			'|',
			'<',
			'&#x202e;',
			'javascript:',
			'a',
			'\u202e',
			'\\',
		];
		const hostile = hostilePayloads(1560).map(({ text }) => text);
		const piece = fc.oneof(fc.constantFrom(...marks), fc.constantFrom(...hostile), anyText());
		fc.assert(
			fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
				const html = draw(pieces.join(''));
				expect(html).not.toMatch(harms);
				expect(html.replaceAll(/<[^>]*>/g, '')).not.toMatch(acts);
				expect(linksOf(html)).toEqual([]);
			}),
		);
		for (const text of hostile) expect(draw(`# ${text}\n[${text}](${text})\n![${text}](<${text}>)`)).not.toMatch(harms);
	});
});
