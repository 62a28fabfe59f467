import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { chinese } from '#lib/messages/chinese.ts';
import { LANGUAGE_COOKIE, languageFor } from '#lib/messages/language.ts';
import { english, type Say, sayIn } from '#lib/messages/say.ts';

/** Says messages in the language of whoever asks for a page that is not Next's: as chosen on the pages, else as the browser wishes. */
export function sayTo(context: Context): Say {
	const language = languageFor(getCookie(context, LANGUAGE_COOKIE), context.req.header('accept-language'));
	return language === 'en' ? english : sayIn(language, chinese);
}
