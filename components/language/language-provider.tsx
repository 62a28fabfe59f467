'use client';
import { type ReactNode, useMemo, useState } from 'react';
import type { Language as Tag } from '#lib/messages/language.ts';
import { type Dictionary, sayIn } from '#lib/messages/say.ts';
import { Language, SpeakLanguage } from './use-say.ts';

/** A language and its dictionary. English has none: its texts are in the code. */
interface Spoken {
	language: Tag;
	dictionary: Dictionary | null;
}

/** Provides the reader's language (initially chosen by the server) and a function to change it. */
export function LanguageProvider({ language, dictionary, children }: Spoken & { children: ReactNode }) {
	const [spoken, setSpoken] = useState<Spoken>({ language, dictionary });
	const say = useMemo(() => sayIn(spoken.language, spoken.dictionary), [spoken]);
	async function speak(next: Tag) {
		// Load the dictionary only when it is needed.
		const words = next === 'en' ? null : (await import('#lib/messages/chinese.ts')).chinese;
		document.documentElement.lang = next;
		setSpoken({ language: next, dictionary: words });
	}
	return (
		<SpeakLanguage value={speak}>
			<Language value={say}>{children}</Language>
		</SpeakLanguage>
	);
}
