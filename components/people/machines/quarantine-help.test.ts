import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { chinese } from '#lib/messages/chinese.ts';
import { english, type Say, sayIn } from '#lib/messages/say.ts';
import { inWords, sentence } from '#lib/messages/sentence.ts';
import { Language } from '../../language/use-say.ts';
import { QuarantineHelp } from './machine-dialog.tsx';

test('a quarantine says why, what it means and the two ways out, in each language', () => {
	const edge = inWords({
		reason: sentence('It says that this is its connection {count}, and it has made {total} before.', {
			count: 2,
			total: 9,
		}),
	});
	const shown = (say: Say) =>
		renderToStaticMarkup(createElement(Language, { value: say }, createElement(QuarantineHelp, { edge })));
	const inEnglish = shown(english);
	expect(inEnglish).toContain('connection 2, and it has made 9 before');
	expect(inEnglish.match(/<li>/g)).toHaveLength(2);
	expect(inEnglish).toMatch(/It is the right one: .*signalbox leave.*then take this machine back/);
	expect(inEnglish).toMatch(/Nobody can say which is right: revoke it/);
	const other = shown(sayIn('zh-CN', chinese));
	expect(other).toContain('第 2 次连接，而它此前已连接 9 次');
	expect(other.replaceAll(/<[^>]*>|signalbox leave/g, '')).not.toMatch(/[A-Za-z]{3}/);
});
