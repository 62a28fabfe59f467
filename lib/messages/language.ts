export const languages = ['en', 'zh-CN'] as const;
export type Language = (typeof languages)[number];

export const languageNames: Readonly<Record<Language, string>> = { en: 'English', 'zh-CN': '简体中文' };

/** Cookie that holds the reader's choice, so that the server renders the right words at once. */
export const LANGUAGE_COOKIE = 'signalbox-language';

/** The language for a reader: their choice, else the first supported one of the browser's `Accept-Language`. */
export function languageFor(chosen: string | undefined, accepted: string | null | undefined): Language {
	const found = languages.find((language) => language === chosen);
	if (found) return found;
	const wished = (accepted ?? '')
		.split(',')
		.map((part) => {
			const [tag = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase());
			const weight = Number(parameters.find((each) => each.startsWith('q='))?.slice(2) ?? 1);
			return { main: tag.split('-')[0], weight: Number.isNaN(weight) ? 0 : weight };
		})
		.filter(({ weight }) => weight > 0)
		.sort((one, other) => other.weight - one.weight);
	for (const { main } of wished) {
		const language = languages.find((each) => each.split('-')[0] === main);
		if (language) return language;
	}
	return languages[0];
}
