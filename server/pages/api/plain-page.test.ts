import { expect, test } from 'vitest';
import { chinese } from '#lib/messages/chinese.ts';
import { sayIn } from '#lib/messages/say.ts';
import { elsewherePage, linkPage, loginPage } from './plain-page.ts';

const say = sayIn('zh-CN', chinese);
const reader = {
	nonce: 'n',
	say,
	program: { name: 'signalbox', where: ", in the folder of Signalbox, with this server's OVERTONE_HOME" },
} as const;

/** What a person reads of a page: no script, no style, no element. */
const readOf = (page: string) => page.replace(/<(script|style)[^>]*>.*?<\/\1>|<code>.*?<\/code>|<[^>]+>/gs, '');

test('the pages without a sign-in are in the reader’s language, with no English word left', () => {
	const ways = { provider: '组织', passkey: true };
	const pages = [loginPage(reader, true, ways), linkPage(reader), elsewherePage(reader)];
	for (const page of pages) {
		expect(page).toContain('<html lang="zh-CN">');
		expect(readOf(page).replace(/Signalbox|OVERTONE_HOME|JavaScript|Cookie/g, '')).not.toMatch(/[a-z]{2}/i);
	}
});
