'use client';
import { type ReactNode, useMemo, useState } from 'react';
import type { Language as Tag } from '#lib/messages/language.ts';
import { type Dictionary, sayIn } from '#lib/messages/say.ts';
import { Language, SpeakLanguage } from './use-say.ts';

/** A language with its words; English has none but those in the code. */
interface Spoken {
	language: Tag;
	dictionary: Dictionary | null;
}

/** Gives everything below the reader's language, at first the one that the server chose, and the way to another one. */
export function LanguageProvider({ language, dictionary, children }: Spoken & { children: ReactNode }) {
	const [spoken, setSpoken] = useState<Spoken>({ language, dictionary });
	const say = useMemo(() => sayIn(spoken.language, spoken.dictionary), [spoken]);
	async function speak(next: Tag) {
		// The words come when they are asked for: who never asks does not load them.
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
