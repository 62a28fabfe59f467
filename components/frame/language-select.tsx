'use client';
import { useContext } from 'react';
import { LANGUAGE_COOKIE, languageNames, languages } from '#lib/messages/language.ts';
import { SpeakLanguage, useSay } from '../language/use-say.ts';
import { Select } from '../ui/select.tsx';
import { keepChoice } from './keep-choice.ts';

const choices = languages.map((value) => ({ value, label: languageNames[value] }));

/** The language of the pages, changed in place: nothing that is open is lost. */
export function LanguageSelect() {
	const say = useSay();
	const speak = useContext(SpeakLanguage);
	function choose(chosen: string) {
		const language = languages.find((each) => each === chosen) ?? languages[0];
		keepChoice(LANGUAGE_COOKIE, language);
		void speak(language);
	}
	return <Select label={say('Language')} value={say.language} choices={choices} onChoose={choose} />;
}
